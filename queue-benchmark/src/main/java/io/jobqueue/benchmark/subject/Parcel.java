package io.jobqueue.benchmark.subject;

/**
 * The payload of jobs that do nothing either, but have as much to say as others: as JSON,
 * {@value #BYTES} bytes.
 *
 * @param content what fills it
 */
public record Parcel(String content) {

	/**
	 * How long the payload is.
	 */
	public static final int BYTES = 100;

	private static final String JSON = "{\"content\":\"%s\"}";

	private static final int DIGITS = BYTES - JSON.formatted("").length();

	/**
	 * Create a payload.
	 * @param number the number that it contains, with zeros before it
	 * @return the payload
	 */
	public static Parcel of(int number) {
		return new Parcel(("%0" + DIGITS + "d").formatted(number));
	}

	/**
	 * Return the payload as the queue stores it.
	 */
	public String json() {
		return JSON.formatted(this.content);
	}

}
