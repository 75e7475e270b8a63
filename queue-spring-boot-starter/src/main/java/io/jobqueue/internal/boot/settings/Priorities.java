package io.jobqueue.internal.boot.settings;

import java.util.Arrays;
import java.util.Locale;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;

/**
 * Reads priorities as settings name them: by class or by number.
 */
final class Priorities {

	private static final String ACTION = "Set a priority class (interactive, user-visible, eventual, reporting)"
			+ " or a number from 0 to 99.";

	private Priorities() {
	}

	static Priority parse(String property, String text) {
		String name = text.strip().toLowerCase(Locale.ROOT).replace('-', '_');
		return Arrays.stream(PriorityClass.values())
			.filter((candidate) -> candidate.tagValue().equals(name))
			.map((candidate) -> Priority.of(candidate.best()))
			.findFirst()
			.orElseGet(() -> Priority.of(number(property, text)));
	}

	private static int number(String property, String text) {
		String digits = text.strip();
		Setting.check(digits.matches("\\d{1,2}"), property, text, ACTION);
		return Integer.parseInt(digits);
	}

}
