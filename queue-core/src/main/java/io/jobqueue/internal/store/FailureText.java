package io.jobqueue.internal.store;

import java.sql.SQLException;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Describes a failure in one log line: the message of the database without the SQL
 * statement. The whole exception is logged at DEBUG.
 */
public final class FailureText {

	private static final int MAX_LENGTH = 300;

	private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

	private FailureText() {
	}

	/**
	 * Return the first line of the message of a failure: SQLState and message of the
	 * first {@link SQLException} among its causes that has one, else class name and
	 * message of the root cause. Further lines are left out because they may contain
	 * values of the row.
	 * @param failure the failure
	 * @return the text, with at most 300 characters of the message
	 */
	public static String of(Throwable failure) {
		SQLException answer = answer(failure);
		String state = (answer != null) ? answer.getSQLState() : null;
		return (answer != null && state != null) ? "SQLState %s: %s".formatted(state, line(answer))
				: "%s: %s".formatted(Causes.root(failure).getClass().getSimpleName(), line(Causes.root(failure)));
	}

	/**
	 * Return the exception of the database or its driver.
	 * @param failure the failure
	 * @return the first {@link SQLException} among its causes, {@code null} if there is
	 * none
	 */
	public static @Nullable SQLException answer(Throwable failure) {
		for (Throwable cause : Causes.of(failure)) {
			if (cause instanceof SQLException answer) {
				return answer;
			}
		}
		return null;
	}

	private static String line(Throwable failure) {
		String message = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
		return CONTROL.matcher((message.length() > MAX_LENGTH) ? message.substring(0, MAX_LENGTH) + "…" : message)
			.replaceAll(" ");
	}

}
