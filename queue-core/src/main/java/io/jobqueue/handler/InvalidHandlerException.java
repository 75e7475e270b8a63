package io.jobqueue.handler;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown if a handler is declared, registered or unregistered incorrectly.
 */
@SuppressWarnings("serial")
public class InvalidHandlerException extends InvalidConfigurationException {

	InvalidHandlerException(String description, String action) {
		super(description + ".", action + ".");
	}

}
