package io.jobqueue.internal.recurring;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.RecurringJobInfo;
import io.jobqueue.internal.store.RecurringStore.Timing;

/**
 * The next times of a stored schedule, for display.
 */
public final class NextTicks {

	private NextTicks() {
	}

	/**
	 * Return the next ticks of a schedule, the stored one first.
	 * @param schedule the schedule
	 * @param limit their maximum number
	 * @return the times, empty for a paused schedule; only the stored one of a schedule
	 * whose timing is invalid, as after a change by hand
	 */
	public static List<Instant> of(RecurringJobInfo schedule, int limit) {
		Instant next = schedule.nextAt();
		if (next == null) {
			return List.of();
		}
		try {
			Recurrence recurrence = Recurrence.of(timing(schedule), next);
			return Stream.<@Nullable Instant>iterate(next, (tick) -> (tick != null) ? recurrence.next(tick) : null)
				.limit(limit)
				.takeWhile(Objects::nonNull)
				.map(Objects::requireNonNull)
				.toList();
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			return List.of(next);
		}
	}

	private static Timing timing(RecurringJobInfo schedule) {
		return new Timing(schedule.cron(), (schedule.zone() != null) ? schedule.zone().getId() : null,
				schedule.fixedRate());
	}

}
