package io.jobqueue.boot.settings;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if settings or beans of the application do not let the queue work.
 */
@SuppressWarnings("serial")
public class InvalidSettingException extends InvalidConfigurationException {

	/**
	 * Create an exception.
	 * @param description what is wrong, with the name of the setting
	 * @param action what to do
	 */
	public InvalidSettingException(String description, String action) {
		super(description, action);
	}

}
