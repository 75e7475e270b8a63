package io.jobqueue.logging;

import java.util.regex.Pattern;

/**
 * Text in log lines: escapes names, so that none can begin a line of its own, and counts
 * in the singular and the plural.
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

	/**
	 * Count something.
	 * @param number how many there are
	 * @param one what one of them is called
	 * @return the number and that name, with an "s" unless it is one
	 */
	public static String counted(long number, String one) {
		return "%d %s%s".formatted(number, one, (number == 1) ? "" : "s");
	}

}
