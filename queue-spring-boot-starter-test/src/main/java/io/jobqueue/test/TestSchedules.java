package io.jobqueue.test;

import java.time.Duration;
import java.util.Locale;

import io.jobqueue.internal.recurring.RecurringTicker;
import io.jobqueue.internal.store.RecurringStore;
import io.jobqueue.internal.store.RecurringStore.DueSchedule;
import io.jobqueue.internal.store.RecurringStore.Scan;
import io.jobqueue.internal.store.StorableDuration;

/**
 * Moves the time of a test from tick to tick of its schedules.
 */
final class TestSchedules {

	private static final int MAX_TICKS = 1_000;

	private final RecurringTicker ticker;

	private final RecurringStore store;

	private final StoredJobs stored;

	private final TestTime time;

	TestSchedules(RecurringTicker ticker, RecurringStore store, StoredJobs stored, TestTime time) {
		this.ticker = ticker;
		this.store = store;
		this.stored = stored;
		this.time = time;
	}

	/**
	 * Move the time, and tick each schedule at the time of each of its ticks. The scan
	 * that finds no due schedule also finds the next tick, so that none is lost between
	 * two scans.
	 */
	void advance(Duration by) {
		Duration target = this.time.offset().plus(by);
		this.ticker.storeDeclared();
		Scan scan = tickDue();
		for (int tick = 0; hasTick(scan, target); tick++) {
			requireEnd(tick, by);
			this.time.advance(Duration.between(scan.at(), scan.nextAt()));
			scan = tickDue();
		}
		this.time.advance(target.minus(this.time.offset()));
		Scan unused = tickDue();
	}

	/**
	 * Return whether the next tick is due at the target offset, to which the time that
	 * the ticks took is added.
	 */
	private boolean hasTick(Scan scan, Duration target) {
		Duration left = target.minus(this.time.offset());
		return scan.nextAt() != null && !scan.nextAt().isAfter(scan.at().plus(left));
	}

	/**
	 * A worker would have run the jobs of earlier ticks by now, so they are not regarded
	 * as overlapping.
	 */
	private Scan tickDue() {
		return this.ticker.tickDue(this.stored::forgetJobsOfSchedules);
	}

	private static void requireEnd(int ticks, Duration by) {
		if (ticks == MAX_TICKS) {
			throw new AssertionError(
					"There are more than %s ticks of schedules in %s: advance by less, tick single schedules with TestJobs.tick, or disable those with short periods in this test (jobqueue.recurring.<name>.enabled=false)"
						.formatted(String.format(Locale.ROOT, "%,d", MAX_TICKS), by));
		}
	}

	/**
	 * Move the time to the next tick of a schedule, and tick it.
	 */
	void tick(String name) {
		this.ticker.storeDeclared();
		Scan found = this.store.read(name);
		if (found.due().isEmpty()) {
			throw new AssertionError(
					"There is no schedule '%s': this application declares %s, and no other is saved under this name"
						.formatted(name, this.ticker.ticks().declared()));
		}
		DueSchedule schedule = found.due().get(0);
		Duration left = Duration.between(found.at(), schedule.dueAt());
		if (!StorableDuration.isStorable(left)) {
			throw new AssertionError(
					"Schedule '%s' has no next tick: it is paused, or its last time has passed".formatted(name));
		}
		this.time.advance(left.isNegative() ? Duration.ZERO : left);
		this.ticker.tickDue(name);
	}

}
