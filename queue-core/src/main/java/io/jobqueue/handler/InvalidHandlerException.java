package io.jobqueue.handler;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown if a handler cannot handle jobs as it is written or registered.
 */
@SuppressWarnings("serial")
public class InvalidHandlerException extends InvalidConfigurationException {

	InvalidHandlerException(String description, String action) {
		super(description + ".", action + ".");
	}

}
