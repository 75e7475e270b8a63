package io.jobqueue.maintenance;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.DurationText;
import io.jobqueue.logging.LogText;
import io.jobqueue.logging.RateLimitedLog;
import io.jobqueue.store.CleanupStore;
import io.jobqueue.store.CleanupStore.SnapshotHolder;

/**
 * Warns of whoever keeps a snapshot for too long, once an hour at most. How long is
 * measured from when it was first seen: a transaction may be old whose snapshot is not.
 */
public final class SnapshotMonitor {

	private static final Logger logger = LoggerFactory.getLogger(SnapshotMonitor.class);

	private final CleanupStore store;

	private final Duration threshold;

	private final LongSupplier nanoTime;

	private final RateLimitedLog reminder;

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
		this.reminder = new RateLimitedLog(nanoTime);
	}

	/**
	 * Look once.
	 */
	public void runOnce() {
		if (!this.threshold.isZero()) {
			SnapshotHolder holder = this.store.read().oldest();
			if (holder == null || !holder.holdsAsBefore(this.seen)) {
				this.seenSince = this.nanoTime.getAsLong();
			}
			this.seen = holder;
			check(holder, Duration.ofNanos(this.nanoTime.getAsLong() - this.seenSince));
		}
	}

	private void check(@Nullable SnapshotHolder holder, Duration held) {
		if (holder != null && held.compareTo(this.threshold) > 0) {
			this.reminder.say(who(holder), () -> logger.atWarn()
				.addKeyValue("database.process", holder.process())
				.log("The oldest snapshot has been held for at least {} by {}; end it: until then the database keeps dead rows, which slow down the queue",
						DurationText.of(held), LogText.escaped(holder.name())));
		}
	}

	/**
	 * The name of a session tells its state, which changes.
	 */
	private static String who(SnapshotHolder holder) {
		Integer process = holder.process();
		return (process != null) ? process.toString() : holder.name();
	}

}
