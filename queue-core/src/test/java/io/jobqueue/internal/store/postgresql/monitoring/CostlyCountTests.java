package io.jobqueue.internal.store.postgresql.monitoring;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is counted if counts are costly, as all are here.
 */
class CostlyCountTests extends StoreTestBase {

	private static final int CAP = 10_000;

	private static final List<String> STATES = List.of("ready", "scheduled", "retrying", "blocked");

	private final PostgresMonitoringStore gauges = new PostgresMonitoringStore(
			new QueueTransaction(this.dataSource, new Schema(null)), Duration.ofNanos(-1), () -> this.now);

	private long now;

	@BeforeEach
	void count() {
		this.now += TierScanCache.FULL_SCAN_INTERVAL.toNanos();
		insert(CAP, "now() - interval '1 hour'", 0);
		assertThat(counts().ready()).isEqualTo(new JobCount(CAP, true));
		this.sql.sql("DELETE FROM jobqueue_job").update();
		insert(5, "now() - interval '1 hour'", 0);
	}

	@Test
	void stateBeyondTheCapIsNotCountedAgainForAMinute() {
		this.now += TierScanCache.FULL_SCAN_INTERVAL.toNanos() - 1;
		assertThat(counts().ready()).isEqualTo(new JobCount(CAP, true));
		this.now++;
		assertThat(counts().ready()).isEqualTo(new JobCount(5, false));
	}

	@Test
	void tierBelowTheCapIsCountedEachTime() {
		this.sql.sql("UPDATE jobqueue_job SET priority = 20").update();
		insert(1, "now() - interval '1 hour'", 0);
		this.now += TierScanCache.FULL_SCAN_INTERVAL.toNanos();
		assertThat(counts(20).ready()).isEqualTo(new JobCount(5, false));
		insert(CAP, "now() - interval '1 hour'", 0);
		assertThat(counts(10).ready()).isEqualTo(new JobCount(CAP, true));
		this.sql.sql("DELETE FROM jobqueue_job WHERE priority = 20 AND seq % 2 = 0").update();
		assertThat(counts(20).ready().jobs()).isBetween(2L, 3L);
		assertThat(counts(10).ready()).isEqualTo(new JobCount(CAP, true));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ready", "scheduled", "retrying", "blocked" })
	void otherStatesOfTheTierAreCountedEachTime(String beyond) {
		this.now += TierScanCache.FULL_SCAN_INTERVAL.toNanos();
		this.sql.sql("DELETE FROM jobqueue_job").update();
		insert(CAP, beyond);
		counts();
		this.sql.sql("DELETE FROM jobqueue_job").update();
		STATES.forEach((state) -> insert(5, state));
		assertThat(STATES).allSatisfy((state) -> assertThat(countOf(state)).isEqualTo(expected(state, beyond)));
	}

	/**
	 * Scheduled jobs cannot be distinguished from so many retrying ones.
	 */
	private static JobCount expected(String state, String beyond) {
		if (state.equals("scheduled") && beyond.equals("retrying")) {
			return new JobCount(0, true);
		}
		return state.equals(beyond) ? new JobCount(CAP, true) : new JobCount(5, false);
	}

	/**
	 * They are beyond the cap together with those that are held back.
	 */
	@Test
	void scheduledJobsAreCountedBesideRetryingOnesThatAreNotBeyondTheCap() {
		this.now += TierScanCache.FULL_SCAN_INTERVAL.toNanos();
		insert(CAP, "'infinity'", 1);
		insert(5, "retrying");
		insert(7, "scheduled");
		assertThat(countOf("retrying")).isEqualTo(new JobCount(CAP, true));
		insert(1, "scheduled");
		assertThat(countOf("retrying")).isEqualTo(new JobCount(CAP, true));
		assertThat(countOf("scheduled")).isEqualTo(new JobCount(8, false));
	}

	private void insert(int jobs, String state) {
		switch (state) {
			case "ready" -> insert(jobs, "now()", 0);
			case "scheduled" -> insert(jobs, "now() + interval '1 hour'", 0);
			case "retrying" -> insert(jobs, "now() + interval '1 hour'", 1);
			default -> insert(jobs, "'infinity'", 0);
		}
	}

	private JobCount countOf(String state) {
		TierCounts counts = counts();
		return switch (state) {
			case "ready" -> counts.ready();
			case "scheduled" -> counts.scheduled();
			case "retrying" -> counts.retrying();
			default -> counts.blocked();
		};
	}

	private TierCounts counts() {
		return counts(10);
	}

	private TierCounts counts(int priority) {
		return this.gauges.read(Set.of())
			.tiers()
			.stream()
			.filter((tier) -> tier.priority() == priority)
			.findFirst()
			.orElseThrow()
			.counts();
	}

}
