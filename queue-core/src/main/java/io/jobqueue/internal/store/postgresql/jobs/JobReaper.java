package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.MaintenanceStore.LostJob;
import io.jobqueue.internal.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.internal.store.MaintenanceStore.ReaperPass;
import io.jobqueue.internal.store.MaintenanceStore.ReaperPosition;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;

/**
 * Takes back the jobs of silent workers and of expired leases. One statement handles up
 * to 100 claims. If the database refuses it, the next claim is handled alone, and passed
 * if that is refused, too.
 */
final class JobReaper {

	private static final ReaperPosition BEFORE_ALL_CLAIMS = new ReaperPosition(true, "-infinity", Columns.LOWEST_ID,
			Long.MIN_VALUE);

	private static final int MAX_REAPED = 100;

	private final RefusedRows refused = new RefusedRows();

	private final QueueTransaction transactions;

	private final AdmissionControl admissionControl;

	JobReaper(QueueTransaction transactions, AdmissionControl admissionControl) {
		this.transactions = transactions;
		this.admissionControl = admissionControl;
	}

	ReaperPass reap(@Nullable ReaperPosition last) {
		ReaperPosition from = (last != null) ? last : BEFORE_ALL_CLAIMS;
		try {
			return reap(from, MAX_REAPED, true);
		}
		catch (DataAccessException ex) {
			RefusedRows.require(ex);
			ReaperPosition next = next(from);
			if (next == null) {
				throw ex;
			}
			return reapNext(from, next, true);
		}
	}

	/**
	 * Take back the jobs of the next claim only. If the database refuses that, those that
	 * do not end are released; if it refuses that as well, the claim is passed.
	 */
	private ReaperPass reapNext(ReaperPosition from, ReaperPosition next, boolean ends) {
		try {
			return reap(from, 1, ends);
		}
		catch (DataAccessException ex) {
			this.refused.log(ex, "The reaper could not %s the jobs of claim %s of worker %s, which stay RUNNING"
				.formatted(ends ? "end" : "release", next.claim(), next.worker()));
			return ends ? reapNext(from, next, false) : new ReaperRows().pass(next);
		}
	}

	/**
	 * The next expired claims after a position.
	 */
	private static final String EXPIRED = """
			    FROM jobqueue_claim c
			    LEFT JOIN jobqueue_worker w ON w.id = c.worker_id
			    CROSS JOIN LATERAL (
			        SELECT coalesce(w.last_active_at <= statement_timestamp() - w.timeout_millis * interval '1 millisecond',
			                        true) AS silent) s
			    WHERE (s.silent OR c.expires_at <= statement_timestamp())
			      AND (NOT s.silent, c.expires_at, c.worker_id, c.claim) > (NOT ?, ?::timestamptz, ?, ?)
			    ORDER BY NOT s.silent, c.expires_at, c.worker_id, c.claim
			    LIMIT ?
			""";

	private static final String NEXT_EXPIRED = """
			SELECT s.silent AS last_silent, c.expires_at::text AS last_expires_at, c.worker_id AS last_worker,
			       c.claim AS last_claim
			""" + EXPIRED;

	private @Nullable ReaperPosition next(ReaperPosition from) {
		return this.transactions.first(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, NEXT_EXPIRED,
				(parameters) -> set(parameters, from).value(1), (row, number) -> ReaperRows.last(row));
	}

	private ReaperPass reap(ReaperPosition from, int claims, boolean ends) {
		ReaperRows rows = this.transactions.query(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, REAP,
				(parameters) -> set(parameters, from).value(claims).value(ends).value(claims),
				(result) -> new ReaperRows().addAll(result));
		rows.ended.releaseKeys(this.admissionControl);
		return rows.pass(rows.last);
	}

	/**
	 * Takes back the jobs of silent workers first, then jobs of live workers whose lease
	 * has expired. Jobs that a completion has locked are skipped, and the row of their
	 * claim stays. Those with a cancel request are cancelled. The row of a silent worker
	 * without claims is deleted and its name returned. The last row tells whether there
	 * are jobs that follow others or retries that are held back, whether there are jobs
	 * that have an ordering key or wait for a slot, whether there are jobs that wait for
	 * predecessors or a batch, whether there are unclaimed jobs to cancel, and the claim
	 * to continue after. Claims without a job to take back are passed over. If the last
	 * activity of a worker lies more than its timeout in the future because the clock of
	 * the database was set back, it is set to now: a live worker sends a heartbeat before
	 * it counts as silent.
	 */
	private static final String REAP = """
			WITH expired AS (
			    SELECT c.*, coalesce(w.name, c.worker_id::text) AS worker, s.silent
			""" + EXPIRED
			+ """
					    FOR UPDATE OF c SKIP LOCKED
					), held AS (
					    SELECT j.id, j.lease_until, j.queue, j.type, j.priority, j.run_at, j.seq, j.attempts,
					           least(j.failures + 1, 1000000000) AS failures, j.created_at, j.headers, j.ordering_key, j.limit_key,
					           j.has_successors, j.batch_id, e.worker_id, e.claim, e.worker, e.claimed_at AS began_at,
					           CASE WHEN j.cancel_requested THEN j.keep_cancelled_millis ELSE e.keep_dead_millis END AS keep_millis,
					           l.max_attempts,
					           e.silent OR j.lease_until <= statement_timestamp() AS lost,
					           CASE WHEN j.cancel_requested THEN 'CANCELLED'
					                WHEN j.at_most_once OR l.max_attempts
					                    BETWEEN 1 AND j.attempts - coalesce(j.expected_failures, 0) THEN 'DEAD' END AS state,
					           CASE WHEN e.silent AND j.at_most_once THEN 'Lost in a crash: worker ' || e.worker || ' sent no heartbeat within its timeout'
					                WHEN e.silent THEN 'Lost: worker ' || e.worker || ' sent no heartbeat within its timeout'
					                ELSE 'Timed out: worker ' || e.worker || ' did not end the job within its maximum run time'
					                END AS error
					    FROM expired e
					    JOIN jobqueue_job j ON j.id = ANY (e.job_ids) AND j.claim = e.claim AND j.locked_by = e.worker_id
					    CROSS JOIN LATERAL (
					        SELECT coalesce(j.max_attempts, e.type_max_attempts[array_position(e.limited_types, j.type)],
					                        e.max_attempts) AS max_attempts) l
					), taken AS (
					    SELECT h.*
					    FROM jobqueue_job j JOIN held h ON h.id = j.id AND h.claim = j.claim AND h.worker_id = j.locked_by
					    WHERE h.lost AND (h.state IS NULL OR ?)
					    FOR UPDATE OF j SKIP LOCKED
					), ended AS (
					    DELETE FROM jobqueue_job j
					    USING taken t
					    WHERE j.id = t.id AND t.state IS NOT NULL
					    RETURNING j.*, t.state, t.error, t.keep_millis, t.began_at, t.failures AS all_failures
					), archived AS (
					%s
					), tallied AS (
					%s
					), unarchived AS (
					    INSERT INTO jobqueue_unarchived (id, removed_at)
					    SELECT id, statement_timestamp() FROM ended WHERE keep_millis = 0
					    ON CONFLICT (id) DO NOTHING
					), released AS (
					    UPDATE jobqueue_job j
					    SET locked_by = NULL, claim = NULL, lease_until = NULL,
					        failures = least(j.failures + 1, 1000000000), last_error = t.error,
					        started_at = coalesce(t.began_at, j.started_at), history = %s, releases = NULL, expires_at = NULL
					    FROM taken t
					    WHERE j.id = t.id AND t.state IS NULL
					), left_over AS (
					    SELECT h.worker_id, h.claim, min(h.lease_until) AS expires_at
					    FROM held h
					    WHERE NOT EXISTS (SELECT 1 FROM taken t WHERE t.id = h.id)
					    GROUP BY h.worker_id, h.claim
					), closed AS (
					    DELETE FROM jobqueue_claim c USING expired e
					    WHERE c.worker_id = e.worker_id AND c.claim = e.claim
					      AND NOT EXISTS (SELECT 1 FROM left_over l WHERE l.worker_id = c.worker_id AND l.claim = c.claim)
					), postponed AS (
					    UPDATE jobqueue_claim c SET expires_at = l.expires_at
					    FROM left_over l
					    WHERE c.worker_id = l.worker_id AND c.claim = l.claim AND c.expires_at <> l.expires_at
					), removed_workers AS (
					    DELETE FROM jobqueue_worker w
					    WHERE w.last_active_at <= statement_timestamp() - w.timeout_millis * interval '1 millisecond'
					      AND NOT EXISTS (SELECT 1 FROM jobqueue_claim c WHERE c.worker_id = w.id)
					    RETURNING w.name
					), reset_workers AS (
					    UPDATE jobqueue_worker w SET last_active_at = statement_timestamp()
					    FROM (
					        SELECT id FROM jobqueue_worker
					        WHERE last_active_at > statement_timestamp() + timeout_millis * interval '1 millisecond'
					        FOR UPDATE SKIP LOCKED) a
					    WHERE w.id = a.id
					), last AS (
					    SELECT silent, expires_at, worker_id, claim
					    FROM expired
					    ORDER BY NOT silent, expires_at, worker_id, claim
					    OFFSET ?::bigint - 1
					)
					SELECT queue, priority, type, worker, state, count(*) AS count, min(run_at) AS run_at, min(seq) AS seq,
					       NULL::uuid AS id, NULL::integer AS attempts, NULL::integer AS max_attempts,
					       NULL::timestamptz AS created_at, NULL::text AS headers, NULL::integer AS failures,
					       NULL::text AS ordering_key, NULL::text AS limit_key, NULL::boolean AS has_successors, NULL::uuid AS batch_id, NULL::boolean AS waiting, NULL::boolean AS keyed, NULL::boolean AS dependent, NULL::boolean AS cancellable,
					       NULL::boolean AS last_silent, NULL::text AS last_expires_at, NULL::uuid AS last_worker,
					       NULL::bigint AS last_claim
					FROM taken
					GROUP BY queue, priority, type, worker, state
					UNION ALL
					SELECT queue, priority, type, worker, state, NULL, run_at, seq, id, attempts, max_attempts, created_at,
					       headers, failures, ordering_key, limit_key, has_successors, batch_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
					FROM taken
					UNION ALL
					SELECT NULL, NULL, NULL, name, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
					       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
					FROM removed_workers
					UNION ALL
					SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
					       EXISTS (SELECT 1 FROM jobqueue_job WHERE follows IS NOT NULL)
					       OR EXISTS (SELECT 1 FROM jobqueue_job WHERE failures > 0 AND due_at IS NOT NULL AND admission IS NULL),
					       EXISTS (SELECT 1 FROM jobqueue_job WHERE ordering_key IS NOT NULL)
					       OR EXISTS (SELECT 1 FROM jobqueue_job WHERE admission = 'SLOT'),
					       EXISTS (SELECT 1 FROM jobqueue_dependency)
					       OR EXISTS (SELECT 1 FROM jobqueue_batch WHERE sealed_at IS NOT NULL AND finished_at IS NULL)
					       OR EXISTS (SELECT 1 FROM jobqueue_workflow WHERE finished_at IS NULL),
					       (SELECT min(expires_at) FROM jobqueue_job) <= statement_timestamp()
					       OR EXISTS (SELECT 1 FROM jobqueue_job WHERE cancel_requested AND locked_by IS NULL),
					       l.silent, l.expires_at::text, l.worker_id, l.claim
					FROM (VALUES (1)) one LEFT JOIN last l ON true
					"""
				.formatted(
						JobEndings.archive("ended", "all_failures", "coalesce(began_at, started_at)",
								AttemptHistory.append("ended", "began_at", "'lost'", "error", "NULL::text")),
						BatchTallies.tally("ended"),
						AttemptHistory.append("j", "t.began_at", "'lost'", "t.error", "NULL::text"));

	private static Parameters set(Parameters parameters, ReaperPosition from) throws SQLException {
		return parameters.value(from.silent()).value(from.expiresAt()).value(from.worker()).value(from.claim());
	}

	/**
	 * Collects the rows of the reaper: rows with one job, rows with the number of jobs of
	 * one kind, rows with the name of a removed worker, and one final row.
	 */
	private static final class ReaperRows {

		private final List<ReapedJobs> taken = new ArrayList<>();

		private final List<LostJob> lost = new ArrayList<>();

		private final JobEndings.EndedJobs ended = new JobEndings.EndedJobs();

		private final List<String> removedWorkers = new ArrayList<>();

		private boolean waiting;

		private boolean keyed;

		private boolean dependent;

		private boolean cancellable;

		private @Nullable ReaperPosition last;

		ReaperRows addAll(ResultSet rows) throws SQLException {
			while (rows.next()) {
				add(rows);
			}
			return this;
		}

		private void add(ResultSet row) throws SQLException {
			if (row.getString("id") != null) {
				lose(row);
			}
			else if (row.getString("queue") != null) {
				this.taken.add(taken(row));
			}
			else if (row.getString("worker") != null) {
				this.removedWorkers.add(row.getString("worker"));
			}
			else {
				this.waiting = row.getBoolean("waiting");
				this.keyed = row.getBoolean("keyed");
				this.dependent = row.getBoolean("dependent");
				this.cancellable = row.getBoolean("cancellable");
				this.last = (row.getObject("last_worker") != null) ? last(row) : null;
			}
		}

		static ReaperPosition last(ResultSet row) throws SQLException {
			return new ReaperPosition(row.getBoolean("last_silent"), row.getString("last_expires_at"),
					row.getObject("last_worker", UUID.class), row.getLong("last_claim"));
		}

		private void lose(ResultSet row) throws SQLException {
			this.lost.add(lost(row));
			if (row.getString("state") != null) {
				this.ended.add(row, false);
			}
		}

		private static ReapedJobs taken(ResultSet row) throws SQLException {
			return new ReapedJobs(Columns.tier(row), Columns.position(row), row.getString("type"),
					row.getString("worker"), state(row), row.getLong("count"));
		}

		private static LostJob lost(ResultSet row) throws SQLException {
			return new LostJob(row.getObject("id", UUID.class), Columns.tier(row), row.getString("type"),
					row.getInt("attempts"), row.getInt("failures"), row.getString("headers"), row.getString("worker"),
					state(row));
		}

		private static @Nullable JobState state(ResultSet row) throws SQLException {
			String state = row.getString("state");
			return (state != null) ? JobState.valueOf(state) : null;
		}

		/**
		 * Return the result, with the claim to continue after.
		 */
		ReaperPass pass(@Nullable ReaperPosition last) {
			return new ReaperPass(this.taken, this.lost, this.ended.jobs(), this.removedWorkers, this.waiting,
					this.keyed, this.dependent, this.cancellable, this.ended.available(), last);
		}

	}

}
