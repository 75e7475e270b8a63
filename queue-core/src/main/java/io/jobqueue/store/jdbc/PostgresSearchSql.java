package io.jobqueue.store.jdbc;

/**
 * How people find jobs on PostgreSQL. A search walks through an index from a place on,
 * some jobs at a time, and tests these against the whole query: what one step costs does
 * not depend on how many jobs there are, nor on how many of them are wanted.
 */
final class PostgresSearchSql {

	/**
	 * Only a step behind very many dead rows takes long.
	 */
	static final String BEGIN = PostgresSql.BEGIN + ", set_config('statement_timeout', '5s', true)";

	private static final String COLUMNS = """
			       v.id, v.seq, v.queue, v.type, v.priority, v.state, v.attempts, v.failures, v.expected_failures,
			       v.max_attempts, v.created_at, v.run_at, v.finished_at, v.headers, v.unique_key, v.ordering_key,
			       v.limit_key, v.job_group, v.last_error, v.progress_percent, v.progress_message,
			       v.cancel_requested AND v.finished_at IS NULL AS cancel_requested, v.ancestor_id,
			       coalesce((SELECT w.name FROM jobqueue_worker w WHERE w.id = v.locked_by), v.locked_by::text) AS worker
			""";

	static final String FIND = "SELECT\n" + COLUMNS + """
			FROM jobqueue_jobs v
			WHERE v.id = ?
			""";

	static final String PAYLOAD = """
			SELECT left(payload, ?) AS first_text, substring(payload_bytes FOR ?) AS first_bytes,
			       coalesce(length(payload), octet_length(payload_bytes)) AS size
			FROM jobqueue_jobs
			WHERE id = ?
			""";

	static final String FIND_BY_KEY = "SELECT\n" + COLUMNS + """
			FROM jobqueue_key k
			JOIN jobqueue_job j ON j.id = coalesce(
			    (SELECT f.id FROM jobqueue_job f WHERE f.id = k.job_id), k.follow_up_id)
			JOIN jobqueue_jobs v ON v.id = j.id
			WHERE k.queue = ? AND k.unique_key = ?
			""";

	private static final String WANTED = """
			WITH wanted AS (
			    SELECT ?::text AS queue, ?::text[] AS states, ?::text AS type, ?::text AS key, ?::text AS job_group,
			           ?::text AS error, 'epoch'::timestamptz + ?::bigint * interval '1 microsecond' AS enqueued_from,
			           'epoch'::timestamptz + ?::bigint * interval '1 microsecond' AS enqueued_before,
			           'epoch'::timestamptz + ?::bigint * interval '1 microsecond' AS finished_from,
			           'epoch'::timestamptz + ?::bigint * interval '1 microsecond' AS finished_before,
			           ?::bigint AS from_position, ?::text AS after_queue, ?::smallint AS after_priority,
			           coalesce('epoch'::timestamptz + ?::bigint * interval '1 microsecond', 'infinity') AS after_run_at,
			           ?::bigint AS after_seq, ?::uuid AS after_id, ?::integer AS step, ?::integer AS page
			""";

	/**
	 * In the order of claims, which the index of claims has.
	 */
	private static final String IN_ORDER_OF_CLAIMS = """
			), looked_at AS (
			    SELECT n.*, row_number() OVER (ORDER BY n.queue, n.priority, n.run_at, n.seq) AS number
			    FROM wanted w
			    CROSS JOIN LATERAL (
			        SELECT j.id, j.queue, j.priority, j.run_at, j.seq
			""";

	private static final String BEHIND = """
			          AND (j.queue, j.priority, j.run_at, j.seq)
			              > (w.after_queue, w.after_priority, w.after_run_at, w.after_seq)
			        ORDER BY j.queue, j.priority, j.run_at, j.seq LIMIT w.step) n
			""";

	/**
	 * Where no queue is named, the last one is the end.
	 */
	private static final String IN_QUEUE = """
			        WHERE j.queue <= coalesce(w.queue, (SELECT max(queue) FROM jobqueue_job))
			""" + BEHIND;

	private static final String NEWEST_FIRST = """
			), looked_at AS (
			    SELECT n.id, NULL::text AS queue, NULL::smallint AS priority, NULL::timestamptz AS run_at, NULL::bigint AS seq,
			           row_number() OVER (ORDER BY n.id DESC) AS number
			    FROM wanted w
			    CROSS JOIN LATERAL (
			        SELECT a.id FROM jobqueue_archive a
			        WHERE a.id < w.after_id
			""";

	private static final String NEXT = """
			        ORDER BY a.id DESC LIMIT w.step) n
			""";

	/**
	 * Each row tells how far the step got, and those that meet the query where they were.
	 * LIMIT 1 has each job looked up by its id: the planner cannot know that a step is
	 * small.
	 */
	private static final String MATCHING = """
			), matching AS (
			    SELECT l.number, (extract(epoch FROM nullif(l.run_at, 'infinity')) * 1000000)::bigint AS place_micros,
			""" + COLUMNS
			+ """
					    FROM wanted w
					    CROSS JOIN looked_at l
					    CROSS JOIN LATERAL (SELECT * FROM jobqueue_jobs j WHERE j.id = l.id LIMIT 1) v
					    WHERE (w.queue IS NULL OR v.queue = w.queue)
					      AND (cardinality(w.states) = 0 OR v.state = ANY (w.states))
					      AND (w.type IS NULL OR v.type = w.type)
					      AND (w.key IS NULL OR v.unique_key = w.key)
					      AND (w.job_group IS NULL OR v.job_group = w.job_group)
					      AND (w.enqueued_from IS NULL OR v.created_at >= w.enqueued_from)
					      AND (w.enqueued_before IS NULL OR v.created_at < w.enqueued_before)
					      AND (w.finished_from IS NULL OR v.finished_at >= w.finished_from)
					      AND (w.finished_before IS NULL OR v.finished_at < w.finished_before)
					      AND (w.from_position IS NULL OR v.seq >= w.from_position)
					      AND (w.error IS NULL OR position(lower(w.error) IN lower(v.last_error)) > 0)
					    ORDER BY l.number
					    LIMIT (SELECT page FROM wanted)
					), look AS (
					    SELECT l.number AS looked_at, l.id AS last_id, l.queue AS last_queue, l.priority AS last_priority,
					           (extract(epoch FROM nullif(l.run_at, 'infinity')) * 1000000)::bigint AS last_micros, l.seq AS last_seq
					    FROM looked_at l
					    ORDER BY l.number DESC
					    LIMIT 1
					)
					SELECT l.*, m.* FROM look l LEFT JOIN matching m ON true ORDER BY m.number
					""";

	static final String LIVE = WANTED + IN_ORDER_OF_CLAIMS + """
			        FROM jobqueue_job j
			""" + IN_QUEUE + MATCHING;

	static final String FAILED = WANTED + IN_ORDER_OF_CLAIMS + """
			        FROM (
			            SELECT * FROM jobqueue_job WHERE failures > 0 OR expected_failures IS NOT NULL) j
			""" + IN_QUEUE + MATCHING;

	/**
	 * LIMIT 1 has each looked up by its id, whatever the order suggests.
	 */
	static final String RUNNING = WANTED + IN_ORDER_OF_CLAIMS + """
			        FROM jobqueue_claim c
			        CROSS JOIN LATERAL unnest(c.job_ids) AS i (id)
			        CROSS JOIN LATERAL (
			            SELECT * FROM jobqueue_job h
			            WHERE h.id = i.id AND h.claim = c.claim AND h.locked_by = c.worker_id LIMIT 1) j
			        WHERE (w.queue IS NULL OR c.queue = w.queue)
			""" + BEHIND + MATCHING;

	static final String OF_GROUP = WANTED + IN_ORDER_OF_CLAIMS + """
			        FROM (SELECT * FROM jobqueue_job g WHERE g.job_group = w.job_group) j
			""" + IN_QUEUE + MATCHING;

	static final String OF_KEY = WANTED + IN_ORDER_OF_CLAIMS + """
			        FROM jobqueue_key k
			        CROSS JOIN LATERAL unnest(ARRAY[k.job_id, k.follow_up_id]) AS i (id)
			        CROSS JOIN LATERAL (SELECT * FROM jobqueue_job h WHERE h.id = i.id LIMIT 1) j
			        WHERE k.queue = w.queue AND k.unique_key = w.key
			""" + BEHIND + MATCHING;

	static final String ARCHIVED = WANTED + NEWEST_FIRST + NEXT + MATCHING;

	static final String ARCHIVED_OLDEST_FIRST = WANTED
			+ """
					), looked_at AS (
					    SELECT n.id, NULL::text AS queue, NULL::smallint AS priority, NULL::timestamptz AS run_at, NULL::bigint AS seq,
					           row_number() OVER (ORDER BY n.id) AS number
					    FROM wanted w
					    CROSS JOIN LATERAL (
					        SELECT a.id FROM jobqueue_archive a
					        WHERE a.id > w.after_id
					        ORDER BY a.id LIMIT w.step) n
					"""
			+ MATCHING;

	static final String UNSUCCESSFUL = WANTED + NEWEST_FIRST + """
			          AND (a.state = 'SUCCEEDED') IS FALSE
			""" + NEXT + MATCHING;

	/**
	 * The order leaves no choice of another index, which the planner might take for as
	 * good.
	 */
	static final String UNSUCCESSFUL_OF_QUEUE = WANTED + NEWEST_FIRST
			+ """
					          AND (a.state = 'SUCCEEDED') IS FALSE AND (a.queue, a.id) < (w.queue, w.after_id) AND a.queue >= w.queue
					        ORDER BY a.queue DESC, a.id DESC LIMIT w.step) n
					"""
			+ MATCHING;

	static final String ARCHIVED_OF_GROUP = WANTED + NEWEST_FIRST + """
			          AND a.queue = w.queue AND a.job_group = w.job_group
			""" + NEXT + MATCHING;

	static final String ARCHIVED_OF_KEY = WANTED + NEWEST_FIRST + """
			          AND a.queue = w.queue AND a.unique_key = w.key
			""" + NEXT + MATCHING;

	/**
	 * Counts a small archive. In a large one, those that did not succeed are counted up
	 * to a cap, queue by queue; what else there is of a queue is what the last ANALYZE
	 * has seen.
	 */
	static final String COUNT_FINISHED = """
			WITH RECURSIVE newest AS MATERIALIZED (
			    SELECT queue, state FROM jobqueue_archive ORDER BY id DESC LIMIT 10001
			), size AS (
			    SELECT count(*) > 10000 AS large FROM newest
			), unsuccessful_queue (queue) AS (
			    SELECT min(queue) FROM jobqueue_archive WHERE (state = 'SUCCEEDED') IS FALSE
			    UNION ALL
			    SELECT (SELECT min(a.queue) FROM jobqueue_archive a WHERE (a.state = 'SUCCEEDED') IS FALSE AND a.queue > u.queue)
			    FROM unsuccessful_queue u
			    WHERE u.queue IS NOT NULL
			), unsuccessful AS (
			    SELECT u.queue, c.state, count(*) AS jobs, sum(count(*)) OVER (PARTITION BY u.queue) >= 10000 AS capped
			    FROM unsuccessful_queue u
			    CROSS JOIN LATERAL (
			        SELECT a.state FROM jobqueue_archive a
			        WHERE a.queue = u.queue AND (a.state = 'SUCCEEDED') IS FALSE
			        ORDER BY a.id DESC LIMIT 10000) c
			    WHERE (SELECT large FROM size)
			    GROUP BY u.queue, c.state
			), seen AS (
			    SELECT v.queue, (v.share * greatest(0, t.reltuples))::bigint AS jobs
			    FROM pg_class t
			    JOIN pg_namespace n ON n.oid = t.relnamespace
			    JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = t.relname AND s.attname = 'queue'
			    CROSS JOIN LATERAL unnest(s.most_common_vals::text::text[], s.most_common_freqs) AS v (queue, share)
			    WHERE t.oid = to_regclass(?) AND (SELECT large FROM size)
			)
			SELECT queue, state, count(*) AS jobs, false AS estimated
			FROM newest
			WHERE NOT (SELECT large FROM size)
			GROUP BY queue, state
			UNION ALL
			SELECT queue, state, jobs, capped FROM unsuccessful
			UNION ALL
			SELECT queue, 'SUCCEEDED', greatest(
			           coalesce((SELECT jobs FROM seen s WHERE s.queue = q.queue), 0)
			               - coalesce((SELECT sum(jobs) FROM unsuccessful u WHERE u.queue = q.queue), 0),
			           (SELECT count(*) FROM newest w WHERE w.queue = q.queue AND w.state = 'SUCCEEDED'))::bigint, true
			FROM (SELECT queue FROM newest UNION SELECT queue FROM seen) q
			WHERE (SELECT large FROM size)
			""";

	static final String NOW = """
			SELECT statement_timestamp() AS now
			""";

	static final String COUNT_GROUP = """
			SELECT state, count(*) AS jobs
			FROM jobqueue_jobs
			WHERE queue = ? AND job_group = ?
			GROUP BY state
			""";

	static final String COUNT_GROUP_OF_ALL_QUEUES = """
			SELECT state, count(*) AS jobs
			FROM jobqueue_jobs
			WHERE job_group = ?
			GROUP BY state
			""";

	private PostgresSearchSql() {
	}

}
