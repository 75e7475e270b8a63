package io.jobqueue.payload;

import java.util.regex.Pattern;

/**
 * The names that a queue may have.
 */
public final class QueueNames {

	/**
	 * The queue of jobs that name none.
	 */
	public static final String DEFAULT = "default";

	/**
	 * The regular expression of names.
	 */
	public static final String PATTERN = "[a-z0-9][a-z0-9_-]{0,99}";

	/**
	 * The rule for names, as messages state it.
	 */
	public static final String RULE = PATTERN + ", in lower case";

	private static final Pattern VALID = Pattern.compile(PATTERN);

	private QueueNames() {
	}

	/**
	 * Return whether a queue may have the name.
	 * @param name the name
	 * @return {@code true} if it may
	 */
	public static boolean isValid(String name) {
		return VALID.matcher(name).matches();
	}

}
