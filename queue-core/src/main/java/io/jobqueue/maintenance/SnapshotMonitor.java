package io.jobqueue.maintenance;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.CleanupStore;
import io.jobqueue.store.SnapshotHolder;

/**
 * Warns of whoever keeps a snapshot for too long, once an hour at most. Whoever is seen
 * for the first time may let go of it at once.
 */
public final class SnapshotMonitor {

	private static final Logger logger = LoggerFactory.getLogger(SnapshotMonitor.class);

	private final CleanupStore store;

	private final Duration threshold;

	private final LongSupplier nanoTime;

	private final Reminder reminder;

	private @Nullable SnapshotHolder seen;

	private long seenSince;

	/**
	 * Create a monitor.
	 * @param store where snapshots are seen
	 * @param threshold the age beyond which it warns, zero for never
	 */
	public SnapshotMonitor(CleanupStore store, Duration threshold) {
		this(store, threshold, System::nanoTime);
	}

	SnapshotMonitor(CleanupStore store, Duration threshold, LongSupplier nanoTime) {
		this.store = store;
		this.threshold = threshold;
		this.nanoTime = nanoTime;
		this.reminder = new Reminder(nanoTime);
	}

	/**
	 * Look once.
	 */
	public void runOnce() {
		if (!this.threshold.isZero()) {
			SnapshotHolder holder = this.store.read().oldest();
			if (holder != null && holder.holdsAsBefore(this.seen)) {
				check(holder);
			}
			else {
				this.seenSince = this.nanoTime.getAsLong();
			}
			this.seen = holder;
		}
	}

	private void check(SnapshotHolder holder) {
		Duration age = age(holder);
		if (age.compareTo(this.threshold) > 0) {
			this.reminder.say(String.valueOf(holder.process()) + holder.snapshot(), () -> logger.atWarn()
				.addKeyValue("database.process", holder.process())
				.log("The oldest snapshot has been held for {} by {}: until it lets go, the database keeps dead rows, which slow the queue down",
						age, holder.name()));
		}
	}

	/**
	 * Where the database does not tell, it has been held at least since it was seen.
	 */
	private Duration age(SnapshotHolder holder) {
		Duration known = holder.age();
		return (known != null) ? known : Duration.ofNanos(this.nanoTime.getAsLong() - this.seenSince);
	}

}
