package io.jobqueue.logging;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Formats durations for messages in the units of configuration properties.
 */
public final class DurationText {

	private static final List<Unit> UNITS = List.of(new Unit(ChronoUnit.DAYS, "d"), new Unit(ChronoUnit.HOURS, "h"),
			new Unit(ChronoUnit.MINUTES, "m"), new Unit(ChronoUnit.SECONDS, "s"), new Unit(ChronoUnit.MILLIS, "ms"));

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
		for (int unit = 0; unit < UNITS.size() - 1; unit++) {
			if (UNITS.get(unit).in(rounded) > 0) {
				return inTwoUnits(rounded, UNITS.get(unit), UNITS.get(unit + 1));
			}
		}
		return rounded.toMillis() + "ms";
	}

	private static String inTwoUnits(Duration duration, Unit large, Unit small) {
		long count = large.in(duration);
		long rest = small.in(duration.minus(large.unit().getDuration().multipliedBy(count)));
		return count + large.symbol() + ((rest > 0) ? " " + rest + small.symbol() : "");
	}

	/**
	 * A unit of durations.
	 *
	 * @param unit the length of the unit
	 * @param symbol the suffix of a number in this unit
	 */
	private record Unit(ChronoUnit unit, String symbol) {

		long in(Duration duration) {
			return duration.dividedBy(this.unit.getDuration());
		}

	}

}
