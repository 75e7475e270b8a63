package io.jobqueue;

import java.time.Duration;

/**
 * Times in texts of the API, written as settings write them: {@code 41ms},
 * {@code 1s 990ms} or {@code 1m 26s}.
 */
final class TimeText {

	private static final int MINUTE = 60;

	private TimeText() {
	}

	static String of(Duration time) {
		long seconds = time.toSeconds();
		if (seconds == 0) {
			return time.toMillis() + "ms";
		}
		return (seconds < MINUTE) ? text(seconds, "s", time.toMillisPart(), "ms")
				: text(seconds / MINUTE, "m", seconds % MINUTE, "s");
	}

	private static String text(long large, String unit, long small, String smallUnit) {
		return (small == 0) ? large + unit : large + unit + " " + small + smallUnit;
	}

}
