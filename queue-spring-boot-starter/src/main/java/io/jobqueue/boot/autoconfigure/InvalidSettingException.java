package io.jobqueue.boot.autoconfigure;

import io.jobqueue.JobQueueException;

/**
 * Thrown at start if the application is configured in a way that cannot work.
 */
@SuppressWarnings("serial")
class InvalidSettingException extends JobQueueException {

	private final String description;

	private final String action;

	InvalidSettingException(String description, String action) {
		super(description + " " + action);
		this.description = description;
		this.action = action;
	}

	String description() {
		return this.description;
	}

	String action() {
		return this.action;
	}

}
