package io.jobqueue;

import java.time.Duration;

/**
 * Times in texts of the API, written as settings write them, in the largest unit and the
 * next smaller one: {@code 41ms}, {@code 1s 990ms}, {@code 1m 26s}, {@code 2h 5m} or
 * {@code 1d}.
 */
final class TimeText {

	private TimeText() {
	}

	static String of(Duration time) {
		if (time.toDays() > 0) {
			return text(time.toDays(), "d", time.toHoursPart(), "h");
		}
		if (time.toHours() > 0) {
			return text(time.toHours(), "h", time.toMinutesPart(), "m");
		}
		if (time.toMinutes() > 0) {
			return text(time.toMinutes(), "m", time.toSecondsPart(), "s");
		}
		return (time.toSeconds() > 0) ? text(time.toSeconds(), "s", time.toMillisPart(), "ms") : time.toMillis() + "ms";
	}

	private static String text(long large, String unit, long small, String smallUnit) {
		return (small == 0) ? large + unit : large + unit + " " + small + smallUnit;
	}

}
