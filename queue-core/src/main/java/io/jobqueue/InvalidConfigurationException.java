package io.jobqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at start if the queue cannot work with the configuration or the code of the
 * application, by {@link JobHandlerRegistry} if a handler is invalid, and by
 * {@link JobPuller} if a source is invalid.
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
	 * @param cause the cause
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
