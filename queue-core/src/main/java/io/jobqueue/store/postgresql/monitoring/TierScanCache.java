package io.jobqueue.store.postgresql.monitoring;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.jobqueue.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.store.MonitoringStore.TierCounts;
import io.jobqueue.store.Tier;

/**
 * What the last look saw, and whether the next one may begin there.
 * <p>
 * Dead rows stay in the index while a snapshot is held, and a full look reads through all
 * that lie before the oldest waiting job. Once one was costly, looks are continued
 * instead: from the places of the tiers that were seen. That misses what commits late, is
 * released or is taken away from a worker below its tier's place, and tiers that are new,
 * so that a full look follows within a minute. Where there are so many dead rows that it
 * is given up, the places are all that is left.
 *
 * @param tiers the tiers
 * @param known the queues whose tiers were all looked for
 * @param complete whether no queue was left out for its cost
 * @param full when the last full look began, in nanoseconds
 * @param cost what that look cost
 */
record TierScanCache(List<TierScan> tiers, Set<String> known, boolean complete, long full, Cost cost) {

	static final Duration FULL_LOOK_INTERVAL = Duration.ofMinutes(1);

	static final TierScanCache NONE = new TierScanCache(List.of(), Set.of(), true, 0, Cost.LOW);

	/**
	 * A costly look keeps the tiers of the previous one: dead rows are all that is left
	 * of a tier that is empty for a short time, and the next jobs must be seen.
	 */
	TierScanCache followedBy(TierScanCache next) {
		Stream<TierScan> empty = this.tiers.stream()
			.filter((before) -> next.cost != Cost.LOW && !next.hasSeen(before.tier()))
			.map(TierScan::emptied);
		return new TierScanCache(Stream.concat(next.tiers.stream(), empty).toList(), next.known, next.complete,
				next.full, next.cost);
	}

	private boolean hasSeen(Tier tier) {
		return this.tiers.stream().anyMatch((seen) -> seen.tier().equals(tier));
	}

	/**
	 * The next full look is put off. What this one would have met is unknown.
	 */
	TierScanCache followedByOneThatWasGivenUp(long begun) {
		return new TierScanCache(this.tiers, Set.of(), false, begun, Cost.TOO_HIGH);
	}

	/**
	 * Where no tier was seen, there is no place to continue from.
	 */
	boolean hasPlaces() {
		return !this.tiers.isEmpty();
	}

	boolean mayBeContinued(long now, Collection<String> queues) {
		return hasPlaces() && now - this.full < FULL_LOOK_INTERVAL.toNanos() && switch (this.cost) {
			case LOW -> false;
			case HIGH -> this.complete || this.known.containsAll(queues);
			case TOO_HIGH -> true;
		};
	}

	TierScanCache continued(List<TierScan> seen) {
		return new TierScanCache(seen, this.known, this.complete, this.full, this.cost);
	}

	GaugeSnapshot reading() {
		return new GaugeSnapshot(this.tiers.stream().map(TierScan::reading).toList(), this.complete, this.known);
	}

	GaugeSnapshot reading(List<TierCounts> counts) {
		return new GaugeSnapshot(IntStream.range(0, this.tiers.size())
			.mapToObj((tier) -> this.tiers.get(tier).reading().with(counts.get(tier)))
			.toList(), this.complete, this.known);
	}

	/**
	 * What a full look costs.
	 */
	enum Cost {

		/**
		 * So little that each look may be full.
		 */
		LOW,

		/**
		 * So much that looks are continued instead.
		 */
		HIGH,

		/**
		 * So much that it was given up.
		 */
		TOO_HIGH

	}

}
