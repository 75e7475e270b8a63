package io.jobqueue.handler;

import io.jobqueue.JobQueueException;

/**
 * Thrown at start if a {@code @JobHandler} cannot handle jobs as it is written.
 */
@SuppressWarnings("serial")
public class InvalidHandlerException extends JobQueueException {

	/**
	 * What to do about it.
	 */
	private final String action;

	InvalidHandlerException(String description, String action) {
		super(description + ". " + action + ".");
		this.action = action;
	}

	/**
	 * Return what to do about it.
	 * @return a sentence
	 */
	public String action() {
		return this.action + ".";
	}

}
