package io.jobqueue.store.postgresql.monitoring;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.jobqueue.store.Tier;
import io.jobqueue.store.postgresql.monitoring.TierCount.State;
import io.jobqueue.store.postgresql.transaction.Parameters;

/**
 * The result of the last count, and whether the next one may rely on it.
 * <p>
 * The time of a count grows with the number of series beyond the cap. After a costly
 * count, those series are not counted again for a minute, only estimated. A series that
 * falls below the cap within that time is counted by the next full count.
 *
 * @param tiers the counts of each tier
 * @param full when the last full count began, in nanoseconds
 * @param costly whether that count was costly
 */
record LastCount(List<TierCount> tiers, long full, boolean costly) {

	static final LastCount NONE = new LastCount(List.of(), 0, false);

	boolean mayBeContinued(long now) {
		return this.costly && now - this.full < TierScanCache.FULL_SCAN_INTERVAL.toNanos();
	}

	LastCount continued(List<TierCount> counted) {
		return new LastCount(counted, this.full, this.costly);
	}

	/**
	 * Set the tiers to count, and which of their states are known to be beyond the cap.
	 */
	void set(Parameters parameters, List<TierScan> tiers) throws SQLException {
		Map<Tier, Set<State>> many = this.tiers.stream().collect(Collectors.toMap(TierCount::tier, TierCount::many));
		TierScan.set(parameters, tiers);
		for (State state : State.values()) {
			parameters.booleans(tiers, (tier) -> many.getOrDefault(tier.tier(), Set.of()).contains(state));
		}
	}

}
