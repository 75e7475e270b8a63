package io.jobqueue.boot.autoconfigure;

import java.util.List;

import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Exceptions that are part of the business: {@code jobqueue.defaults.expected}.
 */
class ExpectedProperties {

	/**
	 * Comma-separated list of the names of exception classes. Subclasses and causes match
	 * too. Default: none.
	 */
	private List<String> exceptions = List.of();

	/**
	 * Number of attempts of a job that may end with an expected exception before that
	 * counts like any other failure; 0 for no limit.
	 */
	private int maxAttempts = 25;

	/**
	 * How long a job waits after an expected exception.
	 */
	@NestedConfigurationProperty
	private final BackoffProperties backoff = new BackoffProperties();

	public List<String> getExceptions() {
		return this.exceptions;
	}

	public void setExceptions(List<String> exceptions) {
		this.exceptions = exceptions;
	}

	public int getMaxAttempts() {
		return this.maxAttempts;
	}

	public void setMaxAttempts(int maxAttempts) {
		this.maxAttempts = maxAttempts;
	}

	public BackoffProperties getBackoff() {
		return this.backoff;
	}

}
