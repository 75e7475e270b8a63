package io.jobqueue.store.postgresql.monitoring;

import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
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
		this.now += TierScanCache.FULL_SCAN_INTERVAL.toNanos();
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
			TierCounts counts = counts();
			assertThat(states(counts)).allMatch(JobCount::estimated);
			assertThat(Stream.of(counts.ready(), counts.retrying(), counts.blocked()))
				.allMatch((count) -> count.jobs() >= CAP);
		}
	}

	/**
	 * Only without as many retrying jobs, in whose place scheduled ones are not counted.
	 */
	@Test
	void scheduledJobsBeyondTheCapAreNotCountedAgainForAMinute() {
		insert(CAP, "now() + interval '1 hour'", 0);
		this.now += TierScanCache.FULL_SCAN_INTERVAL.toNanos();
		assertThat(counts().scheduled().estimated()).isTrue();
		this.sql.sql("DELETE FROM jobqueue_job WHERE run_at > now()").update();
		assertThat(counts().scheduled())
			.satisfies((count) -> assertThat(count.estimated() && count.jobs() >= CAP).isTrue());
	}

	@Test
	void retryingJobsBeyondTheCapAddNoScheduledOnes() {
		this.sql.sql("DELETE FROM jobqueue_job").update();
		insert(15_000, "now() + interval '1 hour'", 1);
		this.sql.sql("ANALYZE jobqueue_job").update();
		this.now += TierScanCache.FULL_SCAN_INTERVAL.toNanos();
		for (int reading = 0; reading < 3; reading++) {
			assertThat(counts().scheduled().jobs()).isLessThan(1_000);
			assertThat(counts().retrying().jobs()).isBetween((long) CAP, 18_000L);
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

	@Test
	void continuedCountAddsNothingToTheFullCount() {
		assertSameEachTime(15_000, "now() - interval '1 hour'", 0, "'PENDING'", TierCounts::ready);
		assertSameEachTime(15_000, "now() + interval '1 hour'", 0, "'PENDING'", TierCounts::scheduled);
		assertSameEachTime(15_000, "now() + interval '1 hour'", 1, "'PENDING'", TierCounts::retrying);
		assertSameEachTime(15_000, "now() - interval '1 hour'", 1, "NULL", TierCounts::retrying);
	}

	/**
	 * Counts jobs with a key, first in full.
	 */
	private void assertSameEachTime(int jobs, String dueAt, int failures, String admission,
			Function<TierCounts, JobCount> state) {
		this.sql.sql("DELETE FROM jobqueue_job").update();
		insertWithKey(jobs, dueAt, failures, admission);
		this.sql.sql("ANALYZE jobqueue_job").update();
		this.now += TierScanCache.FULL_SCAN_INTERVAL.toNanos();
		for (int reading = 0; reading < 3; reading++) {
			assertThat(state.apply(counts())).satisfies((count) -> assertThat(count.estimated()).isTrue(),
					(count) -> assertThat(count.jobs()).isBetween((long) CAP, jobs + 3_000L));
		}
	}

	private void insertWithKey(int jobs, String dueAt, int failures, String admission) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, due_at, created_at, priority, queue, type, payload, failures, limit_key,
					                          admission)
					SELECT gen_random_uuid(), 'infinity', %s, now(), 10, 'emails', 'mail', '{}', %d, 'key', %s
					FROM generate_series(1, %d)
					"""
				.formatted(dueAt, failures, admission, jobs))
			.update();
	}

	private TierCounts counts() {
		return this.gauges.read(Set.of()).tiers().get(0).counts();
	}

	private static Stream<JobCount> states(TierCounts counts) {
		return Stream.of(counts.ready(), counts.scheduled(), counts.retrying(), counts.blocked());
	}

}
