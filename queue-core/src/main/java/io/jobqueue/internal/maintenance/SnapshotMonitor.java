package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.logging.RateLimitedLog;
import io.jobqueue.internal.store.MonitoringStore.CleanupStatus;
import io.jobqueue.internal.store.MonitoringStore.SnapshotHolder;

/**
 * Logs a warning for each session that holds a snapshot for too long, at most once per
 * hour and session. The time counts from the first check that found the snapshot: a
 * transaction may be older than its snapshot.
 */
public final class SnapshotMonitor {

	private static final Logger logger = LoggerFactory.getLogger(SnapshotMonitor.class);

	private final Supplier<CleanupStatus> cleanup;

	private final Duration threshold;

	private final LongSupplier nanoTime;

	private final RateLimitedLog log;

	private @Nullable SnapshotHolder seen;

	private long seenSince;

	/**
	 * Create a monitor.
	 * @param cleanup reads the oldest snapshot
	 * @param threshold the age beyond which it warns, zero for never
	 * @param nanoTime the clock, in nanoseconds
	 */
	public SnapshotMonitor(Supplier<CleanupStatus> cleanup, Duration threshold, LongSupplier nanoTime) {
		this.cleanup = cleanup;
		this.threshold = threshold;
		this.nanoTime = nanoTime;
		this.log = new RateLimitedLog(nanoTime);
	}

	/**
	 * Check the oldest snapshot once.
	 */
	public void runOnce() {
		if (!this.threshold.isZero()) {
			SnapshotHolder holder = this.cleanup.get().oldest();
			if (holder == null || !holder.holdsAsBefore(this.seen)) {
				this.seenSince = this.nanoTime.getAsLong();
			}
			this.seen = holder;
			check(holder, Duration.ofNanos(this.nanoTime.getAsLong() - this.seenSince));
		}
	}

	private void check(@Nullable SnapshotHolder holder, Duration held) {
		if (holder != null && held.compareTo(this.threshold) > 0) {
			this.log.log(session(holder), () -> logger.atWarn()
				.addKeyValue("database.process", holder.process())
				.log("The oldest snapshot has been held for at least {} by {}; end it: until then the database keeps dead rows, which slow down the queue",
						DurationText.of(held), LogText.escaped(holder.name())));
		}
	}

	/**
	 * The name of a session includes its state, which changes.
	 */
	private static String session(SnapshotHolder holder) {
		Integer process = holder.process();
		return (process != null) ? process.toString() : holder.name();
	}

}
