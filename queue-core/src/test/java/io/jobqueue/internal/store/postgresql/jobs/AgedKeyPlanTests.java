package io.jobqueue.internal.store.postgresql.jobs;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.OnDuplicate;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A connection keeps its plans. Those that were made while a queue was empty have to
 * serve when it is suddenly full, until the tables are analysed.
 */
@Tag("slow") // fills large tables
class AgedKeyPlanTests extends KeyTestBase {

	/**
	 * A scan of a table, or of a whole index, reads more than 100 buffers.
	 */
	private static final int ROWS = 20_000;

	/**
	 * More often than the driver and the server wait before they keep a plan.
	 */
	private static final int TIMES = 20;

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	@Test
	void planOfEmptyTablesServesLargeOnes() throws Exception {
		settleWhileEmpty();
		SingleConnectionDataSource connection = new SingleConnectionDataSource(this.recorder.getConnection(), true);
		for (int time = 0; time < TIMES; time++) {
			enqueueOn(connection);
		}
		fill();
		this.recorder.take();
		enqueueOn(connection);
		List<Plan> plans = this.recorder.take();
		connection.destroy();
		assertThat(plans).hasSize(2)
			.allSatisfy((plan) -> assertThat(plan.buffers()).as(plan.toString()).isLessThanOrEqualTo(100));
	}

	private void settleWhileEmpty() {
		for (String table : List.of("jobqueue_job", "jobqueue_key", "jobqueue_dedupe")) {
			this.sql.sql("ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(table)).update();
			this.sql.sql("VACUUM ANALYZE " + table).update();
		}
	}

	private void enqueueOn(SingleConnectionDataSource connection) {
		PostgresStores stores = PostgresStores.of(connection, null, null);
		new TransactionTemplate(new JdbcTransactionManager(connection)).executeWithoutResult(
				(status) -> stores.jobs().enqueue(List.of(keyed("a", NEW, ZERO, OnDuplicate.UPDATE, null))));
	}

	private void fill() {
		insert(ROWS, "now()", 0);
		this.sql.sql("""
				INSERT INTO jobqueue_key (job_id, used_by, queue, unique_key)
				SELECT gen_random_uuid(), '7', 'emails', 'x ' || n FROM generate_series(1, ?) n;
				INSERT INTO jobqueue_dedupe (job_id, ends_at, queue, unique_key)
				SELECT gen_random_uuid(), now() + interval '1 day', 'emails', 'x ' || n FROM generate_series(1, ?) n
				""").params(ROWS, ROWS).update();
	}

}
