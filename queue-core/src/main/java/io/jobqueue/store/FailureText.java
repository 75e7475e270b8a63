package io.jobqueue.store;

import java.sql.SQLException;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What a line of the log says of a failure that is tried again: the answer of the server
 * without the statement that it answered. The whole exception is for DEBUG.
 */
public final class FailureText {

	private static final int MAX_LENGTH = 300;

	private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

	private FailureText() {
	}

	/**
	 * Return the first line of the message of what caused a failure, after the SQLState
	 * where a database answered, else after the name of its class. The lines that follow
	 * may show contents of the row.
	 * @param failure the failure
	 * @return its text, of at most some hundred characters
	 */
	public static String of(Throwable failure) {
		SQLException answer = answer(failure);
		String state = (answer != null) ? answer.getSQLState() : null;
		return (answer != null && state != null) ? "SQLState %s: %s".formatted(state, line(answer))
				: "%s: %s".formatted(root(failure).getClass().getSimpleName(), line(root(failure)));
	}

	/**
	 * Return what a database or its driver said.
	 * @param failure the failure
	 * @return the first {@link SQLException} among its causes, {@code null} if there is
	 * none
	 */
	public static @Nullable SQLException answer(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = next(cause)) {
			if (cause instanceof SQLException answer) {
				return answer;
			}
		}
		return null;
	}

	private static Throwable root(Throwable failure) {
		Throwable root = failure;
		for (Throwable cause = failure; cause != null; cause = next(cause)) {
			root = cause;
		}
		return root;
	}

	private static @Nullable Throwable next(Throwable cause) {
		return (cause.getCause() != cause) ? cause.getCause() : null;
	}

	private static String line(Throwable failure) {
		String message = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
		return CONTROL.matcher((message.length() > MAX_LENGTH) ? message.substring(0, MAX_LENGTH) + "…" : message)
			.replaceAll(" ");
	}

}
