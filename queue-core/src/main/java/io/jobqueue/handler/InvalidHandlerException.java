package io.jobqueue.handler;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if a {@code @JobHandler} cannot handle jobs as it is written.
 */
@SuppressWarnings("serial")
public class InvalidHandlerException extends InvalidConfigurationException {

	InvalidHandlerException(String description, String action) {
		super(description + ".", action + ".");
	}

}
