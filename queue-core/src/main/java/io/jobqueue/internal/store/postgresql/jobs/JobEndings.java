package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.ClaimedJob.HeldKeys;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Statements that remove jobs from the table of live jobs and insert them into the
 * archive, unless their retention is zero.
 */
final class JobEndings {

	/**
	 * Inserts ended jobs into the archive unless their retention is zero.
	 */
	private static final String ARCHIVE = """
			INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, keep_until, max_run_millis,
			                              dedupe_millis, ancestor_id, parent_id, root_id, batch_id, locked_by, attempts, failures,
			                              expected_failures, max_attempts, priority, state,
			                              queue, type, payload, payload_bytes, headers, unique_key, ordering_key, limit_key,
			                              job_group, last_error, progress_percent, progress_message, started_at, history, expires_at)
			SELECT id, seq, coalesce(due_at, run_at), created_at, statement_timestamp(),
			       statement_timestamp() + keep_millis * interval '1 millisecond', max_run_millis,
			       dedupe_millis, ancestor_id, parent_id, root_id, batch_id, locked_by, attempts, %s, expected_failures, max_attempts,
			       priority, state,
			       queue, type, payload, payload_bytes, headers, unique_key, ordering_key, limit_key, job_group,
			       coalesce(error, last_error), progress_percent, progress_message, %s, %s, expires_at
			FROM %s
			WHERE keep_millis IS DISTINCT FROM 0""";

	/**
	 * Return the insertion of ended jobs into the archive, for a statement that removes
	 * them from the live jobs.
	 * @param jobs the relation of the removed jobs
	 * @param failures the number of failures of each
	 * @param startedAt when its last attempt began
	 * @param history its history
	 */
	static String archive(String jobs, String failures, String startedAt, String history) {
		return ARCHIVE.formatted(failures, startedAt, history, jobs);
	}

	/**
	 * Archives the jobs, inserts deduplication windows, deletes unique keys, and makes
	 * the jobs due that followed. Locked keys and jobs are skipped and left to the
	 * maintenance, so that no open transaction delays a completion. The key of a job that
	 * still follows another one is not deleted: that one has the key. A follow-up that
	 * also waits for predecessors stays blocked. Jobs that are not kept and did not
	 * succeed leave a row for the jobs that wait for them. Members of batches are
	 * counted.
	 */
	private static final String LEAVE = """
			), archived AS (
			%s
			), tallied AS (
			%s
			), unarchived AS (
			    INSERT INTO jobqueue_unarchived (id, removed_at)
			    SELECT id, statement_timestamp() FROM ended WHERE keep_millis = 0 AND state <> 'SUCCEEDED'
			    ON CONFLICT (id) DO NOTHING
			), windows AS (
			    INSERT INTO jobqueue_dedupe AS d (queue, unique_key, job_id, ends_at)
			    SELECT DISTINCT ON (queue, unique_key) queue, unique_key, id,
			           statement_timestamp() + window_millis * interval '1 millisecond'
			    FROM ended
			    WHERE unique_key IS NOT NULL AND window_millis > 0
			    ORDER BY queue, unique_key, window_millis DESC
			    ON CONFLICT (queue, unique_key)
			        DO UPDATE SET job_id = excluded.job_id, ends_at = greatest(d.ends_at, excluded.ends_at)
			), freed AS (
			    DELETE FROM jobqueue_key k
			    USING ended g
			    CROSS JOIN LATERAL (
			        SELECT u.ctid AS tid FROM jobqueue_key u
			        WHERE u.queue = g.queue AND u.unique_key = g.unique_key AND coalesce(u.follow_up_id, u.job_id) = g.id
			        FOR UPDATE SKIP LOCKED) f
			    WHERE g.unique_key IS NOT NULL AND g.follows IS NULL AND k.ctid = f.tid
			), next AS (
			    UPDATE jobqueue_job j
			    SET run_at = CASE WHEN f.pending OR f.depends THEN 'infinity' ELSE greatest(j.due_at, statement_timestamp()) END,
			        due_at = CASE WHEN f.pending OR f.depends THEN greatest(j.due_at, statement_timestamp()) END,
			        admission = CASE WHEN f.depends THEN 'PREDECESSORS' WHEN f.pending THEN 'PENDING' END, follows = NULL
			    FROM ended g
			    CROSS JOIN LATERAL (
			        SELECT w.ctid AS tid, w.ordering_key IS NOT NULL OR w.limit_key IS NOT NULL AS pending,
			               w.admission IS NOT NULL AS depends
			        FROM jobqueue_job w
			        WHERE w.follows = g.id FOR UPDATE SKIP LOCKED) f
			    WHERE g.unique_key IS NOT NULL AND j.ctid = f.tid
			    RETURNING j.queue, j.priority, coalesce(j.due_at, j.run_at) AS run_at, j.seq, f.pending, f.depends
			)
			""";

	static String leave(String archived) {
		return LEAVE.formatted(archived, BatchTallies.tally("ended"));
	}

	private static String leaveUnclaimed() {
		return leave(archive("ended", "failures", "started_at", "history"));
	}

	private JobEndings() {
	}

	private static String cancel(String condition) {
		return """
				WITH ended AS (
				    DELETE FROM jobqueue_job j
				    WHERE j.id = ANY (?::uuid[]) AND j.cancel_requested AND j.locked_by IS NULL""" + condition + """

				    RETURNING j.*, NULL::text AS error, 'CANCELLED' AS state, j.keep_cancelled_millis AS keep_millis,
				              NULL::bigint AS window_millis
				""" + leaveUnclaimed() + ENDED;
	}

	/**
	 * Jobs that end without an attempt no longer wait for their predecessors.
	 */
	private static final String ENDED = """
			, independent AS (
			    DELETE FROM jobqueue_dependency d
			    USING ended g
			    WHERE g.admission = 'PREDECESSORS' AND d.job_id = g.id
			)
			SELECT id, state, queue, priority, coalesce(due_at, run_at) AS run_at, seq, NULL::double precision AS due_in_millis,
			       type, attempts, max_attempts, created_at, headers, ordering_key, limit_key, has_successors,
			       batch_id, state = 'CANCELLED' AND NOT cancel_requested AS expired, NULL::boolean AS pending
			FROM ended
			UNION ALL
			SELECT NULL, NULL, queue, priority, run_at, seq, date_part('epoch', run_at - statement_timestamp()) * 1000,
			       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, pending
			FROM next
			WHERE NOT depends
			""";

	/**
	 * Ends jobs that wait for a failed predecessor and fail with it. Locked jobs are
	 * skipped.
	 */
	static final String FAIL_WITH_PREDECESSOR = """
			WITH failed AS (
			    SELECT j.ctid AS tid, o.keep_millis, 'Predecessor ' || p.predecessor_id || p.how AS error
			    FROM unnest(?::uuid[], ?::bigint[]) AS o (id, keep_millis)
			    JOIN jobqueue_job j ON j.id BETWEEN o.id AND o.id AND j.admission = 'PREDECESSORS'
			    CROSS JOIN LATERAL (
			        SELECT d.predecessor_id, CASE a.state WHEN 'DEAD' THEN ' died' WHEN 'CANCELLED' THEN ' was cancelled'
			                                 ELSE ' failed or was deleted' END AS how
			        FROM jobqueue_dependency d
			        LEFT JOIN jobqueue_archive a ON a.id BETWEEN d.predecessor_id AND d.predecessor_id
			        WHERE d.job_id = j.id AND d.failed AND d.on_failure = 'FAIL'
			        LIMIT 1) p
			    FOR UPDATE OF j SKIP LOCKED
			), ended AS (
			    DELETE FROM jobqueue_job j
			    USING failed f
			    WHERE j.ctid = f.tid
			    RETURNING j.*, f.error, 'DEAD' AS state, f.keep_millis, NULL::bigint AS window_millis
			"""
			+ leaveUnclaimed() + ENDED;

	/**
	 * Cancels unclaimed jobs that have expired or have a cancel request. Locked jobs are
	 * skipped: a claim may be about to begin one.
	 */
	static final String CANCEL_UNCLAIMED = """
			WITH over AS (
			    SELECT j.ctid AS tid,
			           CASE WHEN j.cancel_requested THEN j.keep_cancelled_millis ELSE o.keep_millis END AS keep_millis,
			           CASE WHEN NOT j.cancel_requested THEN 'Not begun in time: expired at '
			               || to_char(j.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END AS error
			    FROM unnest(?::uuid[], ?::bigint[]) AS o (id, keep_millis)
			    JOIN jobqueue_job j ON j.id BETWEEN o.id AND o.id
			    WHERE (j.expires_at <= statement_timestamp() OR j.cancel_requested) AND j.locked_by IS NULL
			    FOR UPDATE OF j SKIP LOCKED
			), ended AS (
			    DELETE FROM jobqueue_job j
			    USING over o
			    WHERE j.ctid = o.tid
			    RETURNING j.*, o.error, 'CANCELLED' AS state, o.keep_millis, NULL::bigint AS window_millis
			""" + leaveUnclaimed() + ENDED;

	/**
	 * Removes jobs that are not running and have a cancel request.
	 */
	static final String CANCEL = cancel("");

	/**
	 * Removes the jobs among them that an earlier statement of the same transaction has
	 * written.
	 */
	static final String CANCEL_WRITTEN = cancel(" AND j.xmin = pg_current_xact_id()::xid");

	/**
	 * Collects the rows of jobs that ended outside a worker, the ordering and limit keys
	 * to release, and the jobs that no longer wait for them.
	 */
	static final class EndedJobs {

		private final List<EndedJob> jobs = new ArrayList<>();

		private final List<HeldKeys> freed = new ArrayList<>();

		private final List<JobsAvailable> available = new ArrayList<>();

		/**
		 * Return a step with one of the statements above.
		 * @param jobs how long the archive keeps each job
		 */
		Step step(String sql, Map<UUID, @Nullable Duration> jobs) {
			return new Step(sql, (parameters) -> parameters.uuids(jobs.keySet(), (id) -> id)
				.bigints(jobs.values(), Columns::ofDuration), this::take);
		}

		Step step(String sql, Collection<UUID> ids) {
			return new Step(sql, (parameters) -> parameters.uuids(ids, (id) -> id), this::take);
		}

		private void take(ResultSet row) throws SQLException {
			if (row.getObject("id") != null) {
				add(row, row.getBoolean("expired"));
			}
			else {
				this.available.add(Columns.jobsAvailable(row));
			}
		}

		void add(ResultSet row, boolean expired) throws SQLException {
			this.jobs.add(new EndedJob(row.getObject("id", UUID.class), JobState.valueOf(row.getString("state")),
					Columns.tier(row), row.getString("type"), Columns.instant(row, "run_at"), row.getInt("attempts"),
					row.getObject("max_attempts", Integer.class), Columns.instant(row, "created_at"),
					row.getString("headers"), row.getBoolean("has_successors"), row.getObject("batch_id", UUID.class),
					expired));
			HeldKeys keys = AdmissionControl.keys(row);
			if (keys != null) {
				this.freed.add(keys);
			}
		}

		/**
		 * Release the ordering and limit keys of the jobs.
		 */
		void releaseKeys(AdmissionControl admissionControl) {
			this.available.addAll(admissionControl.releaseKeys(this.freed));
		}

		List<EndedJob> jobs() {
			return this.jobs;
		}

		List<UUID> ids() {
			return this.jobs.stream().map(EndedJob::id).toList();
		}

		List<JobsAvailable> available() {
			return this.available;
		}

	}

}
