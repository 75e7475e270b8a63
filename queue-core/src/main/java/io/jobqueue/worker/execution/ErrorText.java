package io.jobqueue.worker.execution;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What is kept of an exception: its type, message and stack trace, causes included, cut
 * to {@value #MAX_LENGTH} characters. A longer text ends with the first lines of its last
 * causes, {@value #MAX_CAUSES} at most, as the root cause is the last.
 */
final class ErrorText {

	static final int MAX_LENGTH = 10_000;

	private static final int MAX_CAUSES = 10;

	private static final int MAX_CAUSE_LENGTH = 400;

	private static final String CAUSE = "Caused by: ";

	private ErrorText() {
	}

	static String of(Throwable throwable) {
		StringWriter text = new StringWriter();
		try {
			throwable.printStackTrace(new PrintWriter(text));
		}
		catch (Throwable ex) {
			text.append(throwable.getClass().getName())
				.append(" (its message cannot be read: ")
				.append(ex.getClass().getName())
				.append(')');
		}
		return withCauses(text.toString());
	}

	/**
	 * Cut a stack trace, but for its causes. They are taken from the text, as exceptions
	 * may print others than {@code getCause} returns.
	 */
	private static String withCauses(String text) {
		String causes = (text.length() > MAX_LENGTH) ? causes(text) : "";
		return storable(text, MAX_LENGTH - causes.length()) + storable(causes);
	}

	/**
	 * Return the first lines of the causes that do not begin in the first half.
	 */
	private static String causes(String text) {
		Deque<String> causes = new ArrayDeque<>();
		text.substring(MAX_LENGTH / 2).lines().skip(1).filter((line) -> line.startsWith(CAUSE)).forEach((line) -> {
			causes.add("\n" + storable(line, MAX_CAUSE_LENGTH));
			if (causes.size() > MAX_CAUSES) {
				causes.remove();
			}
		});
		return causes.isEmpty() ? "" : "\n\t..." + String.join("", causes);
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
