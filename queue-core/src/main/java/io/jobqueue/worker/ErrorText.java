package io.jobqueue.worker;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/**
 * What is kept of an exception: its type, message and stack trace, causes included, cut
 * to {@value #MAX_LENGTH} characters.
 */
final class ErrorText {

	static final int MAX_LENGTH = 10_000;

	private ErrorText() {
	}

	static String of(Throwable throwable) {
		StringWriter text = new StringWriter();
		try {
			throwable.printStackTrace(new PrintWriter(text));
		}
		catch (Throwable ex) {
			text.append(throwable.getClass().getName())
				.append(" (its own text cannot be had: ")
				.append(ex.getClass().getName())
				.append(')');
		}
		return storable(text.toString());
	}

	static String storable(String text) {
		return storable(text, MAX_LENGTH);
	}

	/**
	 * No database stores the character NUL, and a cut may leave half of a surrogate pair.
	 */
	static String storable(String text, int maxLength) {
		String cut = (text.length() > maxLength) ? text.substring(0, maxLength) : text;
		String whole = new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
		return whole.replace('\0', '\uFFFD');
	}

}
