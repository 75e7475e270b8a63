package io.jobqueue.gates;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.store.TierReading;
import io.jobqueue.store.jdbc.JdbcStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is read to find the few jobs that are claimed among five million that wait.
 */
class LargeTableGateTests extends GateTestBase {

	private static final int READY = 5_000_000;

	private static final int RUNNING = 100;

	private static final String REAPER = "expired AS";

	private static final String COUNT = "running AS";

	private final CountDownLatch release = new CountDownLatch(1);

	/**
	 * One test, since the table takes longer than the rest.
	 */
	@Test
	void buffersOfTheReaperAndOfACountOfRunningJobs() {
		fill();
		node(settings().defaults().concurrency(RUNNING).handler((mail, job) -> this.release.await())).start();
		await().until(() -> count("(SELECT unnest(job_ids) FROM jobqueue_claim) held") == RUNNING);
		JdbcStores stores = closeLater(JdbcStores.of(this.database.dataSource(), null, null));
		countRunning(stores);
		findNothing(stores);
		takeOne(stores);
	}

	@AfterEach
	void letHandlersEnd() {
		this.release.countDown();
	}

	/**
	 * Indexes are built sooner than they grow.
	 */
	private void fill() {
		List<String> indexes = texts("indexdef");
		texts("indexname").forEach((index) -> this.sql.sql("DROP INDEX " + index).update());
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
					SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
					       now() - interval '1 day' + n * interval '1 millisecond', now(), 10, 'emails', 'mail', '{"text":""}'
					FROM generate_series(1, ?) n
					""")
			.param(READY)
			.update();
		indexes.forEach((index) -> this.sql.sql(index).update());
		this.sql.sql("VACUUM ANALYZE jobqueue_job").update();
	}

	private List<String> texts(String column) {
		return this.sql
			.sql("SELECT %s FROM pg_indexes WHERE tablename = 'jobqueue_job' AND indexname <> 'jobqueue_job_pkey'"
				.formatted(column))
			.query(String.class)
			.list();
	}

	private void countRunning(JdbcStores stores) {
		this.figures.reset();
		TierReading tier = stores.gauges().read(Set.of("emails")).tiers().get(0);
		assertThat(tier.counts().running().jobs()).isEqualTo(RUNNING);
		Gate.atMost(1_000, (double) this.figures.buffers(COUNT),
				"Buffers of one count of 100 running jobs, with all other counts");
	}

	private void findNothing(JdbcStores stores) {
		this.figures.reset();
		assertThat(stores.maintenance().reap().taken()).isEmpty();
		assertThat(this.figures.calls(REAPER)).isOne();
		Gate.atMost(1_000, (double) this.figures.buffers(REAPER), "Buffers of a reaper pass that finds nothing");
	}

	private void takeOne(JdbcStores stores) {
		this.sql.sql("UPDATE jobqueue_claim SET expires_at = now()").update();
		this.sql.sql("UPDATE jobqueue_job SET lease_until = now() WHERE id IN (SELECT job_ids[1] FROM jobqueue_claim)")
			.update();
		this.figures.reset();
		assertThat(stores.maintenance().reap().taken()).hasSize(1);
		Gate.atMost(1_000, (double) this.figures.buffers(REAPER),
				"Buffers of a reaper pass that looks at 100 jobs and takes one");
	}

}
