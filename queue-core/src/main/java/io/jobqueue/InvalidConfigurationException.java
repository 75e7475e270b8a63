package io.jobqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at start if the queue cannot work the way that the application is configured or
 * written, by {@link JobHandlerRegistry} if a handler cannot, and by {@link JobPuller} if
 * there can be no such jobs.
 */
@SuppressWarnings("serial")
public class InvalidConfigurationException extends JobQueueException {

	/**
	 * What is wrong.
	 */
	private final String description;

	/**
	 * What to do about it.
	 */
	private final String action;

	/**
	 * Create an exception.
	 * @param description what is wrong, a sentence
	 * @param action what to do about it, a sentence
	 */
	public InvalidConfigurationException(String description, String action) {
		this(description, action, null);
	}

	/**
	 * Create an exception with a cause.
	 * @param description what is wrong, a sentence
	 * @param action what to do about it, a sentence
	 * @param cause what led to it
	 */
	public InvalidConfigurationException(String description, String action, @Nullable Throwable cause) {
		super(description + " " + action, cause);
		this.description = description;
		this.action = action;
	}

	/**
	 * Return what is wrong.
	 * @return a sentence
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Return what to do about it.
	 * @return a sentence
	 */
	public String action() {
		return this.action;
	}

}
