package io.jobqueue.internal.store.postgresql.search;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobPayload;
import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.ArchiveCount;
import io.jobqueue.internal.store.SearchStore.CountResult;
import io.jobqueue.internal.store.SearchStore.FoundJob;
import io.jobqueue.internal.store.SearchStore.SearchResult;
import io.jobqueue.internal.store.postgresql.search.SearchPlans.IndexedErrors;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * The {@link SearchStore} of a PostgreSQL database.
 */
public final class PostgresSearchStore implements SearchStore {

	private final QueueTransaction transactions;

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 */
	public PostgresSearchStore(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	private static final String FIND = """
			SELECT %s
			FROM jobqueue_jobs v
			WHERE v.id = ?
			""".formatted(FoundJobRows.COLUMNS);

	@Override
	public @Nullable FoundJob find(UUID id) {
		return first(FIND, (parameters) -> parameters.value(id));
	}

	private static final String PAYLOAD = """
			SELECT left(payload, ?) AS first_text, substring(payload_bytes FOR ?) AS first_bytes,
			       coalesce(length(payload), octet_length(payload_bytes)) AS size
			FROM jobqueue_jobs
			WHERE id = ?
			""";

	/**
	 * Bounds a step that has to skip many dead rows.
	 */
	private static final String BEGIN = QueueTransaction.BEGIN
			+ ", set_config('statement_timeout', '5s', true), set_config('lock_timeout', '2s', true)";

	@Override
	public @Nullable JobPayload payload(UUID id, int atMost) {
		return this.transactions.first(BEGIN, PAYLOAD, (parameters) -> parameters.value(atMost).value(atMost).value(id),
				(row, number) -> payload(row));
	}

	private static JobPayload payload(ResultSet row) throws SQLException {
		byte[] bytes = row.getBytes("first_bytes");
		return (bytes != null) ? new JobPayload(Base64.getEncoder().encodeToString(bytes), true, row.getLong("size"))
				: new JobPayload(row.getString("first_text"), false, row.getLong("size"));
	}

	private static final String FIND_BY_KEY = """
			SELECT %s
			FROM jobqueue_key k
			JOIN jobqueue_job j ON j.id = coalesce(
			    (SELECT f.id FROM jobqueue_job f WHERE f.id = k.job_id), k.follow_up_id)
			JOIN jobqueue_jobs v ON v.id = j.id
			WHERE k.queue = ? AND k.unique_key = ?
			""".formatted(FoundJobRows.COLUMNS);

	@Override
	public @Nullable FoundJob findByKey(String queue, String key) {
		return first(FIND_BY_KEY, (parameters) -> parameters.value(queue).value(key));
	}

	@Override
	public ErrorCounts countErrors(int groups) {
		return ErrorGroups.count(this.transactions, groups);
	}

	@Override
	public ErrorCounts countDeadErrors(int groups, @Nullable String queue) {
		return ErrorGroups.countDead(this.transactions, groups, queue);
	}

	/**
	 * Reads the queues in the order of the index, and the jobs of each up to its share.
	 */
	private static final String COUNT_DEAD = """
			WITH RECURSIVE met (queue, place) AS (
			    (SELECT queue, 1 FROM jobqueue_archive WHERE (state <> 'DEAD') IS FALSE ORDER BY queue LIMIT 1)
			    UNION ALL
			    SELECT n.queue, m.place + 1
			    FROM met m
			    CROSS JOIN LATERAL (
			        SELECT a.queue FROM jobqueue_archive a
			        WHERE (a.state <> 'DEAD') IS FALSE AND a.queue > m.queue
			        ORDER BY a.queue LIMIT 1) n
			    WHERE m.place < ?
			), share AS MATERIALIZED (
			    SELECT least(?::bigint, ?::bigint / greatest(1, count(*))) AS jobs
			    FROM met m
			    WHERE EXISTS (
			        SELECT FROM jobqueue_archive a
			        WHERE (a.state <> 'DEAD') IS FALSE AND a.queue = m.queue
			        OFFSET 19)
			)
			SELECT m.queue, c.jobs, c.jobs = (SELECT jobs FROM share) AS capped
			FROM met m
			CROSS JOIN LATERAL (
			    SELECT count(*) AS jobs FROM (
			        SELECT 1 FROM jobqueue_archive a
			        WHERE (a.state <> 'DEAD') IS FALSE AND a.queue = m.queue
			        LIMIT (SELECT jobs FROM share)) r) c
			ORDER BY c.jobs DESC, m.queue
			""";

	@Override
	public List<ArchiveCount> countDead(int queues) {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, COUNT_DEAD,
				(parameters) -> parameters.value(queues).value(ERROR_CAP).value(SHARED_CAP),
				(row, number) -> new ArchiveCount(row.getString("queue"), JobState.DEAD,
						new JobCount(row.getLong("jobs"), row.getBoolean("capped"))));
	}

	private @Nullable FoundJob first(String sql, Setter parameters) {
		return this.transactions.first(BEGIN, sql, parameters, (row, number) -> FoundJobRows.job(row));
	}

	@Override
	public SearchResult search(JobQuery query, Duration time) {
		return page(query, SearchPlans.of(query, errors(query)), time);
	}

	private IndexedErrors errors(JobQuery query) {
		return (query.queue().isPresent() && query.fingerprint().isPresent())
				? errors(query.queue().get(), query.fingerprint().get()) : IndexedErrors.NONE;
	}

	private static final String FEW_ERRORS = """
			SELECT (SELECT count(*) <= 10000 FROM (
			            SELECT 1 FROM jobqueue_job
			            WHERE queue = w.queue AND history -> -1 ->> 'fingerprint' = w.fingerprint
			            LIMIT 10001) j) AS live,
			       (SELECT count(*) <= 10000 FROM (
			            SELECT 1 FROM jobqueue_archive
			            WHERE queue = w.queue AND (state <> 'DEAD') IS FALSE
			              AND history -> -1 ->> 'fingerprint' = w.fingerprint
			            LIMIT 10001) a) AS dead
			FROM (SELECT ?::text AS queue, ?::text AS fingerprint) w
			""";

	private IndexedErrors errors(String queue, String fingerprint) {
		return this.transactions
			.list(BEGIN, FEW_ERRORS, (parameters) -> parameters.value(queue).value(fingerprint),
					(row, number) -> new IndexedErrors(row.getBoolean("live"), row.getBoolean("dead")))
			.get(0);
	}

	@Override
	public SearchResult searchArchive(JobQuery query, Duration time) {
		return page(query, SearchPlans.oldestFirst(query, errors(query)), time);
	}

	private SearchResult page(JobQuery query, SearchPlans plans, Duration time) {
		List<FoundJob> found = new ArrayList<>();
		JobSearch search = JobSearch.forPage(query, plans, (row) -> found.add(FoundJobRows.job(row)));
		run(search, time);
		return new SearchResult(found, search.place(), !search.isOver());
	}

	@Override
	public CountResult count(JobQuery query, int cap, Duration time) {
		AtomicInteger found = new AtomicInteger();
		JobSearch search = JobSearch.forCount(query, SearchPlans.of(query, errors(query)), cap + 1, found::addAndGet);
		run(search, time);
		return new CountResult(Math.min(cap, found.get()), found.get() > cap, !search.isOver());
	}

	private void run(JobSearch search, Duration time) {
		long begun = System.nanoTime();
		Step next = search.next();
		while (next != null) {
			this.transactions.run(BEGIN, List.of(next));
			boolean goesOn = !search.isOver() && System.nanoTime() - begun < time.toNanos();
			next = goesOn ? search.next() : null;
		}
	}

	private static final String NOW = """
			SELECT statement_timestamp() AS now
			""";

	@Override
	public Instant now() {
		return this.transactions.list(BEGIN, NOW, Setter.NONE, (row, number) -> Columns.instant(row, "now")).get(0);
	}

	/**
	 * Counts the last 10,000 archived jobs. In a larger archive, dead and cancelled jobs
	 * are counted up to 10,000 per queue.
	 */
	private static final String COUNT_FINISHED = """
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
			)
			SELECT queue, state, count(*) AS jobs, false AS capped
			FROM newest
			WHERE NOT (SELECT large FROM size)
			GROUP BY queue, state
			UNION ALL
			SELECT queue, state, jobs, capped FROM unsuccessful
			UNION ALL
			SELECT queue, 'SUCCEEDED', count(*) FILTER (WHERE state = 'SUCCEEDED'), true
			FROM newest
			WHERE (SELECT large FROM size)
			GROUP BY queue
			""";

	@Override
	public List<ArchiveCount> countFinished() {
		return this.transactions.list(BEGIN, COUNT_FINISHED, Setter.NONE,
				(row, number) -> new ArchiveCount(row.getString("queue"), JobState.valueOf(row.getString("state")),
						new JobCount(row.getLong("jobs"), row.getBoolean("capped"))));
	}

	private static final String COUNT_GROUP = """
			SELECT state, count(*) AS jobs
			FROM jobqueue_jobs
			WHERE %s job_group = ?
			GROUP BY state
			""";

	private static final String COUNT_GROUP_OF_QUEUE = COUNT_GROUP.formatted("queue = ? AND");

	private static final String COUNT_GROUP_OF_ALL_QUEUES = COUNT_GROUP.formatted("");

	@Override
	public Map<JobState, Long> countGroup(String queue, String group) {
		return this.transactions.query(QueueTransaction.BEGIN, COUNT_GROUP_OF_QUEUE,
				(parameters) -> parameters.value(queue).value(group), PostgresSearchStore::counts);
	}

	@Override
	public Map<JobState, Long> countGroup(String group) {
		return this.transactions.query(QueueTransaction.BEGIN, COUNT_GROUP_OF_ALL_QUEUES,
				(parameters) -> parameters.value(group), PostgresSearchStore::counts);
	}

	private static Map<JobState, Long> counts(ResultSet rows) throws SQLException {
		Map<JobState, Long> counts = new EnumMap<>(JobState.class);
		while (rows.next()) {
			counts.put(JobState.valueOf(rows.getString("state")), rows.getLong("jobs"));
		}
		return counts;
	}

}
