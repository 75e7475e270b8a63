package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.NewJobRequest;
import io.jobqueue.internal.store.postgresql.jobs.JobClaims.ClaimRows;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;

/**
 * Claims a new job by its id: one that is due and waits for no other one.
 */
final class NewJobClaim {

	/**
	 * No further job is to be claimed.
	 */
	private static final int UNLIMITED = Integer.MAX_VALUE;

	private final QueueTransaction transactions;

	NewJobClaim(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	/**
	 * Arrays of types, and the settings of limits over all workers, would double the time
	 * of the statement. A job that waits for another one, for its admission or for a
	 * probe is due at infinity.
	 */
	private static final String CLAIM = """
			WITH due AS (
			    SELECT j.ctid AS tid, w.id AS worker, coalesce(j.max_attempts, ?) AS attempts_limit,
			           coalesce(j.max_run_millis, ?) AS run_limit_millis
			    FROM jobqueue_worker w CROSS JOIN jobqueue_job j
			    WHERE w.id = ? AND w.last_active_at > statement_timestamp() - w.timeout_millis * interval '1 millisecond'
			      AND j.id = ? AND j.queue = ? AND j.type = ? AND j.run_at <= statement_timestamp() AND j.locked_by IS NULL
			      AND NOT j.cancel_requested AND (j.expires_at <= statement_timestamp()) IS NOT TRUE
			    FOR UPDATE OF j SKIP LOCKED
			), claimed AS (
			    UPDATE jobqueue_job j
			    SET locked_by = d.worker, claim = ?, attempts = least(j.attempts + 1, 1000000000), at_most_once = ?,
			        lease_until = statement_timestamp() + interval '2 seconds' + d.run_limit_millis * interval '1 millisecond'
			    FROM due d
			    WHERE j.ctid = d.tid
			    RETURNING j.*, d.attempts_limit, d.run_limit_millis
			), noted AS (
			    INSERT INTO jobqueue_claim (worker_id, claim, expires_at, keep_dead_millis, max_attempts, queue, job_ids,
			                                claimed_at)
			    SELECT locked_by, claim, lease_until, ?, attempts_limit, queue, ARRAY[id], statement_timestamp() FROM claimed
			)
			SELECT %s FROM claimed c
			"""
		.formatted(ClaimRows.JOB_COLUMNS);

	/**
	 * Only the claim of a job that is delivered at most once must survive a crash of the
	 * server, as for other claims.
	 */
	ClaimResult claim(UUID worker, NewJobRequest request) {
		return this.transactions.query(request.once() ? JobClaims.BEGIN_DURABLE : QueueTransaction.BEGIN_ASYNCHRONOUS,
				CLAIM, (parameters) -> set(parameters, worker, request), (rows) -> result(rows, request));
	}

	private static void set(Parameters parameters, UUID worker, NewJobRequest request) throws SQLException {
		parameters.value(request.maxAttempts())
			.number(Columns.ofDuration(request.maxRunTime()))
			.value(worker)
			.value(request.job())
			.text(request.queue())
			.text(request.type())
			.value(request.claim())
			.value(request.once())
			.number(Columns.ofDuration(request.keepDead()));
	}

	private static ClaimResult result(ResultSet row, NewJobRequest request) throws SQLException {
		if (!row.next()) {
			return new ClaimResult(List.of(), List.of(), UNLIMITED, false, false, null, null);
		}
		ClaimedJob job = ClaimRows.job(request.job(), request.claim(), request.queue(), request.type(), row);
		return new ClaimResult(List.of(job), List.of(), UNLIMITED, false, false, ClaimRows.at(row), null);
	}

}
