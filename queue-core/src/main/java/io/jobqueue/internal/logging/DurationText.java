package io.jobqueue.internal.logging;

import java.time.Duration;
import java.util.List;

/**
 * Formats durations for messages in the units of configuration properties.
 */
public final class DurationText {

	private static final List<String> UNITS = List.of("d", "h", "m", "s", "ms");

	private DurationText() {
	}

	/**
	 * Return a duration in its largest unit and the next smaller one, such as
	 * {@code 500ms}, {@code 25s}, {@code 1m 26s}, {@code 2h 5m} or {@code 4d}. Smaller
	 * units are cut off; a duration below 1 second is rounded to milliseconds.
	 * @param duration the duration
	 * @return its text
	 */
	public static String of(Duration duration) {
		if (duration.isNegative()) {
			return "-" + of(duration.negated());
		}
		Duration rounded = (duration.toSeconds() == 0) ? Duration.ofMillis(Math.round(duration.toNanos() / 1e6))
				: duration;
		long[] parts = { rounded.toDaysPart(), rounded.toHoursPart(), rounded.toMinutesPart(), rounded.toSecondsPart(),
				rounded.toMillisPart() };
		for (int unit = 0; unit < UNITS.size() - 1; unit++) {
			if (parts[unit] > 0) {
				String rest = (parts[unit + 1] > 0) ? " " + parts[unit + 1] + UNITS.get(unit + 1) : "";
				return parts[unit] + UNITS.get(unit) + rest;
			}
		}
		return rounded.toMillis() + "ms";
	}

}
