package io.jobqueue.context;

import java.util.regex.Pattern;

/**
 * Text of others in lines of the log: nobody writes lines of his own by the name of a
 * queue or a session.
 */
public final class LogText {

	/**
	 * Line breaks, and whatever else a reader does not see.
	 */
	private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

	private LogText() {
	}

	/**
	 * Escape what a reader does not see.
	 * @param text the text
	 * @return the same with codes in place of such characters
	 */
	public static String escaped(Object text) {
		return UNSEEN.matcher(text.toString())
			.replaceAll((unseen) -> "\\\\u%04x".formatted(unseen.group().codePointAt(0)));
	}

}
