package io.jobqueue.internal.store.postgresql.search;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;

/**
 * The statements of a search, chosen so that an index excludes as many unwanted jobs as
 * possible.
 *
 * @param live the statement that reads live jobs, {@code null} to read none
 * @param archived the statement that reads archived jobs, {@code null} to read none
 * @param firstArchived the position at which the latter starts
 * @param oldestArchived the position before which no archived job is wanted
 */
record SearchPlans(@Nullable String live, @Nullable String archived, SearchPosition firstArchived,
		SearchPosition oldestArchived) {

	/**
	 * Each row has the last position of the step; rows of matching jobs also have their
	 * own position.
	 */
	private static final String STATEMENT = """
			WITH wanted AS (
			    SELECT ?::text AS queue, ?::text[] AS states, ?::text AS type, ?::text AS key, ?::text AS job_group,
			           ?::uuid AS root_id, ?::uuid AS batch_id, ?::text AS error, ?::text AS fingerprint, 'epoch'::timestamptz + ?::bigint * interval '1 microsecond' AS enqueued_from,
			           'epoch'::timestamptz + ?::bigint * interval '1 microsecond' AS enqueued_before,
			           'epoch'::timestamptz + ?::bigint * interval '1 microsecond' AS finished_from,
			           'epoch'::timestamptz + ?::bigint * interval '1 microsecond' AS finished_before,
			           ?::bigint AS from_position, ?::text AS after_queue, ?::smallint AS after_priority,
			           coalesce('epoch'::timestamptz + ?::bigint * interval '1 microsecond', 'infinity') AS after_run_at,
			           ?::bigint AS after_seq, ?::uuid AS after_id, ?::integer AS step, ?::integer AS page
			), looked_at AS (
			%s
			), %s look AS (
			    SELECT l.number AS looked_at, l.id AS last_id, l.queue AS last_queue, l.priority AS last_priority,
			           (extract(epoch FROM nullif(l.run_at, 'infinity')) * 1000000)::bigint AS last_micros, l.seq AS last_seq
			    FROM looked_at l
			    ORDER BY l.number DESC
			    LIMIT 1
			)
			%s
			""";

	/**
	 * LIMIT 1 makes the planner read each job by its id, because it cannot know that a
	 * step is small.
	 */
	private static final String MATCHING = """
			matching AS (
			    SELECT l.number, (extract(epoch FROM nullif(l.run_at, 'infinity')) * 1000000)::bigint AS micros,
			%s
			    FROM looked_at l
			    CROSS JOIN LATERAL (SELECT * FROM jobqueue_jobs j WHERE j.id = l.id LIMIT 1) v
			    WHERE l.matches
			    ORDER BY l.number
			    LIMIT (SELECT page FROM wanted)
			),""".formatted(FoundJobRows.COLUMNS);

	private static final String FOUND = "SELECT l.*, m.* FROM look l LEFT JOIN matching m ON true ORDER BY m.number";

	private static final String COUNTED = """
			SELECT l.*, l.last_id AS id, l.last_queue AS queue, l.last_priority AS priority, l.last_micros AS micros,
			       l.last_seq AS seq, least((SELECT count(*) FROM looked_at WHERE matches), (SELECT page FROM wanted)) AS jobs
			FROM look l""";

	/**
	 * The conditions are evaluated where a step reads its jobs, so that only jobs that
	 * meet them are read a second time, by their ids, and none to be counted.
	 */
	private static final String MATCHES = """
			(w.queue IS NULL OR %1$s.queue = w.queue)
			           AND (w.type IS NULL OR %1$s.type = w.type)
			           AND (w.key IS NULL OR %1$s.unique_key = w.key)
			           AND (w.job_group IS NULL OR %1$s.job_group = w.job_group)
			           AND (w.root_id IS NULL OR %1$s.root_id = w.root_id OR %1$s.id = w.root_id)
			           AND (w.batch_id IS NULL OR %1$s.batch_id = w.batch_id)
			           AND (w.enqueued_from IS NULL OR %1$s.created_at >= w.enqueued_from)
			           AND (w.enqueued_before IS NULL OR %1$s.created_at < w.enqueued_before)
			           AND (w.from_position IS NULL OR %1$s.seq >= w.from_position)
			           AND (w.error IS NULL OR position(lower(w.error) IN lower(%1$s.last_error)) > 0)
			           AND (w.fingerprint IS NULL OR %1$s.history -> -1 ->> 'fingerprint' = w.fingerprint)
			           AND %2$s AS matches""";

	/**
	 * The state is that of the view {@code jobqueue_jobs}.
	 */
	private static final String LIVE_MATCHES = MATCHES.formatted("j",
			"""
					(cardinality(w.states) = 0 OR CASE
					                WHEN j.follows IS NOT NULL OR j.admission IN ('ORDER', 'SLOT', 'PREDECESSORS') THEN 'BLOCKED'
					                WHEN j.locked_by IS NOT NULL THEN 'RUNNING'
					                WHEN CASE WHEN j.admission = 'PENDING' THEN j.due_at ELSE j.run_at END <= statement_timestamp() THEN 'READY'
					                WHEN j.failures > 0 OR j.expected_failures > 0 THEN 'RETRYING'
					                ELSE 'SCHEDULED' END = ANY (w.states))
					           AND (w.fingerprint IS NULL OR j.failures > 0 OR j.expected_failures > 0)""");

	private static final String ARCHIVED_MATCHES = MATCHES.formatted("a", """
			(cardinality(w.states) = 0 OR a.state = ANY (w.states))
			           AND (w.finished_from IS NULL OR a.finished_at >= w.finished_from)
			           AND (w.finished_before IS NULL OR a.finished_at < w.finished_before)
			           AND (w.fingerprint IS NULL OR a.state = 'DEAD'
			                OR a.state <> 'CANCELLED' AND (a.failures > 0 OR a.expected_failures > 0))""");

	static SearchPlans of(JobQuery query, IndexedErrors errors) {
		Set<JobState> states = query.states();
		boolean onlyFinished = query.finishedFrom().isPresent() || query.finishedBefore().isPresent()
				|| (!states.isEmpty() && states.stream().allMatch(JobState::isFinished));
		boolean anyFinished = states.isEmpty() || states.stream().anyMatch(JobState::isFinished);
		return new SearchPlans(onlyFinished ? null : live(query, errors),
				anyFinished ? archived(query, errors).newestFirst() : null, SearchPosition.NEWEST_ARCHIVED,
				oldest(query));
	}

	/**
	 * Return the statements of a search among archived jobs, the oldest id first.
	 */
	static SearchPlans oldestFirst(JobQuery query, IndexedErrors errors) {
		return new SearchPlans(null, archived(query, errors).oldestFirst(), oldest(query), oldest(query));
	}

	/**
	 * Members of a batch are enqueued after its start, by clocks that differ less.
	 */
	private static final Duration CLOCKS = Duration.ofDays(1);

	private static SearchPosition oldest(JobQuery query) {
		return query.batch().map((batch) -> SearchPosition.since(batch, CLOCKS)).orElse(SearchPosition.OLDEST_ARCHIVED);
	}

	/**
	 * Reads jobs in the order of claims, which the index {@code jobqueue_job_fetch}
	 * provides, and of the id: jobs have equal sequence numbers after a restart of the
	 * sequence.
	 * @param jobs the relation {@code j}, with a condition
	 */
	private static String readingLive(String jobs) {
		return readingLive(jobs, LIVE_MATCHES);
	}

	private static String readingLive(String jobs, String matches) {
		return STATEMENT.formatted("""
				SELECT n.*, row_number() OVER (ORDER BY n.queue, n.priority, n.run_at, n.seq, n.id) AS number
				FROM wanted w
				CROSS JOIN LATERAL (
				    SELECT j.id, j.queue, j.priority, j.run_at, j.seq, %s
				    FROM %s
				      AND (j.queue, j.priority, j.run_at, j.seq, j.id)
				          > (w.after_queue, w.after_priority, w.after_run_at, w.after_seq, w.after_id)
				    ORDER BY j.queue, j.priority, j.run_at, j.seq, j.id LIMIT w.step) n""".formatted(matches, jobs),
				MATCHING, FOUND);
	}

	private static final String OF_KEY = readingLive("""
			jobqueue_key k
			CROSS JOIN LATERAL unnest(ARRAY[k.job_id, k.follow_up_id]) AS i (id)
			CROSS JOIN LATERAL (SELECT * FROM jobqueue_job h WHERE h.id = i.id LIMIT 1) j
			WHERE k.queue = w.queue AND k.unique_key = w.key""");

	/**
	 * Without a queue in the query, the range ends with the last queue.
	 */
	private static final String IN_QUEUE = " j WHERE j.queue <= coalesce(w.queue, (SELECT max(queue) FROM jobqueue_job))";

	private static String inQueue(String jobs) {
		return readingLive(jobs + IN_QUEUE);
	}

	private static final String OF_GROUP = inQueue("(SELECT * FROM jobqueue_job g WHERE g.job_group = w.job_group)");

	private static final String OF_FAMILY = inQueue("""
			(SELECT * FROM jobqueue_job f WHERE f.root_id = w.root_id
			 UNION ALL
			 SELECT * FROM jobqueue_job r WHERE r.id = w.root_id)""");

	/**
	 * LIMIT 1 makes the planner read each job by its id instead of using the index of the
	 * order.
	 */
	private static final String RUNNING = readingLive("""
			jobqueue_claim c
			CROSS JOIN LATERAL unnest(c.job_ids) AS i (id)
			CROSS JOIN LATERAL (
			    SELECT * FROM jobqueue_job h
			    WHERE h.id = i.id AND h.claim = c.claim AND h.locked_by = c.worker_id LIMIT 1) j
			WHERE (w.queue IS NULL OR c.queue = w.queue)""");

	private static final String FAILED = inQueue(
			"(SELECT * FROM jobqueue_job WHERE failures > 0 OR expected_failures IS NOT NULL)");

	/**
	 * LIMIT makes the planner use the index {@code jobqueue_job_error} instead of that of
	 * the order. It does not exclude a job, as the errors are few. Without their
	 * histories, the server sorts them in memory.
	 */
	private static final String OF_ERROR = readingLive("""
			(SELECT j.id, j.queue, j.priority, j.run_at, j.seq, %s
			 FROM jobqueue_job j
			 WHERE j.queue = w.queue AND j.history -> -1 ->> 'fingerprint' = w.fingerprint
			 LIMIT 20000)""".formatted(LIVE_MATCHES) + IN_QUEUE, "j.matches");

	private static final String LIVE = inQueue("jobqueue_job");

	private static String live(JobQuery query, IndexedErrors errors) {
		Set<JobState> states = new HashSet<>(query.states());
		if (query.key().isPresent() && query.queue().isPresent()) {
			return OF_KEY;
		}
		if (query.root().isPresent()) {
			return OF_FAMILY;
		}
		if (query.group().isPresent()) {
			return OF_GROUP;
		}
		if (errors.live()) {
			return OF_ERROR;
		}
		states.removeIf(JobState::isFinished);
		if (states.equals(Set.of(JobState.RUNNING))) {
			return RUNNING;
		}
		boolean failed = query.error().isPresent() || query.fingerprint().isPresent()
				|| states.equals(Set.of(JobState.RETRYING));
		return failed ? FAILED : LIVE;
	}

	/**
	 * Statements that read archived jobs in the order of their ids.
	 *
	 * @param newestFirst begins with the highest id
	 * @param oldestFirst begins with the lowest id
	 */
	private record Archived(String newestFirst, String oldestFirst) {

		/**
		 * Create the statements.
		 * @param jobs the relation {@code a}, with a condition and the order, in which 1$
		 * compares an id with the last one, 2$ is the direction, and 3$ the opposite of
		 * 1$
		 */
		static Archived reading(String jobs) {
			return reading(jobs, ARCHIVED_MATCHES);
		}

		static Archived reading(String jobs, String matches) {
			return new Archived(statement(jobs.formatted("<", "DESC", ">"), matches, "DESC"),
					statement(jobs.formatted(">", "ASC", "<"), matches, "ASC"));
		}

		private static String statement(String jobs, String matches, String direction) {
			return STATEMENT.formatted(
					"""
							SELECT n.id, n.matches, NULL::text AS queue, NULL::smallint AS priority, NULL::timestamptz AS run_at, NULL::bigint AS seq,
							       row_number() OVER (ORDER BY n.id %s) AS number
							FROM wanted w
							CROSS JOIN LATERAL (SELECT a.id, %s FROM %s LIMIT w.step) n"""
						.formatted(direction, matches, jobs),
					MATCHING, FOUND);
		}

		/**
		 * @param condition further conditions of {@code a}
		 */
		static Archived where(String condition) {
			return reading("jobqueue_archive a WHERE a.id %1$s w.after_id " + condition + " ORDER BY a.id %2$s");
		}

	}

	private static final Archived ARCHIVED_OF_KEY = Archived.where("AND a.queue = w.queue AND a.unique_key = w.key");

	private static final Archived ARCHIVED_OF_GROUP = Archived
		.where("AND a.queue = w.queue AND a.job_group = w.job_group");

	private static final Archived ARCHIVED_OF_FAMILY = Archived.reading("""
			(SELECT * FROM jobqueue_archive f WHERE f.root_id = w.root_id AND f.id %1$s w.after_id
			 UNION ALL
			 SELECT * FROM jobqueue_archive r WHERE r.id = w.root_id AND r.id %1$s w.after_id) a ORDER BY a.id %2$s""");

	/**
	 * The order by queue and id excludes other indexes, whose cost the planner estimates
	 * as equal.
	 */
	private static final Archived UNSUCCESSFUL_OF_QUEUE = Archived.reading(
			"""
					jobqueue_archive a
					WHERE a.id %1$s w.after_id AND (a.state = 'SUCCEEDED') IS FALSE AND (a.queue, a.id) %1$s (w.queue, w.after_id)
					  AND a.queue %3$s= w.queue
					ORDER BY a.queue %2$s, a.id %2$s""");

	private static final Archived UNSUCCESSFUL = Archived.where("AND (a.state = 'SUCCEEDED') IS FALSE");

	private static final Archived DEAD_OF_ERROR = Archived.reading("""
			(SELECT a.id, %s
			 FROM jobqueue_archive a
			 WHERE a.queue = w.queue AND (a.state <> 'DEAD') IS FALSE
			   AND a.history -> -1 ->> 'fingerprint' = w.fingerprint
			 LIMIT 20000) a
			""".formatted(ARCHIVED_MATCHES) + "WHERE a.id %1$s w.after_id ORDER BY a.id %2$s", "a.matches");

	private static final Archived ARCHIVED = Archived.where("");

	private static Archived archived(JobQuery query, IndexedErrors errors) {
		if (query.queue().isPresent() && query.key().isPresent()) {
			return ARCHIVED_OF_KEY;
		}
		if (query.root().isPresent()) {
			return ARCHIVED_OF_FAMILY;
		}
		if (query.queue().isPresent() && query.group().isPresent()) {
			return ARCHIVED_OF_GROUP;
		}
		if (errors.dead()) {
			return DEAD_OF_ERROR;
		}
		boolean successful = query.states().isEmpty() || query.states().contains(JobState.SUCCEEDED);
		if (successful && query.fingerprint().isEmpty()) {
			return ARCHIVED;
		}
		return query.queue().isPresent() ? UNSUCCESSFUL_OF_QUEUE : UNSUCCESSFUL;
	}

	/**
	 * Return statements that count the jobs of a step, and return the position of the
	 * last one that was examined.
	 */
	SearchPlans counting() {
		return new SearchPlans(counting(this.live), counting(this.archived), this.firstArchived, this.oldestArchived);
	}

	private static @Nullable String counting(@Nullable String statement) {
		return (statement != null) ? statement.replace(MATCHING, "").replace(FOUND, COUNTED) : null;
	}

	/**
	 * Return the position at which a query starts, {@code null} if there is nothing to
	 * read.
	 */
	@Nullable SearchPosition begin(JobQuery query) {
		SearchPosition wanted = query.after().map(SearchPosition::parse).orElse(null);
		if (wanted != null && (wanted.isArchived() || this.live != null)) {
			return (at(wanted) != null) ? wanted : null;
		}
		return (this.live != null) ? SearchPosition.beforeQueue(query.queue().orElse("")) : afterLive();
	}

	/**
	 * Return the position to continue at after all live jobs, {@code null} at the end.
	 */
	@Nullable SearchPosition afterLive() {
		return (this.archived != null) ? this.firstArchived : null;
	}

	/**
	 * Return a position, {@code null} if no wanted job follows it.
	 */
	@Nullable SearchPosition unlessBeyond(@Nullable SearchPosition place) {
		return (place != null && place.isArchived() && place.isOlderThan(this.oldestArchived)) ? null : place;
	}

	@Nullable String at(SearchPosition place) {
		return place.isArchived() ? this.archived : this.live;
	}

	/**
	 * Whether the jobs of an error are so few that each step reads them all by the index
	 * of errors. Many are found soon among all jobs that have failed.
	 *
	 * @param live whether the live ones are
	 * @param dead whether the dead ones are
	 */
	record IndexedErrors(boolean live, boolean dead) {

		static final IndexedErrors NONE = new IndexedErrors(false, false);

	}

}
