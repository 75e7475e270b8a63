package io.jobqueue.internal.store.postgresql.monitoring;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;

/**
 * What the last scan read, and whether the next one may continue it.
 * <p>
 * Dead rows stay in the index while a snapshot is held, and a full scan reads all of them
 * that lie before the oldest waiting job. If two full scans in a row were costly, the
 * next scans are continued instead: they begin at the position of each tier. They miss
 * new tiers, and jobs that are committed late, released or taken away from a worker
 * before the position of their tier. A full scan therefore follows within a minute. If
 * that takes so long that it is aborted, the positions stay in use.
 *
 * @param tiers the tiers
 * @param known the queues whose tiers were all read
 * @param complete whether no queue was left out for its cost
 * @param full when the last full scan began, in nanoseconds
 * @param cost the cost of that scan
 */
record TierScanCache(List<TierScan> tiers, Set<String> known, boolean complete, long full, Cost cost) {

	static final Duration FULL_SCAN_INTERVAL = Duration.ofMinutes(1);

	static final TierScanCache NONE = new TierScanCache(List.of(), Set.of(), true, 0, Cost.LOW);

	/**
	 * A costly scan keeps the tiers of the previous one: a tier that is empty for a short
	 * time has only dead rows, and its next jobs must be found.
	 */
	TierScanCache followedBy(TierScanCache next) {
		Stream<TierScan> empty = this.tiers.stream()
			.filter((before) -> next.cost != Cost.LOW && !next.hasSeen(before.tier()))
			.map(TierScan::emptied);
		return new TierScanCache(Stream.concat(next.tiers.stream(), empty).toList(), next.known, next.complete,
				next.full, (this.cost == Cost.LOW) ? next.cost.ifFirst() : next.cost);
	}

	private boolean hasSeen(Tier tier) {
		return this.tiers.stream().anyMatch((seen) -> seen.tier().equals(tier));
	}

	/**
	 * Delay the next full scan. What the aborted one would have read is unknown.
	 */
	TierScanCache followedByAborted(long begun) {
		return new TierScanCache(this.tiers, Set.of(), false, begun, Cost.TOO_HIGH);
	}

	/**
	 * Without tiers, there is no position to continue from.
	 */
	boolean hasPositions() {
		return !this.tiers.isEmpty();
	}

	boolean mayBeContinued(long now, Collection<String> queues) {
		return hasPositions() && now - this.full < FULL_SCAN_INTERVAL.toNanos() && switch (this.cost) {
			case LOW, HIGH_ONCE -> false;
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
	 * What a scan read of a queue and priority, and the position of its oldest job that
	 * waits and is due.
	 */
	record TierScan(TierSnapshot reading, long runAtMicros, long seq) {

		static TierScan of(ResultSet row) throws SQLException {
			TierSnapshot reading = new TierSnapshot(row.getString("queue"), row.getInt("priority"),
					row.getInt("max_failures"), row.getInt("max_releases"), maxAge(row), null);
			return new TierScan(reading, row.getLong("run_at_micros"), row.getLong("seq"));
		}

		private static @Nullable Duration maxAge(ResultSet row) throws SQLException {
			double seconds = row.getDouble("max_age_seconds");
			return row.wasNull() ? null : Duration.ofMillis(Math.round(seconds * 1000));
		}

		static void set(Parameters parameters, List<TierScan> tiers) throws SQLException {
			parameters.texts(tiers, (tier) -> tier.reading().queue())
				.smallints(tiers, (tier) -> tier.reading().priority())
				.bigints(tiers, TierScan::runAtMicros)
				.bigints(tiers, TierScan::seq);
		}

		Tier tier() {
			return new Tier(this.reading.queue(), this.reading.priority());
		}

		TierScan emptied() {
			return new TierScan(new TierSnapshot(this.reading.queue(), this.reading.priority(), 0, 0, null, null),
					this.runAtMicros, this.seq);
		}

	}

	/**
	 * The cost of a full scan.
	 */
	enum Cost {

		/**
		 * Each scan may be full.
		 */
		LOW,

		/**
		 * A machine that stands still for a short time makes one scan costly: the next
		 * one is full.
		 */
		HIGH_ONCE,

		/**
		 * Scans are continued instead.
		 */
		HIGH,

		/**
		 * The scan was aborted.
		 */
		TOO_HIGH;

		private Cost ifFirst() {
			return (this == HIGH) ? HIGH_ONCE : this;
		}

	}

}
