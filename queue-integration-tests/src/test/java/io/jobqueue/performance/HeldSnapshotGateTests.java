package io.jobqueue.performance;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a claim reads while finished jobs cannot be removed, because a session holds a
 * snapshot that may still see them.
 */
@Tag("slow") // fills large tables
class HeldSnapshotGateTests extends GateTestBase {

	private static final int DEAD = 200_000;

	private static final Duration HANDLER = Duration.ofMillis(40);

	/**
	 * So many are measured, however long they take.
	 */
	private static final int CLAIMS = 20;

	private static final String CLAIM = "INSERT INTO jobqueue_claim";

	/**
	 * One handler that takes a while has the worker claim a few jobs at a time: what is
	 * read is read for the claim and not for the number of jobs.
	 */
	@Test
	void buffersOfAClaim() throws SQLException {
		fill();
		try (Connection reader = this.database.dataSource().getConnection()) {
			holdSnapshot(reader);
			this.sql.sql("DELETE FROM jobqueue_job").update();
			enqueue(1_000);
			QueueNode node = node(
					settings().defaults().keepSucceeded(Duration.ZERO).concurrency(1).handler((mail, job) -> {
						Thread.sleep(HANDLER.toMillis());
						this.handled.incrementAndGet();
					}))
				.start();
			await().until(() -> this.handled.get() >= 20);
			this.figures.reset();
			await().until(() -> this.figures.calls(CLAIM) >= CLAIMS);
			node.close();
			assertThat(reader.isClosed()).isFalse();
		}
		double claims = this.figures.calls(CLAIM);
		Gate.note(this.figures.rows(CLAIM) / claims, "Jobs per claim");
		Gate.atMost(100, this.figures.buffers(CLAIM) / claims, "Buffers per claim behind 200,000 dead rows");
	}

	private void fill() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
					SELECT gen_random_uuid(), now() - interval '1 hour' + n * interval '1 millisecond', now(), 10, 'emails', 'mail',
					       '{}'
					FROM generate_series(1, ?) n
					""")
			.param(DEAD)
			.update();
	}

	private static void holdSnapshot(Connection reader) throws SQLException {
		reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
		reader.setAutoCommit(false);
		reader.createStatement().execute("SELECT 1");
	}

}
