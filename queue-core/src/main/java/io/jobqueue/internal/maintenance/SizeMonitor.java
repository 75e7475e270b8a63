package io.jobqueue.internal.maintenance;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.RateLimitedLog;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;

/**
 * Logs a warning for each queue with too many unfinished jobs, at most once per hour and
 * queue.
 */
public final class SizeMonitor {

	private static final Logger logger = LoggerFactory.getLogger(SizeMonitor.class);

	private final MonitoringStore store;

	private final long threshold;

	private final RateLimitedLog log;

	/**
	 * Create a monitor.
	 * @param store counts jobs
	 * @param threshold the number of unfinished jobs beyond which it warns, 0 for never
	 * @param nanoTime the clock, in nanoseconds
	 */
	public SizeMonitor(MonitoringStore store, long threshold, LongSupplier nanoTime) {
		this.store = store;
		this.threshold = threshold;
		this.log = new RateLimitedLog(nanoTime);
	}

	/**
	 * Check all queues once, except those that could not be counted. The size of a queue
	 * that is too large to be counted is that of the last ANALYZE.
	 */
	public void runOnce() {
		if (this.threshold > 0) {
			List<TierSnapshot> tiers = this.store.read(this.store.servedQueues()).tiers();
			Map<String, Long> sizes = tiers.stream()
				.collect(Collectors.groupingBy(TierSnapshot::queue, Collectors.summingLong(SizeMonitor::size)));
			if (tiers.stream().anyMatch(SizeMonitor::isCapped)) {
				Map<String, Long> estimates = this.store.estimatedSizes();
				tiers.stream()
					.filter(SizeMonitor::isCapped)
					.forEach((tier) -> sizes.merge(tier.queue(), estimates.getOrDefault(tier.queue(), 0L), Math::max));
			}
			sizes.forEach(this::check);
		}
	}

	private static boolean isCapped(TierSnapshot tier) {
		TierCounts counts = tier.counts();
		return counts != null && counts.areCapped();
	}

	private static long size(TierSnapshot tier) {
		TierCounts counts = tier.counts();
		return (counts != null) ? counts.total() : 0;
	}

	private void check(String queue, long size) {
		if (size > this.threshold) {
			this.log.log(queue,
					() -> logger.atWarn()
						.addKeyValue("job.queue", queue)
						.log("Queue {} has about {} unfinished jobs, more than {} (jobqueue.warnings.jobs)", queue,
								size, this.threshold));
		}
	}

}
