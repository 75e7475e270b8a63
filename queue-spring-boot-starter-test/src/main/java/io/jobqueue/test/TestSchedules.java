package io.jobqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.jobqueue.recurring.RecurringTicker;
import io.jobqueue.store.RecurringStore;
import io.jobqueue.store.RecurringStore.DueSchedule;
import io.jobqueue.store.RecurringStore.Scan;

/**
 * Moves the time of a test from tick to tick of its schedules.
 */
final class TestSchedules {

	private static final int MAX_TICKS = 1_000;

	private static final Duration NEVER = Duration.ofDays(36_500);

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
	 * Move the time, and tick each schedule at the time of each of its ticks.
	 */
	void advance(Duration by) {
		Duration target = this.time.offset().plus(by);
		this.ticker.storeDeclared();
		tickDue();
		Scan scan = scan();
		Instant end = scan.at().plus(by);
		for (int tick = 0; scan.nextAt() != null && !scan.nextAt().isAfter(end); tick++) {
			requireEnd(tick, by);
			this.time.advance(Duration.between(scan.at(), scan.nextAt()));
			tickDue();
			scan = scan();
		}
		this.time.advance(target.minus(this.time.offset()));
		tickDue();
	}

	/**
	 * A worker would have run the jobs of earlier ticks by now, so they are not regarded
	 * as overlapping.
	 */
	private void tickDue() {
		this.stored.forgetJobsOfDueSchedules();
		this.ticker.tickDue();
	}

	private Scan scan() {
		return this.store.scan(this.ticker.ticks().declared(), null, List.of());
	}

	private static void requireEnd(int ticks, Duration by) {
		if (ticks == MAX_TICKS) {
			throw new AssertionError(
					"There are more than %,d ticks of schedules in %s: advance by less, tick single schedules with TestJobs.tick, or disable those with short periods in this test (jobqueue.recurring.<name>.enabled=false)"
						.formatted(MAX_TICKS, by));
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
		if (left.compareTo(NEVER) > 0) {
			throw new AssertionError(
					"Schedule '%s' has no next tick: it is paused, or its last time has passed".formatted(name));
		}
		this.time.advance(left.isNegative() ? Duration.ZERO : left);
		this.ticker.tickDue(name);
	}

}
