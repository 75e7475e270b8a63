package io.jobqueue.store.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.jobqueue.store.GaugeReading;
import io.jobqueue.store.TierCounts;

/**
 * What the last look saw, and whether the next one may begin there.
 * <p>
 * Dead rows stay in the index while somebody holds a snapshot, and a full look reads
 * through all that lie before the oldest waiting job. Once one was costly, looks are
 * continued instead: from the places of the tiers that were seen. That misses what
 * commits late, is released or is taken away from a worker below its tier's place, and
 * tiers that are new, so that a full look follows within a minute.
 *
 * @param tiers the tiers
 * @param complete whether no queue was left out for its cost
 * @param full when the last full look began, in nanoseconds
 * @param costly whether that look was costly
 */
record LastLook(List<SeenTier> tiers, boolean complete, long full, boolean costly) {

	static final Duration FULL_LOOK_INTERVAL = Duration.ofMinutes(1);

	static final LastLook NONE = new LastLook(List.of(), true, 0, false);

	/**
	 * A costly look keeps the tiers of the previous one: dead rows are all that is left
	 * of a tier that is empty for a moment, and the next jobs must be seen.
	 */
	static LastLook full(List<SeenTier> tiers, boolean complete, long begun, boolean costly, LastLook previous) {
		Stream<SeenTier> empty = previous.tiers.stream()
			.filter((before) -> costly && tiers.stream().noneMatch((tier) -> tier.tier().equals(before.tier())))
			.map(SeenTier::emptied);
		return new LastLook(Stream.concat(tiers.stream(), empty).toList(), complete, begun, costly);
	}

	/**
	 * Where no tier was seen, there is no place to continue from.
	 */
	boolean mayBeContinued(long now) {
		return this.costly && !this.tiers.isEmpty() && now - this.full < FULL_LOOK_INTERVAL.toNanos();
	}

	LastLook continued(List<SeenTier> seen) {
		return new LastLook(seen, this.complete, this.full, this.costly);
	}

	GaugeReading reading() {
		return new GaugeReading(this.tiers.stream().map(SeenTier::reading).toList(), this.complete);
	}

	GaugeReading reading(List<TierCounts> counts) {
		return new GaugeReading(IntStream.range(0, this.tiers.size())
			.mapToObj((tier) -> this.tiers.get(tier).reading().with(counts.get(tier)))
			.toList(), this.complete);
	}

}
