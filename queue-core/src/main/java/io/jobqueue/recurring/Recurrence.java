package io.jobqueue.recurring;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;

import io.jobqueue.store.RecurringStore.Timing;

/**
 * The times of a schedule's ticks.
 */
@FunctionalInterface
interface Recurrence {

	/**
	 * Return the first tick after a time.
	 * @param time the time
	 * @return the tick, {@code null} if there is none
	 */
	@Nullable Instant next(Instant time);

	/**
	 * Return the times of a schedule.
	 * @param timing the expression or the rate
	 * @param anchor the time from which a rate counts
	 * @throws IllegalArgumentException if the expression is invalid
	 * @throws DateTimeException if the zone is unknown
	 */
	static Recurrence of(Timing timing, Instant anchor) {
		return (timing.rate() != null) ? atRate(timing.rate(), anchor)
				: byCron(Objects.requireNonNull(timing.cron()), ZoneId.of(Objects.requireNonNull(timing.zone())));
	}

	private static Recurrence atRate(Duration rate, Instant anchor) {
		return (time) -> {
			Duration elapsed = Duration.between(anchor, time);
			long ticks = elapsed.isNegative() ? 0 : elapsed.dividedBy(rate);
			return anchor.plus(rate.multipliedBy(ticks + 1));
		};
	}

	private static Recurrence byCron(String cron, ZoneId zone) {
		CronExpression expression = CronExpression.parse(cron);
		return (time) -> next(expression, time, zone);
	}

	/**
	 * Where the clocks are set back, the expression may find a local time again that is
	 * not after the given instant.
	 */
	private static @Nullable Instant next(CronExpression expression, Instant time, ZoneId zone) {
		try {
			ZonedDateTime next = expression.next(time.atZone(zone));
			while (next != null && !next.toInstant().isAfter(time)) {
				next = expression.next(next.plusSeconds(1));
			}
			return (next != null) ? next.toInstant() : null;
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

}
