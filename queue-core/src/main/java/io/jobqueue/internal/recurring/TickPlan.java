package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.internal.store.RecurringStore.DueSchedule;

/**
 * What the due ticks of a schedule do.
 *
 * @param jobs the ticks that enqueue a job, the oldest first
 * @param nextAt the next tick, {@code null} for never
 * @param skipped the number of ticks without a job because the last job is live and does
 * not wait for its next attempt
 * @param missed the number of missed ticks without a job
 * @param retry whether the last job, which waits for its next attempt, is due now instead
 */
record TickPlan(List<Instant> jobs, @Nullable Instant nextAt, long skipped, long missed, boolean retry) {

	/**
	 * Missed ticks older than this enqueue nothing.
	 */
	private static final Duration LOOK_BACK = Duration.ofHours(24);

	/**
	 * A tick that is later than this is missed under {@link Misfire#SKIP}.
	 */
	private static final Duration GRACE = Duration.ofMinutes(1);

	private static final int MAX_JOBS = 1_000;

	static TickPlan of(DueSchedule schedule, Instant now) {
		Misfire misfire = Objects.requireNonNull(schedule.misfire(), "Its misfire is unknown");
		Overlap overlap = Objects.requireNonNull(schedule.overlap(), "Its overlap is unknown");
		Recurrence recurrence = Recurrence.of(schedule.timing(), schedule.anchorAt());
		Instant oldest = now.minus(LOOK_BACK);
		boolean beyond = schedule.dueAt().isBefore(oldest);
		List<Instant> due = new ArrayList<>();
		Instant tick = beyond ? recurrence.next(oldest) : schedule.dueAt();
		while (tick != null && !tick.isAfter(now)) {
			due.add(tick);
			tick = recurrence.next(tick);
		}
		List<Instant> jobs = jobs(misfire, due, now);
		long missed = (long) due.size() - jobs.size() + (beyond ? 1 : 0);
		if (overlap == Overlap.ALLOW || schedule.liveJob() == null || jobs.isEmpty()) {
			return new TickPlan(jobs, tick, 0, missed, false);
		}
		return new TickPlan(List.of(), tick, schedule.retrying() ? 0 : jobs.size(), missed, schedule.retrying());
	}

	/**
	 * The ticks that are left out here are missed, not skipped.
	 */
	private static List<Instant> jobs(Misfire misfire, List<Instant> due, Instant now) {
		int last = due.size() - 1;
		return List.copyOf(switch (misfire) {
			case ONCE -> due.subList(Math.max(0, last), due.size());
			case SKIP ->
				(last >= 0 && !due.get(last).isBefore(now.minus(GRACE))) ? due.subList(last, due.size()) : List.of();
			case ALL -> due.subList(0, Math.min(MAX_JOBS, due.size()));
		});
	}

}
