package io.jobqueue.handler;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown if a handler is declared or registered in a way that it cannot be called.
 */
@SuppressWarnings("serial")
public class InvalidHandlerException extends InvalidConfigurationException {

	InvalidHandlerException(String description, String action) {
		super(description + ".", action + ".");
	}

}
