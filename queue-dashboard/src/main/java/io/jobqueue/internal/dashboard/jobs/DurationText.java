package io.jobqueue.internal.dashboard.jobs;

import java.time.Duration;
import java.util.Locale;

/**
 * Durations as texts.
 */
final class DurationText {

	private DurationText() {
	}

	/**
	 * Return a duration with its two largest units, or with a fraction below a minute.
	 */
	static String of(Duration duration) {
		long millis = Math.max(0, duration.toMillis());
		if (millis < 1_000) {
			return millis + " ms";
		}
		if (millis < 60_000) {
			return String.format(Locale.ENGLISH, "%.1f s", millis / 1_000.0);
		}
		if (duration.toHours() < 1) {
			return "%d min %d s".formatted(duration.toMinutes(), duration.toSecondsPart());
		}
		return (duration.toDays() < 1) ? "%d h %d min".formatted(duration.toHours(), duration.toMinutesPart())
				: "%d d %d h".formatted(duration.toDays(), duration.toHoursPart());
	}

}
