package io.jobqueue.internal.store.postgresql.monitoring;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.Tier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which tiers a count after a costly one counts in full.
 */
class LastCountTests {

	private static final int TIERS = 40;

	private TierCounts counts = counts(new JobCount(PostgresMonitoringStore.STATE_CAP, true));

	private static TierCounts counts(JobCount count) {
		return new TierCounts(count, count, count, count, count);
	}

	private LastCount last = LastCount.NONE;

	/**
	 * Returns the number of tiers that were counted in full.
	 */
	private int count(int second, boolean tookLong) {
		long now = Duration.ofSeconds(second).toNanos();
		LastCount previous = this.last.without(now);
		this.last = previous.followedBy(all(), now, tookLong);
		return TIERS - previous.counts().size();
	}

	private Map<Tier, TierCounts> all() {
		return IntStream.range(0, TIERS)
			.boxed()
			.collect(Collectors.toMap((number) -> new Tier("queue-" + number, 10), (number) -> this.counts));
	}

	@Test
	void cheapCountsAreFull() {
		assertThat(count(0, false)).isEqualTo(TIERS);
		assertThat(count(2, false)).isEqualTo(TIERS);
	}

	@Test
	void tiersTakeTurnsAfterACostlyCount() {
		assertThat(count(0, true)).isEqualTo(TIERS);
		assertThat(count(10, false)).isZero();
		assertThat(count(20, false)).isZero();
		assertThat(IntStream.rangeClosed(3, 5).map((turn) -> count(10 * turn, false)).toArray()).containsOnly(6);
		assertThat(count(60, false)).isEqualTo(22);
		assertThat(IntStream.rangeClosed(7, 60).map((turn) -> count(10 * turn, false)).max().orElseThrow())
			.isLessThanOrEqualTo(12);
	}

	@Test
	void countsAreFullAgainOnceNoStateIsAtTheCap() {
		count(0, true);
		this.counts = counts(new JobCount(7, false));
		count(35, false);
		assertThat(count(37, false)).isEqualTo(TIERS);
	}

	@Test
	void countAfterAMinuteIsFull() {
		assertThat(count(0, true)).isEqualTo(TIERS);
		assertThat(count(60, false)).isEqualTo(TIERS);
		assertThat(count(61, false)).isEqualTo(TIERS);
	}

}
