package io.jobqueue.recurring;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.store.RecurringStore.JobTemplate;
import io.jobqueue.store.RecurringStore.StoredSchedule;
import io.jobqueue.store.RecurringStore.SavedSchedule;
import io.jobqueue.store.RecurringStore.Timing;

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
	 * next tick stays if the timing does, and a paused schedule has none.
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
		if (existing != null && (existing.paused() || existing.saved().timing().equals(this.timing))) {
			return existing.saved().nextAt();
		}
		return Recurrence.of(this.timing, anchor).next(now);
	}

}
