package io.jobqueue.payload;

/**
 * Defines the valid names of queues.
 */
public final class QueueNames {

	/**
	 * The name of the queue of jobs that name none.
	 */
	public static final String DEFAULT = "default";

	private static final int MAX_LENGTH = 100;

	/**
	 * The regular expression that names of queues match.
	 */
	public static final String PATTERN = "[a-z0-9][a-z0-9_-]{0,99}";

	/**
	 * The rule for names of queues, for messages.
	 */
	public static final String RULE = PATTERN + ", in lower case";

	private QueueNames() {
	}

	/**
	 * Return whether a name is valid for a queue. This does not use the regular
	 * expression, which would take a tenth of the interpreter's time in
	 * {@code enqueueAll}.
	 * @param name the name
	 * @return {@code true} if it is valid
	 */
	public static boolean isValid(String name) {
		boolean valid = !name.isEmpty() && name.length() <= MAX_LENGTH && isLetterOrDigit(name.charAt(0));
		for (int index = 1; valid && index < name.length(); index++) {
			char each = name.charAt(index);
			valid = isLetterOrDigit(each) || each == '_' || each == '-';
		}
		return valid;
	}

	private static boolean isLetterOrDigit(char each) {
		return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9');
	}

}
