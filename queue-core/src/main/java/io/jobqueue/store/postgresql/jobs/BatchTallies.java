package io.jobqueue.store.postgresql.jobs;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import io.jobqueue.store.postgresql.transaction.Parameters;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Step;
import io.jobqueue.store.postgresql.transaction.Schema;

/**
 * Counts the members of batches, and finishes the batches whose members have all ended.
 * The transaction in which members end inserts a tally and updates nothing; a later one,
 * which sees the tallies of all that have committed, compares their sum with the total.
 */
final class BatchTallies {

	private static final String TALLY = """
			INSERT INTO jobqueue_batch_tally (batch_id, total, succeeded, dead, cancelled)
			SELECT batch_id, 0, count(*) FILTER (WHERE state = 'SUCCEEDED'), count(*) FILTER (WHERE state = 'DEAD'),
			       count(*) FILTER (WHERE state = 'CANCELLED')
			FROM %s
			WHERE batch_id IS NOT NULL
			GROUP BY batch_id""";

	/**
	 * The sum of the tallies of a batch {@code b}, with zeros if there are none.
	 */
	static final String SUM = """
			    SELECT coalesce(sum(t.total), 0)::bigint AS total, coalesce(sum(t.succeeded), 0)::bigint AS succeeded,
			           coalesce(sum(t.dead), 0)::bigint AS dead, coalesce(sum(t.cancelled), 0)::bigint AS cancelled
			    FROM jobqueue_batch_tally t
			    WHERE t.batch_id = b.id
			""";

	private BatchTallies() {
	}

	/**
	 * Return the insertion of tallies for a statement that ends jobs.
	 * @param jobs the relation of the ended jobs
	 */
	static String tally(String jobs) {
		return TALLY.formatted(jobs);
	}

	/**
	 * Replaces 100 or more tallies of a batch by their sum. Tallies that another
	 * transaction is replacing are skipped.
	 */
	private static final String FOLD = """
			WITH replaced AS (
			    DELETE FROM jobqueue_batch_tally t
			    USING unnest(?::uuid[]) AS b (id)
			    CROSS JOIN LATERAL (
			        SELECT count(*) AS rows FROM (
			            SELECT 1 FROM jobqueue_batch_tally m WHERE m.batch_id = b.id LIMIT 100) m) many
			    CROSS JOIN LATERAL (
			        SELECT f.ctid AS tid FROM jobqueue_batch_tally f
			        WHERE many.rows = 100 AND f.batch_id = b.id
			        LIMIT 10000
			        FOR UPDATE SKIP LOCKED) f
			    WHERE t.ctid = f.tid
			    RETURNING t.batch_id, t.total, t.succeeded, t.dead, t.cancelled
			)
			INSERT INTO jobqueue_batch_tally (batch_id, total, succeeded, dead, cancelled)
			SELECT batch_id, sum(total), sum(succeeded), sum(dead), sum(cancelled)
			FROM replaced
			GROUP BY batch_id
			""";

	/**
	 * Finishes sealed batches without an unfinished member. The callback becomes a job
	 * without an open dependency, which {@link ReleasedJobs} releases; the other callback
	 * is deleted, and counts as failed for jobs that wait for it.
	 */
	private static final String FINISH = """
			WITH ended AS (
			    SELECT b.id, b.then_id, b.failure_id, t.total, t.succeeded, t.dead, t.cancelled,
			           t.dead + t.cancelled > 0 AND b.failure_id IS NOT NULL AS failed
			    FROM unnest(?::uuid[]) AS i (id)
			    CROSS JOIN LATERAL (
			        SELECT b.id, b.then_id, b.failure_id FROM jobqueue_batch b
			        WHERE b.id = i.id AND b.sealed_at IS NOT NULL AND b.finished_at IS NULL
			        LIMIT 1) b
			    CROSS JOIN LATERAL (
			""" + SUM + """
			        ) t
			    WHERE t.total = t.succeeded + t.dead + t.cancelled
			), finished AS (
			    UPDATE jobqueue_batch b
			    SET finished_at = statement_timestamp(), total = e.total, succeeded = e.succeeded, dead = e.dead,
			        cancelled = e.cancelled
			    FROM ended e
			    WHERE b.id = e.id AND b.finished_at IS NULL
			    RETURNING b.id, CASE WHEN e.failed THEN e.failure_id ELSE e.then_id END AS callback_id,
			              CASE WHEN e.failed THEN e.then_id ELSE e.failure_id END AS unused_id
			), counted AS (
			    DELETE FROM jobqueue_batch_tally t
			    USING finished f
			    CROSS JOIN LATERAL (
			        SELECT c.ctid AS tid FROM jobqueue_batch_tally c WHERE c.batch_id = f.id FOR UPDATE SKIP LOCKED) c
			    WHERE t.ctid = c.tid
			), satisfied AS (
			    INSERT INTO jobqueue_dependency (predecessor_id, job_id, satisfied, on_failure)
			    SELECT id, callback_id, true, 'RUN' FROM finished
			), unused AS (
			    DELETE FROM jobqueue_job j
			    USING finished f
			    WHERE j.id = f.unused_id AND j.admission = 'PREDECESSORS'
			    RETURNING j.id, j.has_successors
			), unarchived AS (
			    INSERT INTO jobqueue_unarchived (id, removed_at)
			    SELECT id, statement_timestamp() FROM unused WHERE has_successors
			    ON CONFLICT (id) DO NOTHING
			)
			SELECT callback_id FROM finished
			""";

	/**
	 * Return the steps that count and finish batches.
	 * @param batches the ids of batches; others are ignored
	 * @param callbacks receives the ids of jobs to release
	 */
	static List<Step> steps(Schema schema, Collection<UUID> batches, Consumer<UUID> callbacks) {
		Parameters.Setter ids = (parameters) -> parameters.uuids(batches, (id) -> id);
		return List.of(new Step(schema.in(FOLD), ids, Answer.ofCount()), new Step(schema.in(FINISH), ids,
				Answer.ofEachRow((row) -> callbacks.accept(row.getObject("callback_id", UUID.class)))));
	}

}
