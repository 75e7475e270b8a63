package io.jobqueue.store.postgresql.jobs;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobRejectedException;
import io.jobqueue.store.JobStore.EnqueueResult;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.postgresql.transaction.Parameters;
import io.jobqueue.store.postgresql.transaction.Schema;

/**
 * Adds members to a batch in the caller's transaction.
 */
final class BatchInserts {

	private final JdbcTemplate jdbc;

	private final Schema schema;

	BatchInserts(JdbcTemplate jdbc, Schema schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	/**
	 * Write jobs and count those that are added as members.
	 * @param inserts writes the jobs
	 * @throws JobRejectedException if the batch is sealed or unknown, or if a job waits
	 * for one of its callbacks; nothing is written then
	 */
	EnqueueResult add(UUID batch, List<NewJob> jobs, Supplier<EnqueueResult> inserts) {
		check(jobs, lock(batch));
		EnqueueResult written = inserts.get();
		long added = written.jobs().stream().filter((job) -> job.receipt().outcome() == Outcome.ADDED).count();
		count(batch, added);
		return written.withPredecessors(and(batch, written.predecessors()));
	}

	private static Set<UUID> and(UUID batch, Set<UUID> predecessors) {
		Set<UUID> all = new HashSet<>(predecessors);
		all.add(batch);
		return all;
	}

	/**
	 * The shared lock lets others add members at the same time, and the seal wait.
	 */
	private static final String LOCK = """
			SELECT array_remove(ARRAY[then_id, failure_id], NULL) AS callbacks
			FROM jobqueue_batch
			WHERE id = ? AND sealed_at IS NULL
			FOR SHARE
			""";

	private Set<UUID> lock(UUID batch) {
		return this.jdbc
			.query(this.schema.in(LOCK), (statement) -> new Parameters(statement).value(batch),
					(row, number) -> Set.of((UUID[]) row.getArray("callbacks").getArray()))
			.stream()
			.findFirst()
			.orElseThrow(() -> new JobRejectedException("batch", """
					%s is sealed or unknown: add members before the seal, in the same transaction as the start or \
					after its commit""".formatted(batch)));
	}

	private static void check(List<NewJob> jobs, Set<UUID> callbacks) {
		for (NewJob job : jobs) {
			for (UUID predecessor : job.predecessors().ids()) {
				if (callbacks.contains(predecessor)) {
					throw new JobRejectedException("after",
							"names %s, which follows this batch and would wait for the job as well"
								.formatted(predecessor));
				}
			}
		}
	}

	private static final String COUNT = """
			INSERT INTO jobqueue_batch_tally (batch_id, total, succeeded, dead, cancelled) VALUES (?, ?, 0, 0, 0)
			""";

	private void count(UUID batch, long added) {
		this.jdbc.update(this.schema.in(COUNT), (statement) -> new Parameters(statement).value(batch).value(added));
	}

}
