package io.jobqueue.store.jdbc;

/**
 * What happens to unique keys on PostgreSQL. A key's row says which jobs it is about;
 * whether it is taken is asked of the jobs themselves. Only those who enqueue with a key
 * wait for its row: they may hold it for as long as their business takes.
 */
final class PostgresKeySql {

	/**
	 * In an order that all agree on, so that no two wait for each other. A key that
	 * nobody has had belongs to the job that is about to be added. The next statement is
	 * planned once for many times, perhaps while the tables are tiny: it must not scan
	 * them when they have grown.
	 */
	static final String LOCK = """
			WITH locked AS (
			    INSERT INTO jobqueue_key (queue, unique_key, job_id, used_by)
			    SELECT n.queue, n.unique_key, n.id, pg_current_xact_id()
			    FROM unnest(?::text[], ?::text[], ?::uuid[]) AS n (queue, unique_key, id)
			    ORDER BY n.queue COLLATE "C", n.unique_key COLLATE "C"
			    ON CONFLICT (queue, unique_key) DO UPDATE SET used_by = excluded.used_by
			)
			SELECT current_setting('enable_seqscan') AS seqscan, set_config('enable_seqscan', 'off', true)
			""";

	/**
	 * Looks at what is there once the keys are locked, and decides; gives the caller's
	 * setting back in the end. Under a stricter isolation than READ COMMITTED, a key's
	 * row that is gone may still be seen beside the own one. A waiting job that is
	 * locked, or is no longer as it was seen, is taken for one that begins to run: to
	 * wait for its claim would mean to lock it while it runs. A blocked one is claimed by
	 * nobody, and whoever lets it run or cancels it does so at once. What is added behind
	 * a job that is there waits for it at infinity. Whoever has an ordering or a limit
	 * key comes to the gate, also when it had passed; a retry that is held back and has
	 * neither stays so.
	 */
	static final String ENQUEUE = """
			WITH seen AS (
			    SELECT n.*, k.job_id AS key_job_id,
			           CASE WHEN g.gone THEN g.other_id ELSE coalesce(j.id, f.id) END AS live_id,
			           CASE WHEN g.gone THEN g.other_id ELSE coalesce(f.id, j.id) END AS last_id,
			           CASE WHEN j.id IS NOT NULL THEN j.running ELSE f.running END AS running,
			           coalesce(w.id, CASE WHEN b.waits THEN b.id END) AS held_id,
			           CASE WHEN e.ends_at > statement_timestamp() THEN e.job_id END AS succeeded_id,
			           greatest(statement_timestamp(), coalesce(
			               'epoch'::timestamptz + n.run_at_micros * interval '1 microsecond',
			               statement_timestamp() + n.delay_millis * interval '1 millisecond')) AS due_at
			    FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::smallint[], ?::bigint[],
			                ?::bigint[], ?::integer[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
			                ?::text[], ?::bigint[])
			        WITH ORDINALITY
			        AS n (id, queue, type, payload, payload_bytes, priority, run_at_micros, delay_millis, max_attempts,
			              max_run_millis, headers, ordering_key, limit_key, job_group, unique_key, on_duplicate, dedupe_millis,
			              place)
			    LEFT JOIN LATERAL (
			        SELECT k.job_id, k.follow_up_id FROM jobqueue_key k
			        WHERE k.queue = n.queue AND k.unique_key = n.unique_key AND k.used_by = pg_current_xact_id()
			        LIMIT 1) k ON true
			    LEFT JOIN LATERAL (
			        SELECT j.id, j.locked_by IS NOT NULL OR j.cancel_requested AS running, j.due_at IS NOT NULL AS blocked FROM jobqueue_job j
			        WHERE j.id = k.job_id
			        LIMIT 1) j ON true
			    LEFT JOIN LATERAL (
			        SELECT j.id, j.locked_by IS NOT NULL OR j.cancel_requested AS running, j.due_at IS NOT NULL AS blocked FROM jobqueue_job j
			        WHERE j.id = k.follow_up_id
			        LIMIT 1) f ON true
			    LEFT JOIN LATERAL (
			        SELECT d.job_id, d.ends_at FROM jobqueue_dedupe d
			        WHERE d.queue = n.queue AND d.unique_key = n.unique_key
			        LIMIT 1) e ON true
			    LEFT JOIN LATERAL (
			        SELECT l.id FROM jobqueue_job l
			        WHERE l.id = coalesce(f.id, j.id) AND n.on_duplicate <> 'KEEP' AND NOT coalesce(f.blocked, j.blocked)
			          AND l.locked_by IS NULL AND NOT l.cancel_requested
			        FOR UPDATE SKIP LOCKED) w ON true
			    LEFT JOIN LATERAL (
			        SELECT l.id, l.locked_by IS NULL AND NOT l.cancel_requested AS waits FROM jobqueue_job l
			        WHERE l.id = coalesce(f.id, j.id) AND n.on_duplicate <> 'KEEP' AND coalesce(f.blocked, j.blocked)
			        FOR UPDATE) b ON true
			    CROSS JOIN LATERAL (
			        SELECT b.id IS NULL AND n.on_duplicate <> 'KEEP' AND coalesce(f.blocked, j.blocked, false) AS gone,
			               CASE WHEN f.id IS NOT NULL THEN j.id END AS other_id) g
			), decided AS (
			    SELECT s.*,
			           CASE WHEN s.live_id IS NULL AND s.succeeded_id IS NULL THEN 'ADDED'
			                WHEN s.live_id IS NULL AND s.on_duplicate IN ('KEEP', 'UPDATE') THEN 'RECENTLY_SUCCEEDED'
			                WHEN s.live_id IS NULL THEN 'REQUEUED'
			                WHEN s.on_duplicate = 'KEEP' AND NOT s.running THEN 'ALREADY_WAITING'
			                WHEN s.on_duplicate = 'KEEP' THEN 'ALREADY_RUNNING'
			                WHEN s.held_id IS NULL AND s.on_duplicate = 'UPDATE' THEN 'ALREADY_RUNNING'
			                WHEN s.held_id IS NULL OR (s.running AND s.on_duplicate <> 'UPDATE') THEN 'REQUEUED'
			                ELSE 'UPDATED' END AS outcome
			    FROM seen s
			), accepted AS (
			    SELECT d.*, d.held_id IS NULL AS is_new, d.held_id IS NULL AND d.last_id IS NOT NULL AS follows,
			           d.ordering_key IS NOT NULL OR d.limit_key IS NOT NULL AS gated
			    FROM decided d
			    WHERE d.outcome IN ('ADDED', 'UPDATED', 'REQUEUED')
			), written AS (
			    INSERT INTO jobqueue_job AS j (id, queue, type, payload, payload_bytes, priority, run_at, due_at, created_at,
			                                   max_attempts, max_run_millis, headers, ordering_key, limit_key,
			                                   job_group, unique_key, dedupe_millis, follows, gate)
			    SELECT coalesce(a.held_id, a.id), a.queue, a.type, a.payload, a.payload_bytes, a.priority,
			           CASE WHEN a.follows OR a.gated THEN 'infinity' ELSE a.due_at END,
			           CASE WHEN a.follows OR a.gated THEN a.due_at END,
			           statement_timestamp(), a.max_attempts, a.max_run_millis, a.headers, a.ordering_key, a.limit_key, a.job_group,
			           a.unique_key, a.dedupe_millis,
			           CASE WHEN a.follows THEN a.last_id END, CASE WHEN a.gated AND NOT a.follows THEN 'NEW' END
			    FROM accepted a
			    ORDER BY a.place
			    ON CONFLICT (id) DO UPDATE
			    SET type = excluded.type, payload = excluded.payload, payload_bytes = excluded.payload_bytes,
			        priority = excluded.priority,
			        run_at = CASE WHEN j.follows IS NOT NULL OR j.due_at IS NOT NULL AND coalesce(j.gate, excluded.gate) IS NULL
			                      THEN j.run_at ELSE excluded.run_at END,
			        due_at = CASE WHEN j.follows IS NOT NULL OR j.due_at IS NOT NULL AND coalesce(j.gate, excluded.gate) IS NULL
			                      THEN coalesce(excluded.due_at, excluded.run_at) ELSE excluded.due_at END,
			        gate = CASE WHEN j.follows IS NULL THEN excluded.gate END,
			        max_attempts = excluded.max_attempts, max_run_millis = excluded.max_run_millis,
			        headers = excluded.headers, ordering_key = excluded.ordering_key, limit_key = excluded.limit_key,
			        job_group = excluded.job_group, dedupe_millis = excluded.dedupe_millis
			    RETURNING j.id, j.due_at IS NOT NULL AND j.gate IS NULL AS blocked, j.attempts, j.created_at
			), handed_over AS (
			    INSERT INTO jobqueue_key AS k (queue, unique_key, job_id, follow_up_id, used_by)
			    SELECT a.queue, a.unique_key, coalesce(a.last_id, a.id), CASE WHEN a.follows THEN a.id END, pg_current_xact_id()
			    FROM accepted a
			    WHERE a.is_new AND a.key_job_id <> a.id
			    ON CONFLICT (queue, unique_key) DO UPDATE SET job_id = excluded.job_id, follow_up_id = excluded.follow_up_id
			)
			SELECT d.outcome,
			       CASE WHEN d.outcome IN ('ADDED', 'REQUEUED') AND d.held_id IS NULL THEN d.id
			            ELSE coalesce(d.held_id, d.live_id, d.succeeded_id) END AS id,
			       w.blocked, w.attempts, coalesce(w.created_at, statement_timestamp()) AS created_at,
			       date_part('epoch', statement_timestamp()) AS at_seconds, (SELECT set_config('enable_seqscan', ?, true))
			FROM decided d
			LEFT JOIN written w ON w.id = coalesce(d.held_id, d.id)
			ORDER BY d.place
			""";

	/**
	 * Looks at some jobs that wait for another, and lets those run whose predecessor is
	 * gone, where that was missed: it finished while the transaction that enqueued them
	 * was open, or was taken away or deleted.
	 */
	static final String RELEASE_FOLLOW_UPS = """
			WITH looked_at AS (
			    SELECT id, follows FROM jobqueue_job WHERE follows > ? ORDER BY follows LIMIT ?
			), orphaned AS (
			    SELECT f.id, f.ordering_key IS NOT NULL OR f.limit_key IS NOT NULL AS gated
			    FROM looked_at l JOIN jobqueue_job f ON f.id = l.id AND f.follows = l.follows
			    WHERE NOT EXISTS (SELECT 1 FROM jobqueue_job p WHERE p.id = l.follows)
			    FOR UPDATE OF f SKIP LOCKED
			), released AS (
			    UPDATE jobqueue_job j
			    SET run_at = CASE WHEN o.gated THEN 'infinity' ELSE greatest(j.due_at, statement_timestamp()) END,
			        due_at = CASE WHEN o.gated THEN greatest(j.due_at, statement_timestamp()) END,
			        gate = CASE WHEN o.gated THEN 'NEW' END, follows = NULL
			    FROM orphaned o
			    WHERE j.id = o.id
			    RETURNING j.queue, j.priority, coalesce(j.due_at, j.run_at) AS run_at, j.seq, o.gated
			)
			SELECT queue, priority, run_at, seq, date_part('epoch', run_at - statement_timestamp()) * 1000 AS due_in_millis,
			       gated, NULL::uuid AS last
			FROM released
			UNION ALL
			SELECT NULL, NULL, NULL, NULL, NULL, NULL, (SELECT follows FROM looked_at ORDER BY follows OFFSET ?::bigint - 1)
			""";

	/**
	 * Ends windows, and lets go of keys that were used in them. A key that somebody has
	 * used since it was looked at stays: what was seen of its jobs is out of date.
	 */
	static final String END_DEDUPES = """
			WITH ended AS (
			    DELETE FROM jobqueue_dedupe
			    WHERE (queue, unique_key) IN (
			        SELECT queue, unique_key FROM jobqueue_dedupe
			        WHERE ends_at <= statement_timestamp()
			        ORDER BY ends_at
			        LIMIT ?
			        FOR UPDATE SKIP LOCKED)
			    RETURNING queue, unique_key
			), stale AS (
			    SELECT k.queue, k.unique_key
			    FROM ended e
			    JOIN jobqueue_key s ON s.queue = e.queue AND s.unique_key = e.unique_key
			    JOIN jobqueue_key k ON k.queue = s.queue AND k.unique_key = s.unique_key AND k.used_by = s.used_by
			    WHERE NOT EXISTS (SELECT 1 FROM jobqueue_job j WHERE j.id IN (s.job_id, s.follow_up_id))
			    FOR UPDATE OF k SKIP LOCKED
			), freed AS (
			    DELETE FROM jobqueue_key k USING stale s WHERE k.queue = s.queue AND k.unique_key = s.unique_key
			)
			SELECT count(*) FROM ended
			""";

	/**
	 * Looks at some keys behind a given one, and removes those whose jobs are gone.
	 */
	static final String SWEEP = """
			WITH looked_at AS (
			    SELECT * FROM jobqueue_key
			    WHERE (queue, unique_key) > (?, ?)
			    ORDER BY queue, unique_key
			    LIMIT ?
			), stale AS (
			    SELECT k.queue, k.unique_key
			    FROM looked_at s
			    JOIN jobqueue_key k ON k.queue = s.queue AND k.unique_key = s.unique_key AND k.used_by = s.used_by
			    WHERE NOT EXISTS (SELECT 1 FROM jobqueue_job j WHERE j.id IN (s.job_id, s.follow_up_id))
			    FOR UPDATE OF k SKIP LOCKED
			), freed AS (
			    DELETE FROM jobqueue_key k USING stale s WHERE k.queue = s.queue AND k.unique_key = s.unique_key
			)
			SELECT queue, unique_key FROM looked_at ORDER BY queue, unique_key OFFSET ?::bigint - 1
			""";

	private PostgresKeySql() {
	}

}
