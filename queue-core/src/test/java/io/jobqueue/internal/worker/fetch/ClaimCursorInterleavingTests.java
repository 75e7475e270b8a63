package io.jobqueue.internal.worker.fetch;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.harness.MigratedDatabase;
import io.jobqueue.harness.TestPool;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * Producers that commit late, workers that claim, complete, retry and release, and some
 * that are reaped, in a random order on several connections, where signals overtake
 * claims: whatever waits is found from the positions alone. Where signals are lost, the
 * next scan finds it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow") // races many times
class ClaimCursorInterleavingTests {

	private final TestDatabase database = MigratedDatabase.create();

	private final HikariDataSource pool = TestPool.of(this.database.dataSource(), 10);

	private final PostgresStores stores = PostgresStores.of(this.pool, this.pool, null);

	private final JdbcClient sql = JdbcClient.create(this.pool);

	@AfterAll
	void drop() {
		this.stores.close();
		this.pool.close();
		this.database.close();
	}

	@RepeatedTest(15)
	void noJobIsMissedBelowAPosition() {
		run(System.nanoTime(), false);
	}

	@RepeatedTest(5)
	void scanFindsJobsWithoutASignal() {
		run(System.nanoTime(), true);
	}

	private void run(long seed, boolean losesSignals) {
		this.sql.sql("TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_worker, jobqueue_worker_queue, jobqueue_claim")
			.update();
		try (ClaimCursorInterleaving interleaving = new ClaimCursorInterleaving(this.database, this.stores, this.sql,
				seed, losesSignals)) {
			interleaving.run();
		}
	}

}
