package io.jobqueue.benchmark;

/**
 * What the caller of the benchmark got wrong, in words for people.
 */
final class UsageException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UsageException(String message) {
		super(message);
	}

}
