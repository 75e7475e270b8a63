package io.jobqueue.boot.autoconfigure;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if settings or beans of the application do not let the queue work.
 */
@SuppressWarnings("serial")
class InvalidSettingException extends InvalidConfigurationException {

	InvalidSettingException(String description, String action) {
		super(description, action);
	}

}
