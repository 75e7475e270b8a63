package io.jobqueue.internal.store.postgresql.monitoring;

import java.time.Duration;
import java.util.Set;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
	void tierBeyondTheCapIsNotCountedAgainForAMinute() {
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
