package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.internal.store.RecurringStore.JobTemplate;
import io.jobqueue.internal.store.RecurringStore.SavedSchedule;
import io.jobqueue.internal.store.RecurringStore.StoredSchedule;
import io.jobqueue.internal.store.RecurringStore.Timing;

/**
 * A schedule as an application defines it, checked.
 *
 * @param name its name
 * @param job the job of each tick
 * @param timing when its ticks are
 * @param misfire which jobs are enqueued for missed ticks
 * @param overlap what a tick does while the job of an earlier tick is live
 * @param jitter the longest random delay of each job
 */
record ScheduleDefinition(String name, JobTemplate job, Timing timing, Misfire misfire, Overlap overlap,
		Duration jitter) {

	/**
	 * Return the schedule to save. A rate counts from the first save of the name. The
	 * next tick stays if the timing does, unless it is too late, and a paused schedule
	 * has none.
	 * @param existing the schedule of the same name, {@code null} if there is none
	 * @param declared whether an annotation or setting declares it
	 * @param now the time by the database's clock
	 */
	SavedSchedule saved(@Nullable StoredSchedule existing, boolean declared, Instant now) {
		Instant anchor = (existing != null) ? existing.saved().anchorAt() : now;
		return new SavedSchedule(this.name, this.job, this.timing, this.misfire, this.overlap, this.jitter, declared,
				anchor, nextAt(existing, anchor, now));
	}

	private @Nullable Instant nextAt(@Nullable StoredSchedule existing, Instant anchor, Instant now) {
		if (existing != null && existing.paused()) {
			return null;
		}
		Recurrence recurrence = Recurrence.of(this.timing, anchor);
		Instant next = nextOfSameTiming(existing);
		return (next == null || recurrence.isTooLate(next, now)) ? recurrence.next(now) : next;
	}

	private @Nullable Instant nextOfSameTiming(@Nullable StoredSchedule existing) {
		return (existing != null && existing.saved().timing().equals(this.timing)) ? existing.saved().nextAt() : null;
	}

	/**
	 * Warn if a schedule is saved with an earlier next tick, though its timing stays.
	 */
	void warnIfSetBack(@Nullable StoredSchedule existing, SavedSchedule saved) {
		Instant next = nextOfSameTiming(existing);
		if (next != null && !next.equals(saved.nextAt())) {
			TickSweep.warn(this.name, next, saved.nextAt());
		}
	}

}
