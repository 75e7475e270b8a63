package io.jobqueue.performance;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.Batch;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;

/**
 * What statements in the transactions of callers read from tables that have grown since
 * the session cached their plans.
 */
@Tag("slow") // fills tables with 20,000 rows
class SmallTablePlanGateTests extends GateTestBase {

	/**
	 * A session caches a plan at the sixth execution.
	 */
	private static final int EXECUTIONS = 20;

	private static final String MORE_BATCHES = """
			INSERT INTO jobqueue_batch (id, then_id, created_at, name)
			SELECT gen_random_uuid(), gen_random_uuid(), now(), 'import' FROM generate_series(1, 20000)
			""";

	private static final String MORE_SCHEDULES = """
			INSERT INTO jobqueue_recurring (name, queue, type, payload, rate_millis, misfire, overlap, declared, anchor_at, next_at,
			                                version, jitter_millis)
			SELECT 'digest-' || n, 'emails', 'mail', '{}', 1000, 'ONCE', 'SKIP', false, now(), 'infinity', 1, 0
			FROM generate_series(1, 20000) n
			""";

	@Test
	void buffersOfABatch() {
		QueueNode node = producer();
		Batch batch = node.queue().batch("import").then(new Mail("done")).start();
		assertSmall(MORE_BATCHES, "jobqueue_batch", () -> {
			batch.add(List.of(new Mail("one")));
			batch.info();
		});
	}

	@Test
	void buffersOfASchedule() {
		QueueNode node = producer();
		RecurringJobRequest digest = RecurringJobRequest.of("digest", new Mail("news")).fixedRate(Duration.ofHours(1));
		assertSmall(MORE_SCHEDULES, "jobqueue_recurring", () -> {
			node.recurring().save(digest);
			node.recurring().pause("digest");
			node.recurring().resume("digest");
		});
	}

	private void assertSmall(String growth, String table, Runnable calls) {
		this.sql.sql("ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(table)).update();
		calls.run();
		this.sql.sql("VACUUM ANALYZE " + table).update();
		repeat(calls);
		this.sql.sql(growth).update();
		this.figures.reset();
		repeat(calls);
		Gate.atMost(60, this.figures.buffers(table) / (double) EXECUTIONS, "Buffers per turn at " + table);
	}

	/**
	 * The pool returns the same connection to a thread.
	 */
	private static void repeat(Runnable calls) {
		for (int turn = 0; turn < EXECUTIONS; turn++) {
			calls.run();
		}
	}

}
