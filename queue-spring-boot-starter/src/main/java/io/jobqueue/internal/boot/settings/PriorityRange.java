package io.jobqueue.internal.boot.settings;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PriorityClass;

/**
 * The priorities that a worker serves.
 *
 * @param min the lowest value
 * @param max the highest value
 */
record PriorityRange(int min, int max) {

	private static final PriorityRange ALL = new PriorityRange(PriorityClass.INTERACTIVE.best(),
			PriorityClass.REPORTING.worst());

	private static final String ACTION = "Set a number from 0 to 99, or a range with the lower number first,"
			+ " such as 0-19.";

	static PriorityRange parse(String property, @Nullable String text) {
		if (text == null || text.isBlank()) {
			return ALL;
		}
		String range = text.replaceAll("\\s", "");
		Setting.check(range.matches("\\d{1,2}(-\\d{1,2})?"), property, text, ACTION);
		int separator = range.indexOf('-');
		int min = Integer.parseInt((separator < 0) ? range : range.substring(0, separator));
		int max = Integer.parseInt(range.substring(separator + 1));
		Setting.check(min <= max, property, text, ACTION);
		return new PriorityRange(min, max);
	}

}
