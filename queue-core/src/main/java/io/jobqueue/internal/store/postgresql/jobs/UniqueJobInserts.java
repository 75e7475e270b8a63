package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.JobStore.EnqueuedJob;
import io.jobqueue.internal.store.JobStore.Origin;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys.UniqueKey;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * Inserts jobs with and without unique keys in the caller's transaction. One statement
 * locks the keys; another one reads the jobs that have them, and inserts or updates.
 */
final class UniqueJobInserts {

	private final JdbcTemplate jdbc;

	private final Schema schema;

	UniqueJobInserts(JdbcTemplate jdbc, Schema schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	/**
	 * @param waits the ids of the jobs among them that wait for predecessors if they are
	 * added
	 */
	EnqueueResult write(List<NewJob> jobs, Set<UUID> waits, Origin origin) {
		String seqscan = lockKeys(jobs);
		List<EnqueuedJob> written = new ArrayList<>();
		List<JobsAvailable> available = new ArrayList<>();
		Iterator<List<NewJob>> portions = portions(jobs).iterator();
		while (portions.hasNext()) {
			write(portions.next(), waits, origin, portions.hasNext() ? "off" : seqscan, written, available);
		}
		return new EnqueueResult(written, available);
	}

	/**
	 * Locks the keys in the order of queue and key, so that two transactions do not
	 * deadlock. A new key belongs to the job that is inserted next. The plan of the next
	 * statement is cached, perhaps while the tables are small: sequential scans are
	 * switched off because they would be slow once the tables have grown.
	 */
	private static final String LOCK_KEYS = """
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
	 * Lock the keys until the end of the transaction, and switch sequential scans off.
	 * @return the caller's value of {@code enable_seqscan}, which must be restored
	 */
	private String lockKeys(List<NewJob> jobs) {
		Map<Key, NewJob> first = new LinkedHashMap<>();
		for (NewJob job : jobs) {
			Key key = Key.of(job);
			if (key != null) {
				first.putIfAbsent(key, job);
			}
		}
		return this.jdbc
			.query(this.schema.in(LOCK_KEYS),
					(statement) -> new Parameters(statement).texts(first.keySet(), Key::queue)
						.texts(first.keySet(), Key::value)
						.uuids(first.values(), NewJob::id),
					(row, number) -> row.getString("seqscan"))
			.get(0);
	}

	private static List<List<NewJob>> portions(List<NewJob> jobs) {
		return JobInserts.portions(jobs).stream().flatMap((portion) -> withEachKeyOnce(portion).stream()).toList();
	}

	/**
	 * A statement does not see the rows that it writes, so that a key occurs only once in
	 * each.
	 */
	private static List<List<NewJob>> withEachKeyOnce(List<NewJob> jobs) {
		List<List<NewJob>> portions = new ArrayList<>();
		Set<Key> met = new HashSet<>();
		int start = 0;
		for (int index = 0; index < jobs.size(); index++) {
			Key key = Key.of(jobs.get(index));
			if (key != null && !met.add(key)) {
				portions.add(jobs.subList(start, index));
				start = index;
				met.clear();
				met.add(key);
			}
		}
		portions.add(jobs.subList(start, jobs.size()));
		return portions;
	}

	/**
	 * Reads a live job; the expression of its id is appended.
	 */
	private static final String LIVE = """
			SELECT j.id, j.locked_by IS NOT NULL OR j.cancel_requested AS running, j.due_at IS NOT NULL AS blocked,
			       j.locked_by IS NULL AND NOT j.cancel_requested
			           AND coalesce(j.expires_at <= statement_timestamp(), false) AS expired
			FROM jobqueue_job j
			WHERE j.id =""";

	/**
	 * Reads the jobs of the locked keys, decides, writes, and restores the caller's
	 * setting.
	 * <ul>
	 * <li>{@code seen} reads the live job of each key ({@code live_id}) and its follow-up
	 * ({@code last_id}), and locks the one that waits ({@code held_id}). Under an
	 * isolation stricter than READ COMMITTED, a deleted row of a key can still be visible
	 * next to the own one. A waiting job that is locked or has changed counts as running:
	 * waiting for its claim would mean to lock it while it runs. A blocked job is not
	 * claimed, and other transactions lock it for milliseconds only, to release or cancel
	 * it; this statement waits for that.</li>
	 * <li>{@code decided} chooses the outcome. A job that has expired and is not ended
	 * yet is changed even where a duplicate is not wanted: it never runs. If it is
	 * locked, most likely by its end, a new job follows it.</li>
	 * <li>{@code written} inserts or changes. A job that follows another one has
	 * {@code run_at} at infinity. A job with an ordering or a limit key becomes pending,
	 * even if it was admitted before; a retry that is held back and has neither stays
	 * held back. Only a new job waits for the predecessors of its request; a job that is
	 * changed keeps waiting for its own. Only an added job is a member of the batch.</li>
	 * </ul>
	 */
	private static final String INSERT = """
			WITH origin AS (
			    %1$s
			), seen AS (
			    SELECT n.*, c.expired, c.changes, k.job_id AS key_job_id,
			           CASE WHEN g.finished THEN g.other_id ELSE coalesce(j.id, f.id) END AS live_id,
			           CASE WHEN g.finished THEN g.other_id ELSE coalesce(f.id, j.id) END AS last_id,
			           CASE WHEN j.id IS NOT NULL THEN j.running ELSE f.running END AS running,
			           coalesce(w.id, CASE WHEN b.waits THEN b.id END) AS held_id,
			           CASE WHEN e.ends_at > statement_timestamp() THEN e.job_id END AS succeeded_id,
			           %5$s AS due_at
			    FROM unnest(%2$s, ?::text[], ?::text[], ?::bigint[]) WITH ORDINALITY
			        AS n (%3$s, unique_key, on_duplicate, dedupe_millis, place)
			    LEFT JOIN LATERAL (
			        SELECT k.job_id, k.follow_up_id FROM jobqueue_key k
			        WHERE k.queue = n.queue AND k.unique_key = n.unique_key AND k.used_by = pg_current_xact_id()
			        LIMIT 1) k ON true
			    LEFT JOIN LATERAL (%4$s k.job_id LIMIT 1) j ON true
			    LEFT JOIN LATERAL (%4$s k.follow_up_id LIMIT 1) f ON true
			    LEFT JOIN LATERAL (
			        SELECT d.job_id, d.ends_at FROM jobqueue_dedupe d
			        WHERE d.queue = n.queue AND d.unique_key = n.unique_key
			        LIMIT 1) e ON true
			    CROSS JOIN LATERAL (
			        SELECT x.expired, x.expired OR n.on_duplicate <> 'KEEP' AS changes
			        FROM (SELECT coalesce(j.expired, true) AND coalesce(f.expired, true)) AS x (expired)) c
			    LEFT JOIN LATERAL (
			        SELECT l.id FROM jobqueue_job l
			        WHERE l.id = coalesce(f.id, j.id) AND c.changes AND NOT coalesce(f.blocked, j.blocked)
			          AND l.locked_by IS NULL AND NOT l.cancel_requested
			        FOR UPDATE SKIP LOCKED) w ON true
			    LEFT JOIN LATERAL (
			        SELECT l.id, l.locked_by IS NULL AND NOT l.cancel_requested AS waits FROM jobqueue_job l
			        WHERE l.id = coalesce(f.id, j.id) AND c.changes AND coalesce(f.blocked, j.blocked)
			        FOR UPDATE) b ON true
			    CROSS JOIN LATERAL (
			        SELECT b.id IS NULL AND c.changes AND coalesce(f.blocked, j.blocked, false) AS finished,
			               CASE WHEN f.id IS NOT NULL THEN j.id END AS other_id) g
			), decided AS (
			    SELECT s.*,
			           CASE WHEN s.live_id IS NULL AND s.succeeded_id IS NULL THEN 'ADDED'
			                WHEN s.live_id IS NULL AND s.on_duplicate IN ('KEEP', 'UPDATE') THEN 'RECENTLY_SUCCEEDED'
			                WHEN s.live_id IS NULL THEN 'REQUEUED'
			                WHEN NOT s.changes AND NOT s.running THEN 'ALREADY_WAITING'
			                WHEN NOT s.changes THEN 'ALREADY_RUNNING'
			                WHEN s.held_id IS NULL AND s.on_duplicate = 'UPDATE' AND NOT s.expired THEN 'ALREADY_RUNNING'
			                WHEN s.held_id IS NULL OR (s.running AND s.on_duplicate <> 'UPDATE') THEN 'REQUEUED'
			                ELSE 'UPDATED' END AS outcome
			    FROM seen s
			), accepted AS (
			    SELECT d.*, d.held_id IS NULL AS is_new, d.held_id IS NULL AND d.last_id IS NOT NULL AS follows,
			           d.ordering_key IS NOT NULL OR d.limit_key IS NOT NULL AS pending,
			           d.held_id IS NULL AND d.waits IS TRUE AS depends
			    FROM decided d
			    WHERE d.outcome IN ('ADDED', 'UPDATED', 'REQUEUED')
			), written AS (
			    INSERT INTO jobqueue_job AS j (id, queue, type, payload, payload_bytes, priority, run_at, due_at, created_at,
			                                   max_attempts, max_run_millis, headers, ordering_key, limit_key,
			                                   job_group, unique_key, dedupe_millis, follows, admission, parent_id, root_id,
			                                   batch_id, expires_at)
			    SELECT coalesce(a.held_id, a.id), a.queue, a.type, a.payload, a.payload_bytes, a.priority,
			           CASE WHEN a.follows OR a.pending OR a.depends THEN 'infinity' ELSE a.due_at END,
			           CASE WHEN a.follows OR a.pending OR a.depends THEN a.due_at END,
			           statement_timestamp(), a.max_attempts, a.max_run_millis, a.headers, a.ordering_key, a.limit_key, a.job_group,
			           a.unique_key, a.dedupe_millis,
			           CASE WHEN a.follows THEN a.last_id END,
			           CASE WHEN a.depends THEN 'PREDECESSORS' WHEN a.pending AND NOT a.follows THEN 'PENDING' END,
			           y.parent_id, y.root_id, CASE WHEN a.outcome = 'ADDED' THEN y.batch_id END,
			           a.due_at + a.expires_millis * interval '1 millisecond'
			    FROM accepted a
			    CROSS JOIN origin y
			    ORDER BY a.place
			    ON CONFLICT (id) DO UPDATE
			    SET type = excluded.type, payload = excluded.payload, payload_bytes = excluded.payload_bytes,
			        priority = excluded.priority,
			        run_at = CASE WHEN j.follows IS NOT NULL OR j.admission = 'PREDECESSORS'
			                           OR j.due_at IS NOT NULL AND coalesce(j.admission, excluded.admission) IS NULL
			                      THEN j.run_at ELSE excluded.run_at END,
			        due_at = CASE WHEN j.follows IS NOT NULL OR j.admission = 'PREDECESSORS'
			                           OR j.due_at IS NOT NULL AND coalesce(j.admission, excluded.admission) IS NULL
			                      THEN coalesce(excluded.due_at, excluded.run_at) ELSE excluded.due_at END,
			        admission = CASE WHEN j.admission = 'PREDECESSORS' THEN j.admission
			                         WHEN j.follows IS NULL THEN excluded.admission END,
			        max_attempts = excluded.max_attempts, max_run_millis = excluded.max_run_millis,
			        headers = excluded.headers, ordering_key = excluded.ordering_key, limit_key = excluded.limit_key,
			        job_group = excluded.job_group, dedupe_millis = excluded.dedupe_millis, expires_at = excluded.expires_at
			    RETURNING j.id, j.due_at IS NOT NULL AND j.admission IS DISTINCT FROM 'PENDING' AS blocked, j.attempts, j.created_at
			), updated_keys AS (
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
			"""
		.formatted(JobInserts.ORIGIN, JobInserts.TYPES, JobInserts.NAMES, LIVE, JobInserts.DUE_AT);

	private void write(List<NewJob> portion, Set<UUID> waits, Origin origin, String seqscan, List<EnqueuedJob> written,
			List<JobsAvailable> available) {
		List<EnqueuedJob> decisions = this.jdbc.query(this.schema.in(INSERT),
				(statement) -> set(JobInserts.setOrigin(new Parameters(statement), origin), portion, waits)
					.text(seqscan),
				(row, number) -> decision(row));
		written.addAll(decisions);
		List<NewJob> waiting = IntStream.range(0, portion.size())
			.filter((index) -> waits(decisions.get(index)))
			.mapToObj(portion::get)
			.toList();
		available.addAll(JobInserts.available(waiting, Set.of(), decisions.get(0).at()));
	}

	private static EnqueuedJob decision(ResultSet row) throws SQLException {
		JobReceipt receipt = new JobReceipt(row.getObject("id", UUID.class), Outcome.valueOf(row.getString("outcome")));
		Instant at = Columns.instantOfSeconds(row.getDouble("at_seconds"));
		Instant createdAt = Columns.instant(row, "created_at");
		return new EnqueuedJob(receipt, row.getBoolean("blocked"), row.getInt("attempts"), createdAt, at);
	}

	/**
	 * Return whether a worker can claim the job, now or when it is due.
	 */
	private static boolean waits(EnqueuedJob job) {
		return job.receipt().accepted() && !job.blocked();
	}

	private static Parameters set(Parameters parameters, List<NewJob> jobs, Set<UUID> waits) throws SQLException {
		JobInserts.set(parameters, jobs, waits);
		return parameters.texts(jobs, (job) -> ofKey(job, UniqueKey::value))
			.texts(jobs, (job) -> ofKey(job, (key) -> key.onDuplicate().name()))
			.bigints(jobs, (job) -> ofKey(job, (key) -> Columns.ofDuration(key.dedupeFor())));
	}

	private static <V> @Nullable V ofKey(NewJob job, Function<UniqueKey, ? extends @Nullable V> property) {
		UniqueKey key = job.keys().unique();
		return (key != null) ? property.apply(key) : null;
	}

	private record Key(String queue, String value) {

		static @Nullable Key of(NewJob job) {
			UniqueKey key = job.keys().unique();
			return (key != null) ? new Key(job.queue(), key.value()) : null;
		}

	}

}
