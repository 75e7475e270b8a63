package io.jobqueue.internal.store.postgresql.monitoring;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.monitoring.TierScanCache.TierScan;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;

/**
 * The result of the last count, and what the next one may rely on.
 * <p>
 * The time of a count grows with the number of states beyond the cap. After a costly
 * count, those states are not counted again for a minute; all others are. A sixth of the
 * tiers is counted after half a minute already, so that not all of them are due at the
 * same time again.
 *
 * @param counts the counts of each tier
 * @param counted when all states of a tier were counted last, in nanoseconds
 * @param costly whether that was costly
 */
record LastCount(Map<Tier, TierCounts> counts, Map<Tier, Long> counted, boolean costly) {

	private static final long MAX_AGE = TierScanCache.FULL_SCAN_INTERVAL.toNanos();

	private static final long AGE_FOR_TURN = Duration.ofSeconds(30).toNanos();

	private static final int TURNS = 6;

	static final LastCount NONE = new LastCount(Map.of(), Map.of(), false);

	/**
	 * Return what a count at a time may rely on: without the tiers to count in full.
	 */
	LastCount without(long now) {
		if (!this.costly) {
			return NONE;
		}
		Map<Tier, TierCounts> kept = new HashMap<>(this.counts);
		List<Map.Entry<Tier, Long>> oldestFirst = this.counted.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByValue())
			.toList();
		for (int place = 0; place < oldestFirst.size(); place++) {
			long maxAge = (place < oldestFirst.size() / TURNS) ? AGE_FOR_TURN : MAX_AGE;
			if (now - oldestFirst.get(place).getValue() >= maxAge) {
				kept.remove(oldestFirst.get(place).getKey());
			}
		}
		return kept.isEmpty() ? NONE : new LastCount(kept, this.counted, true);
	}

	/**
	 * Return the result of a count that has relied on this. Where no state is at the cap
	 * any more, the next count is full and shows what that costs.
	 */
	LastCount followedBy(Map<Tier, TierCounts> next, long now, boolean tookLong) {
		Map<Tier, Long> times = new HashMap<>();
		next.keySet()
			.forEach((tier) -> times.put(tier,
					this.counts.containsKey(tier) ? this.counted.getOrDefault(tier, now) : now));
		boolean anyAtCap = next.values().stream().anyMatch(LastCount::isAtCap);
		return new LastCount(next, times, tookLong || (this.costly && anyAtCap));
	}

	/**
	 * Set the tiers to count, and which of their states need not be counted. Retrying
	 * jobs are counted again if scheduled ones could be told apart from them.
	 */
	void set(Parameters parameters, List<TierScan> tiers) throws SQLException {
		TierScan.set(parameters, tiers);
		known(parameters, tiers, (last) -> isAtCap(last.ready()));
		known(parameters, tiers, (last) -> isAtCap(last.retrying()) && last.scheduled().capped());
		known(parameters, tiers, (last) -> isAtCap(last.scheduled()));
		known(parameters, tiers, (last) -> isAtCap(last.blocked()));
	}

	private void known(Parameters parameters, List<TierScan> tiers, Predicate<TierCounts> state) throws SQLException {
		parameters.booleans(tiers, (tier) -> {
			TierCounts last = this.counts.get(tier.tier());
			return last != null && state.test(last);
		});
	}

	private static boolean isAtCap(TierCounts counts) {
		return Stream.of(counts.ready(), counts.retrying(), counts.scheduled(), counts.blocked())
			.anyMatch(LastCount::isAtCap);
	}

	private static boolean isAtCap(JobCount count) {
		return count.jobs() == PostgresMonitoringStore.STATE_CAP;
	}

}
