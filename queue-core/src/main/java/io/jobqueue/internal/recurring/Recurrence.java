package io.jobqueue.internal.recurring;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.Assert;

import io.jobqueue.internal.store.RecurringStore.Timing;

/**
 * The times of a schedule's ticks.
 */
@FunctionalInterface
interface Recurrence {

	/**
	 * An expression whose next local time is left out by this many changes of the clocks
	 * never fires: they cover at least 100 years.
	 */
	int MAX_CHANGES = 400;

	/**
	 * The time by which clocks and the rules of zones may differ.
	 */
	Duration TOLERANCE = Duration.ofHours(1);

	/**
	 * A rate below this, which only a row that was edited by hand has, could have too
	 * many ticks to compute.
	 */
	Duration MIN_RATE = Duration.ofMillis(100);

	/**
	 * Return the first tick after a time.
	 * @param time the time
	 * @return the tick, {@code null} if there is none
	 */
	@Nullable Instant next(Instant time);

	/**
	 * Return whether a next tick is too late, as after a clock that was ahead has been
	 * set back. Up to 2 hours it may be right: the clock was ahead by less than
	 * {@link #TOLERANCE}, and ticks since then have had their jobs, or a node that knows
	 * other rules of the zone has computed it.
	 * @param next the next tick
	 * @param now the time by the database's clock
	 */
	default boolean isTooLate(Instant next, Instant now) {
		Instant latest = next(now.plus(TOLERANCE));
		return latest != null && next.isAfter(latest.plus(TOLERANCE));
	}

	/**
	 * Return the times of a schedule.
	 * @param timing the expression or the rate
	 * @param anchor the time from which a rate counts
	 * @throws IllegalArgumentException if the expression or the rate is invalid
	 * @throws DateTimeException if the zone is unknown
	 */
	static Recurrence of(Timing timing, Instant anchor) {
		return (timing.rate() != null) ? atRate(timing.rate(), anchor)
				: byCron(Objects.requireNonNull(timing.cron()), ZoneId.of(Objects.requireNonNull(timing.zone())));
	}

	/**
	 * The anchor is after the time if the clock has been set back since the first save.
	 */
	private static Recurrence atRate(Duration rate, Instant anchor) {
		Assert.isTrue(rate.compareTo(MIN_RATE) >= 0, "The rate is below 100 ms");
		return (time) -> {
			Duration elapsed = Duration.between(anchor, time);
			long ticks = elapsed.dividedBy(rate);
			Instant tick = anchor.plus(rate.multipliedBy(ticks));
			return tick.isAfter(time) ? tick : tick.plus(rate);
		};
	}

	private static Recurrence byCron(String cron, ZoneId zone) {
		CronExpression expression = CronExpression.parse(cron);
		ZoneRules rules = zone.getRules();
		return (time) -> {
			try {
				return next(expression, rules, time);
			}
			catch (DateTimeException ex) {
				return null;
			}
		};
	}

	/**
	 * The expression is asked for local times of one offset at a time: those between two
	 * changes of the clocks. The first local time after a change may itself be a tick.
	 */
	private static @Nullable Instant next(CronExpression expression, ZoneRules rules, Instant time) {
		ZoneOffset offset = rules.getOffset(time);
		LocalDateTime next = expression.next(LocalDateTime.ofInstant(time, offset));
		ZoneOffsetTransition change = rules.nextTransition(time);
		for (int changes = 0; next != null && changes <= MAX_CHANGES; changes++) {
			if (change == null || next.isBefore(change.getDateTimeBefore())) {
				return next.toInstant(offset);
			}
			offset = change.getOffsetAfter();
			next = expression.next(change.getDateTimeAfter().minusNanos(1));
			change = rules.nextTransition(change.getInstant());
		}
		return null;
	}

}
