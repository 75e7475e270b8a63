package io.jobqueue.internal.dashboard;

/**
 * Ends a request with an error page that shows the status and the message. It is not
 * logged.
 */
@SuppressWarnings("serial")
public final class RefusedRequestException extends RuntimeException {

	private final int status;

	private final String message;

	/**
	 * Create an exception.
	 * @param status the status of the response, from 400 to 599
	 * @param message what is wrong, a sentence that users may read
	 */
	public RefusedRequestException(int status, String message) {
		super(message, null, false, false);
		this.status = status;
		this.message = message;
	}

	@Override
	public String getMessage() {
		return this.message;
	}

	/**
	 * Return the status of the response.
	 * @return from 400 to 599
	 */
	public int status() {
		return this.status;
	}

}
