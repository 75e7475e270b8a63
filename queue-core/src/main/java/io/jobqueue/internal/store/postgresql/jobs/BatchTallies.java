package io.jobqueue.internal.store.postgresql.jobs;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.RowCallbackHandler;

import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

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
	 * Replaces 100 or more tallies of a batch by their sum, 10,000 at a time. Tallies
	 * that another transaction is replacing are skipped.
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
			), summed AS (
			    INSERT INTO jobqueue_batch_tally (batch_id, total, succeeded, dead, cancelled)
			    SELECT batch_id, sum(total), sum(succeeded), sum(dead), sum(cancelled)
			    FROM replaced
			    GROUP BY batch_id
			)
			SELECT batch_id FROM replaced GROUP BY batch_id HAVING count(*) = 10000
			""";

	/**
	 * Finishes sealed batches without an unfinished member. The callback becomes a job
	 * without an open dependency, which {@link ReleasedJobs} releases; the other callback
	 * is deleted, and counts as failed for jobs that wait for it. A batch is returned,
	 * and finishes later, if another transaction has it or that callback locked. That
	 * callback is found by its id: a change that is committed during the statement moves
	 * it.
	 */
	private static final String FINISH = """
			WITH ended AS (
			    SELECT b.id, t.*, CASE WHEN c.failed THEN b.failure_id ELSE b.then_id END AS callback_id,
			           CASE WHEN c.failed THEN b.then_id ELSE b.failure_id END AS unused_id
			    FROM unnest(?::uuid[]) AS i (id)
			    CROSS JOIN LATERAL (
			        SELECT b.id, b.then_id, b.failure_id FROM jobqueue_batch b
			        WHERE b.id = i.id AND b.sealed_at IS NOT NULL AND b.finished_at IS NULL
			        LIMIT 1) b
			    CROSS JOIN LATERAL (
			""" + SUM + """
			        ) t
			    CROSS JOIN LATERAL (SELECT t.dead + t.cancelled > 0 AND b.failure_id IS NOT NULL AS failed) c
			    WHERE t.total = t.succeeded + t.dead + t.cancelled
			), unused AS (
			    SELECT e.id, j.id AS job_id FROM ended e JOIN jobqueue_job j ON j.id BETWEEN e.unused_id AND e.unused_id
			    WHERE j.admission = 'PREDECESSORS'
			), free AS (
			    SELECT u.id, j.id AS job_id FROM unused u JOIN jobqueue_job j ON j.id BETWEEN u.job_id AND u.job_id
			    FOR UPDATE OF j SKIP LOCKED
			), mine AS (
			    SELECT e.id, b.ctid AS tid FROM ended e JOIN jobqueue_batch b ON b.id BETWEEN e.id AND e.id
			    WHERE b.sealed_at IS NOT NULL AND b.finished_at IS NULL
			    FOR UPDATE OF b SKIP LOCKED
			), finished AS (
			    UPDATE jobqueue_batch b
			    SET finished_at = statement_timestamp(), total = e.total, succeeded = e.succeeded, dead = e.dead,
			        cancelled = e.cancelled
			    FROM ended e JOIN mine m ON m.id = e.id
			    WHERE b.ctid = m.tid
			      AND (EXISTS (SELECT 1 FROM free f WHERE f.id = e.id)
			           OR NOT EXISTS (SELECT 1 FROM unused u WHERE u.id = e.id))
			    RETURNING b.id, e.callback_id
			), counted AS (
			    DELETE FROM jobqueue_batch_tally t
			    USING finished f
			    CROSS JOIN LATERAL (
			        SELECT c.ctid AS tid FROM jobqueue_batch_tally c WHERE c.batch_id = f.id FOR UPDATE SKIP LOCKED) c
			    WHERE t.ctid = c.tid
			), satisfied AS (
			    INSERT INTO jobqueue_dependency (predecessor_id, job_id, satisfied, on_failure)
			    SELECT id, callback_id, true, 'RUN' FROM finished
			), deleted AS (
			    DELETE FROM jobqueue_job j
			    USING finished f JOIN free u ON u.id = f.id
			    WHERE j.id = u.job_id
			    RETURNING j.id, j.has_successors
			), unarchived AS (
			    INSERT INTO jobqueue_unarchived (id, removed_at)
			    SELECT id, statement_timestamp() FROM deleted
			    ON CONFLICT (id) DO NOTHING
			)
			SELECT callback_id, NULL::uuid AS again_id FROM finished
			UNION ALL
			SELECT NULL, e.id FROM ended e WHERE NOT EXISTS (SELECT 1 FROM finished f WHERE f.id = e.id)
			UNION ALL
			SELECT NULL, id FROM deleted WHERE has_successors
			""";

	/**
	 * Return the steps that count and finish batches.
	 * @param batches the ids of batches; others are ignored
	 * @param more reads the id of a batch that may have more tallies to replace
	 * @param finished reads the id of a job to release, or one to resolve again
	 */
	static List<Step> steps(Collection<UUID> batches, RowCallbackHandler more, RowCallbackHandler finished) {
		Setter ids = (parameters) -> parameters.uuids(batches, (id) -> id);
		return List.of(new Step(FOLD, ids, more), new Step(FINISH, ids, finished));
	}

}
