package io.jobqueue.store.postgresql.monitoring;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.store.JobCount;
import io.jobqueue.store.MonitoringStore.TierCounts;
import io.jobqueue.store.postgresql.jobs.StoreTestBase;
import io.jobqueue.store.postgresql.transaction.Schema;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is counted if counts are costly, as all are here.
 */
class CostlyCountTests extends StoreTestBase {

	private static final int CAP = 10_000;

	private final PostgresMonitoringStore gauges = new PostgresMonitoringStore(this.dataSource, new Schema(null),
			Duration.ofNanos(-1), () -> this.now);

	private long now;

	@BeforeEach
	void count() {
		insert(CAP, "now() - interval '1 hour'", 0);
		insert(CAP, "now() + interval '1 hour'", 0);
		insert(CAP, "now() + interval '1 hour'", 1);
		insert(CAP, "'infinity'", 0);
		assertThat(states(counts())).allMatch(JobCount::estimated);
		this.sql.sql("DELETE FROM jobqueue_job").update();
		insert(5, "now() - interval '1 hour'", 0);
	}

	@Test
	void whatIsBeyondTheCapIsNotCountedAgainForAMinute() {
		for (int reading = 0; reading < 3; reading++) {
			assertThat(states(counts())).allMatch((count) -> count.estimated() && count.jobs() >= CAP);
		}
	}

	@Test
	void aFullCountFollowsAfterAMinute() {
		this.now += TierScanCache.FULL_SCAN_INTERVAL.toNanos();
		assertThat(states(counts())).containsExactly(new JobCount(5, false), new JobCount(0, false),
				new JobCount(0, false), new JobCount(0, false));
	}

	@Test
	void whatIsBelowTheCapIsCountedEachTime() {
		aFullCountFollowsAfterAMinute();
		insert(2, "now() - interval '1 hour'", 0);
		assertThat(counts().ready()).isEqualTo(new JobCount(7, false));
		insert(CAP, "now() - interval '1 hour'", 0);
		assertThat(counts().ready().estimated()).isTrue();
	}

	private TierCounts counts() {
		return this.gauges.read(Set.of()).tiers().get(0).counts();
	}

	private static Stream<JobCount> states(TierCounts counts) {
		return Stream.of(counts.ready(), counts.scheduled(), counts.retrying(), counts.blocked());
	}

}
