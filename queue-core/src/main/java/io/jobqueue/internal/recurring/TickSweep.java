package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.Notice.TickDue;
import io.jobqueue.internal.store.RecurringStore;
import io.jobqueue.internal.store.RecurringStore.DistantTick;
import io.jobqueue.internal.store.RecurringStore.Tick;

/**
 * Sets back next ticks that are too late: the clock of the database was ahead when they
 * were computed, and their schedules would be silent until then.
 */
final class TickSweep {

	private static final Logger logger = LoggerFactory.getLogger(TickSweep.class);

	private final RecurringStore store;

	private final JobSignals signals;

	TickSweep(RecurringStore store, JobSignals signals) {
		this.store = store;
		this.signals = signals;
	}

	/**
	 * Look at the schedules that a node ticks.
	 * @param declared the names that the node declares
	 */
	void run(Collection<String> declared) {
		String after = "";
		while (after != null) {
			List<DistantTick> page = this.store.distant(declared, after);
			page.forEach(this::check);
			after = page.isEmpty() ? null : page.get(page.size() - 1).name();
		}
	}

	private void check(DistantTick tick) {
		Instant right = right(tick);
		if (right != null && this.store.tick(List.of(new Tick(tick.name(), tick.version(), right, 0, 0, List.of())))
			.names()
			.contains(tick.name())) {
			warn(tick.name(), tick.nextAt(), right);
			this.signals.publish(new TickDue(Duration.between(tick.at(), right)));
		}
	}

	/**
	 * A row that is invalid is reported when it is due.
	 * @return the right time, {@code null} if the tick has it
	 */
	private static @Nullable Instant right(DistantTick tick) {
		try {
			Recurrence recurrence = Recurrence.of(tick.timing(), tick.anchorAt());
			return recurrence.isTooLate(tick.nextAt(), tick.at()) ? recurrence.next(tick.at()) : null;
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	static void warn(String schedule, Instant from, @Nullable Instant to) {
		logger.warn(
				"The next tick of schedule {} is set back from {} to {}: the clock of the database was ahead, or the row was edited",
				schedule, from, to);
	}

}
