package io.jobqueue.benchmark.frame;

/**
 * What the caller of the benchmark got wrong, in words for people.
 */
public final class UsageException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param message what is wrong and what would be right; it is all that people see
	 */
	public UsageException(String message) {
		super(message);
	}

}
