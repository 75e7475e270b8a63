package io.jobqueue.internal.logging;

import java.util.regex.Pattern;

/**
 * Formats text in log lines: escapes names, so that they cannot begin a new line, and
 * forms plurals.
 */
public final class LogText {

	/**
	 * Line breaks and other invisible characters.
	 */
	private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

	private LogText() {
	}

	/**
	 * Escape line breaks and other invisible characters.
	 * @param text the text
	 * @return the text with a code in place of each such character
	 */
	public static String escaped(Object text) {
		return UNSEEN.matcher(text.toString())
			.replaceAll((unseen) -> "\\\\u%04x".formatted(unseen.group().codePointAt(0)));
	}

	/**
	 * Return a number with a noun.
	 * @param number the number
	 * @param one the noun in the singular
	 * @return the number and the noun, with an "s" unless the number is 1
	 */
	public static String counted(long number, String one) {
		return "%s %s%s".formatted(number, one, (number == 1) ? "" : "s");
	}

}
