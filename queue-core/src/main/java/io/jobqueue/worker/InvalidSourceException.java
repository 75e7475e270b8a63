package io.jobqueue.worker;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown to a thread that wants jobs that there cannot be.
 */
@SuppressWarnings("serial")
final class InvalidSourceException extends InvalidConfigurationException {

	InvalidSourceException(String description, String action) {
		super(description + ".", action + ".");
	}

}
