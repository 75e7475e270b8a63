package io.jobqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown to the caller of {@link JobQueue} when a job cannot be stored. Nothing was
 * written, and the caller's transaction stays usable.
 * <p>
 * The message says what is wrong and never contains the payload. The reasons: the name of
 * a queue or type that is invalid; a payload that is invalid, does not serialise, is too
 * large, or whose class has no type name or that of another class; a collection, stream,
 * optional or {@link JobRequest} passed as a payload; an option beyond the limits of its
 * column; a stale run-at; a header with a reserved name; a read-only transaction; a
 * missing transaction if {@code jobqueue.producer.require-transaction} is set; a
 * transaction that has already ended, if one is required or no connection is free for
 * another one.
 */
@SuppressWarnings("serial")
public class JobRejectedException extends JobQueueException {

	/**
	 * The name of the rejected property.
	 */
	private final String property;

	/**
	 * Why, and what to do.
	 */
	private final String reason;

	/**
	 * Create an exception.
	 * @param property what is wrong, such as {@code queue} or {@code payload}
	 * @param reason why, and what to do
	 */
	public JobRejectedException(String property, String reason) {
		this(property, reason, null);
	}

	/**
	 * Create an exception with a cause.
	 * @param property what is wrong, such as {@code queue} or {@code payload}
	 * @param reason why, and what to do
	 * @param cause the cause
	 */
	public JobRejectedException(String property, String reason, @Nullable Throwable cause) {
		super("Job rejected: '%s' %s".formatted(property, reason), cause);
		this.property = property;
		this.reason = reason;
	}

	/**
	 * Return what is wrong, such as {@code queue} or {@code payload}.
	 * @return the name of the property
	 */
	public String property() {
		return this.property;
	}

	/**
	 * Return why it is wrong, and what to do.
	 * @return the part of the message that follows the name of the property
	 */
	public String reason() {
		return this.reason;
	}

}
