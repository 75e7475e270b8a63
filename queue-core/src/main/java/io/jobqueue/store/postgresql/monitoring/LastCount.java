package io.jobqueue.store.postgresql.monitoring;

import java.util.Map;
import java.util.stream.Collectors;

import io.jobqueue.store.MonitoringStore.TierCounts;
import io.jobqueue.store.Tier;

/**
 * The result of the last count, and what the next one may take over from it.
 * <p>
 * The time of a count grows with the number of tiers beyond the cap. After a costly
 * count, those tiers are not counted again for a minute.
 *
 * @param counts the counts of each tier
 * @param full when the last full count began, in nanoseconds
 * @param costly whether that count was costly
 */
record LastCount(Map<Tier, TierCounts> counts, long full, boolean costly) {

	static final LastCount NONE = new LastCount(Map.of(), 0, false);

	/**
	 * Return the counts that need not be read again.
	 */
	Map<Tier, TierCounts> reusable(long now) {
		return (!this.costly || now - this.full >= TierScanCache.FULL_SCAN_INTERVAL.toNanos()) ? Map.of()
				: this.counts.entrySet()
					.stream()
					.filter((tier) -> tier.getValue().areCapped())
					.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

}
