package io.jobqueue.store.jdbc;

/**
 * What becomes of claimed jobs on PostgreSQL. Each statement names the claim, and changes
 * nothing where that was lost.
 */
final class PostgresOutcomeSql {

	/**
	 * Whoever has an ordering or a limit key comes to the gate again.
	 */
	private static final String LATER = """
			    run_at = CASE WHEN coalesce(j.ordering_key, j.limit_key) IS NULL
			                  THEN statement_timestamp() + o.delay_millis * interval '1 millisecond' ELSE 'infinity' END,
			    due_at = CASE WHEN coalesce(j.ordering_key, j.limit_key) IS NOT NULL
			                  THEN statement_timestamp() + o.delay_millis * interval '1 millisecond' END,
			    gate = CASE WHEN coalesce(j.ordering_key, j.limit_key) IS NOT NULL THEN 'NEW' END
			""";

	private static final String RETURNING_WHEN = """
			WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			RETURNING j.id, j.queue, j.priority, coalesce(j.due_at, j.run_at) AS run_at, j.seq, j.gate IS NOT NULL AS gated,
			          j.cancel_requested, o.delay_millis AS due_in_millis
			""";

	static final String RENEW = """
			UPDATE jobqueue_job
			SET lease_until = statement_timestamp() + interval '2 seconds' + ? * interval '1 millisecond'
			WHERE id = ? AND claim = ? AND locked_by = ?
			""";

	/**
	 * What somebody else keeps locked waits for another time.
	 */
	static final String REPORT = """
			WITH reported AS (
			    SELECT j.ctid AS tid, o.percent, o.message
			    FROM unnest(?::uuid[], ?::bigint[], ?::integer[], ?::text[]) AS o (id, claim, percent, message)
			    JOIN jobqueue_job j ON j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			    FOR UPDATE OF j SKIP LOCKED
			)
			UPDATE jobqueue_job j SET progress_percent = r.percent, progress_message = r.message
			FROM reported r
			WHERE j.ctid = r.tid
			RETURNING j.id
			""";

	/**
	 * Lets go of unique keys too, or remembers them for a while, and lets the jobs run
	 * that waited for these. Keys and jobs that somebody is about to change are left to
	 * the upkeep: nobody's business holds up a completion. A job that still follows
	 * another leaves the key to that.
	 */
	private static final String LEAVE = """
			), archived AS (
			    INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, keep_until, max_run_millis,
			                                  dedupe_millis, ancestor_id, locked_by, attempts, failures, expected_failures, max_attempts, priority, state,
			                                  queue, type, payload, payload_bytes, headers, unique_key, ordering_key, limit_key,
			                                  job_group, last_error, progress_percent, progress_message)
			    SELECT id, seq, coalesce(due_at, run_at), created_at, statement_timestamp(),
			           statement_timestamp() + keep_millis * interval '1 millisecond', max_run_millis,
			           dedupe_millis, ancestor_id, locked_by, attempts, failures + (state = 'DEAD')::integer, expected_failures, max_attempts, priority, state,
			           queue, type, payload, payload_bytes, headers, unique_key, ordering_key, limit_key, job_group,
			           coalesce(error, last_error), progress_percent, progress_message
			    FROM gone
			    WHERE keep_millis IS DISTINCT FROM 0
			), remembered AS (
			    INSERT INTO jobqueue_dedupe AS d (queue, unique_key, job_id, ends_at)
			    SELECT DISTINCT ON (queue, unique_key) queue, unique_key, id,
			           statement_timestamp() + window_millis * interval '1 millisecond'
			    FROM gone
			    WHERE unique_key IS NOT NULL AND window_millis > 0
			    ORDER BY queue, unique_key, window_millis DESC
			    ON CONFLICT (queue, unique_key)
			        DO UPDATE SET job_id = excluded.job_id, ends_at = greatest(d.ends_at, excluded.ends_at)
			), freed AS (
			    DELETE FROM jobqueue_key k
			    USING gone g
			    CROSS JOIN LATERAL (
			        SELECT u.ctid AS tid FROM jobqueue_key u
			        WHERE u.queue = g.queue AND u.unique_key = g.unique_key AND coalesce(u.follow_up_id, u.job_id) = g.id
			        FOR UPDATE SKIP LOCKED) f
			    WHERE g.unique_key IS NOT NULL AND g.follows IS NULL AND k.ctid = f.tid
			), next AS (
			    UPDATE jobqueue_job j
			    SET run_at = CASE WHEN f.gated THEN 'infinity' ELSE greatest(j.due_at, statement_timestamp()) END,
			        due_at = CASE WHEN f.gated THEN greatest(j.due_at, statement_timestamp()) END,
			        gate = CASE WHEN f.gated THEN 'NEW' END, follows = NULL
			    FROM gone g
			    CROSS JOIN LATERAL (
			        SELECT w.ctid AS tid, w.ordering_key IS NOT NULL OR w.limit_key IS NOT NULL AS gated
			        FROM jobqueue_job w
			        WHERE w.follows = g.id FOR UPDATE SKIP LOCKED) f
			    WHERE g.unique_key IS NOT NULL AND j.ctid = f.tid
			    RETURNING j.queue, j.priority, coalesce(j.due_at, j.run_at) AS run_at, j.seq, f.gated
			)
			""";

	/**
	 * Whatever is no success after a request to cancel is a cancellation.
	 */
	static final String FINISH = """
			WITH gone AS (
			    DELETE FROM jobqueue_job j
			    USING unnest(?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::bigint[])
			        AS o (id, claim, state, error, keep_millis, window_millis)
			    WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			    RETURNING j.*, o.error,
			              CASE WHEN o.state <> 'SUCCEEDED' AND j.cancel_requested THEN 'CANCELLED' ELSE o.state END AS state,
			              CASE WHEN o.state <> 'SUCCEEDED' AND j.cancel_requested THEN j.keep_cancelled_millis
			                   ELSE o.keep_millis END AS keep_millis,
			              CASE WHEN o.state = 'SUCCEEDED' THEN coalesce(o.window_millis, j.dedupe_millis) END AS window_millis
			"""
			+ LEAVE
			+ """
					SELECT id, state, NULL AS queue, NULL::smallint AS priority, NULL::timestamptz AS run_at, NULL::bigint AS seq,
					       NULL::double precision AS due_in_millis, NULL::boolean AS gated
					FROM gone
					UNION ALL
					SELECT NULL, NULL, queue, priority, run_at, seq, date_part('epoch', run_at - statement_timestamp()) * 1000, gated
					FROM next
					""";

	/**
	 * Ends jobs whose cancellation was requested, and that nobody runs.
	 */
	static final String CANCEL = """
			WITH gone AS (
			    DELETE FROM jobqueue_job j
			    WHERE j.id = ANY (?::uuid[]) AND j.cancel_requested AND j.locked_by IS NULL
			    RETURNING j.*, NULL::text AS error, 'CANCELLED' AS state, j.keep_cancelled_millis AS keep_millis,
			              NULL::bigint AS window_millis
			""" + LEAVE
			+ """
					SELECT id, state, queue, priority, coalesce(due_at, run_at) AS run_at, seq, NULL::double precision AS due_in_millis,
					       type, attempts, max_attempts, created_at, headers, ordering_key, limit_key, NULL::boolean AS gated
					FROM gone
					UNION ALL
					SELECT NULL, NULL, queue, priority, run_at, seq, date_part('epoch', run_at - statement_timestamp()) * 1000,
					       NULL, NULL, NULL, NULL, NULL, NULL, NULL, gated
					FROM next
					""";

	static final String RETRY_LATER = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, last_error = o.error,
			    failures = least(j.failures + (NOT o.expected)::integer, 1000000000),
			    expected_failures = CASE WHEN o.expected THEN least(coalesce(j.expected_failures, 0) + 1, 1000000000)
			                             ELSE j.expected_failures END,
			""" + LATER + """
			FROM unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::boolean[])
			    AS o (id, claim, delay_millis, error, expected)
			""" + RETURNING_WHEN;

	static final String RELEASE = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, attempts = j.attempts - 1
			FROM unnest(?::uuid[], ?::bigint[]) AS o (id, claim)
			WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			RETURNING j.id, j.queue, j.priority, j.run_at, j.seq, false AS gated, j.cancel_requested,
			          date_part('epoch', j.run_at - statement_timestamp()) * 1000 AS due_in_millis
			""";

	static final String SNOOZE = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, attempts = j.attempts - 1,
			""" + LATER + """
			FROM unnest(?::uuid[], ?::bigint[], ?::bigint[]) AS o (id, claim, delay_millis)
			""" + RETURNING_WHEN;

	/**
	 * Locks those that are free for no longer than this takes.
	 */
	static final String LOCKED = """
			WITH free AS (
			    SELECT id FROM jobqueue_job WHERE id = ANY (?::uuid[]) FOR UPDATE SKIP LOCKED
			)
			SELECT j.id
			FROM jobqueue_job j
			WHERE j.id = ANY (?::uuid[]) AND NOT EXISTS (SELECT 1 FROM free f WHERE f.id = j.id)
			""";

	/**
	 * Does not touch the jobs, which may be locked.
	 */
	static final String KEEP = """
			UPDATE jobqueue_claim c
			SET expires_at = greatest(c.expires_at, statement_timestamp() + ? * interval '1 millisecond')
			FROM (
			    SELECT ctid AS tid FROM jobqueue_claim
			    WHERE worker_id = ? AND claim = ANY (?::bigint[])
			    FOR UPDATE SKIP LOCKED) f
			WHERE c.ctid = f.tid
			RETURNING c.claim
			""";

	static final String END_CLAIMS = """
			DELETE FROM jobqueue_claim WHERE worker_id = ? AND claim = ANY (?::bigint[])
			""";

	private PostgresOutcomeSql() {
	}

}
