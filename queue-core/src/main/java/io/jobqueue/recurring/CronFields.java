package io.jobqueue.recurring;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * Names the field in which a cron expression is invalid.
 */
final class CronFields {

	private static final List<String> NAMES = List.of("second", "minute", "hour", "day of month", "month",
			"day of week");

	private CronFields() {
	}

	/**
	 * Return why an expression is invalid.
	 * @return the reason, {@code null} if it is valid
	 */
	static @Nullable String error(String expression) {
		try {
			CronExpression.parse(expression);
			return null;
		}
		catch (IllegalArgumentException ex) {
			return "is '%s': %s".formatted(expression, reason(expression, ex));
		}
	}

	private static String reason(String expression, IllegalArgumentException failure) {
		String[] fields = StringUtils.tokenizeToStringArray(expression, " ");
		if (fields.length != NAMES.size()) {
			return "it has %d fields instead of 6 (%s)".formatted(fields.length, String.join(", ", NAMES));
		}
		for (int position = 0; position < fields.length; position++) {
			if (!isValid(position, fields[position])) {
				return "field %d (%s) cannot be '%s'".formatted(position + 1, NAMES.get(position), fields[position]);
			}
		}
		return String.valueOf(failure.getMessage());
	}

	private static boolean isValid(int position, String field) {
		String[] fields = new String[NAMES.size()];
		Arrays.fill(fields, "*");
		fields[position] = field;
		return CronExpression.isValidExpression(String.join(" ", fields));
	}

}
