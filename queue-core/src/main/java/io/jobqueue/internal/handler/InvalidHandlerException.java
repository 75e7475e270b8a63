package io.jobqueue.internal.handler;

import org.jspecify.annotations.Nullable;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown if a handler is declared, registered or unregistered incorrectly.
 */
@SuppressWarnings("serial")
public class InvalidHandlerException extends InvalidConfigurationException {

	InvalidHandlerException(String description, String action) {
		this(description, action, null);
	}

	InvalidHandlerException(String description, String action, @Nullable Throwable cause) {
		super(description + ".", action + ".", cause);
	}

}
