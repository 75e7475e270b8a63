package io.jobqueue.benchmark.frame;

/**
 * What the caller of the benchmark got wrong, in words for people.
 */
public final class UsageException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public UsageException(String message) {
		super(message);
	}

}
