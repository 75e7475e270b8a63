package io.jobqueue.internal.worker.execution;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The text that is stored of an exception: its type, message and stack trace with causes,
 * cut to {@value #MAX_LENGTH} characters. A text that is cut ends with the first lines of
 * the last causes, at most {@value #MAX_CAUSES}, since the root cause is printed last.
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
	 * Cut a stack trace and append the first lines of its causes. They are read from the
	 * text, as an exception may print other causes than {@code getCause} returns.
	 */
	private static String withCauses(String text) {
		String causes = (text.length() > MAX_LENGTH) ? causes(text) : "";
		return storable(text, MAX_LENGTH - causes.length()) + storable(causes);
	}

	/**
	 * Return the first lines of the causes that begin in the second half of
	 * {@link #MAX_LENGTH} or later.
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
	 * PostgreSQL does not store the character NUL, and a cut may split a surrogate pair.
	 */
	static String storable(String text, int maxLength) {
		String cut = (text.length() > maxLength) ? text.substring(0, maxLength) : text;
		String whole = new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
		return whole.replace('\0', '\uFFFD');
	}

}
