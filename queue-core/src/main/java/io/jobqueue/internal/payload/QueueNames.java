package io.jobqueue.internal.payload;

import java.util.regex.Pattern;

/**
 * Defines the valid names of queues.
 */
public final class QueueNames {

	/**
	 * The name of the queue of jobs that name none.
	 */
	public static final String DEFAULT = "default";

	/**
	 * The regular expression that names of queues match.
	 */
	public static final String PATTERN = "[a-z0-9][a-z0-9_-]{0,99}";

	/**
	 * The rule for names of queues, for messages.
	 */
	public static final String RULE = PATTERN + ", in lower case";

	private static final Pattern VALID = Pattern.compile(PATTERN);

	private QueueNames() {
	}

	/**
	 * Return whether a name is valid for a queue.
	 * @param name the name
	 * @return {@code true} if it is valid
	 */
	public static boolean isValid(String name) {
		return VALID.matcher(name).matches();
	}

}
