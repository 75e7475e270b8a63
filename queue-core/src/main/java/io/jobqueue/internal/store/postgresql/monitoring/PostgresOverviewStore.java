package io.jobqueue.internal.store.postgresql.monitoring;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.OverviewStore;
import io.jobqueue.internal.store.OverviewStore.Arrivals;
import io.jobqueue.internal.store.OverviewStore.ListedJob;
import io.jobqueue.internal.store.OverviewStore.ListedWorker;
import io.jobqueue.internal.store.OverviewStore.ServedQueue;
import io.jobqueue.internal.store.OverviewStore.WorkerList;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;

/**
 * The {@link OverviewStore} of a PostgreSQL database.
 */
public final class PostgresOverviewStore implements OverviewStore {

	/**
	 * The number of claimed jobs that are searched for all workers together.
	 */
	private static final int SEARCHED = 10_000;

	private static final Duration PERIOD = Duration.ofMinutes(5);

	private final QueueTransaction transactions;

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 */
	public PostgresOverviewStore(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	/**
	 * Finds jobs through their claims: a claim lists its jobs until all of them have
	 * ended. Claims of a worker are searched until these are its share of
	 * {@code SEARCHED}. Returns a row for each job, or one for a worker without a job.
	 */
	private static final String WORKERS = """
			WITH listed AS MATERIALIZED (
			    SELECT w.*, w.last_active_at > statement_timestamp() - w.timeout_millis * interval '1 millisecond' AS living,
			           count(*) OVER () AS total
			    FROM jobqueue_worker w
			    ORDER BY living, w.name, w.id
			    LIMIT ?
			), share AS (
			    SELECT ?::bigint / greatest(1, count(*)) AS jobs FROM listed
			)
			SELECT l.id, l.name, l.application, l.started_at, l.last_active_at, l.living, q.names, q.concurrencies, l.limits, l.total,
			       statement_timestamp() AS at, coalesce(c.claimed, 0) AS claimed, coalesce(c.more, false) AS more,
			       c.id AS job, c.queue, c.type, c.claimed_at, c.lease_until
			FROM listed l
			CROSS JOIN share s
			CROSS JOIN LATERAL (
			    SELECT array_agg(n.queue ORDER BY n.place) AS names, array_agg(w.concurrency ORDER BY n.place) AS concurrencies
			    FROM unnest(string_to_array(l.queues, ',')) WITH ORDINALITY AS n (queue, place)
			    LEFT JOIN jobqueue_worker_queue w ON w.worker_id = l.id AND w.queue = n.queue) q
			LEFT JOIN LATERAL (
			    SELECT j.id, j.queue, j.type, h.claimed_at, j.lease_until,
			           j.lease_until < statement_timestamp() IS TRUE AS exceeded, count(*) OVER () AS claimed, h.total > s.jobs AS more
			    FROM (
			        SELECT claim, claimed_at, job_ids, sum(cardinality(job_ids)) OVER () AS total,
			               sum(cardinality(job_ids)) OVER (ORDER BY claim) - cardinality(job_ids) AS before
			        FROM jobqueue_claim
			        WHERE worker_id = l.id) h
			    JOIN jobqueue_job j ON j.id = ANY (h.job_ids) AND j.claim = h.claim AND j.locked_by = l.id
			    WHERE h.before < s.jobs
			    ORDER BY exceeded DESC, h.claimed_at, j.id
			    LIMIT ?) c ON true
			ORDER BY l.living, l.name, l.id, c.exceeded DESC, c.claimed_at, c.id
			""";

	@Override
	public WorkerList workers() {
		return this.transactions.query(QueueTransaction.BEGIN_MONITORING, WORKERS,
				(parameters) -> parameters.value(MAX_WORKERS).value(SEARCHED).value(MAX_CLAIMED),
				PostgresOverviewStore::workers);
	}

	private static WorkerList workers(ResultSet rows) throws SQLException {
		List<ListedWorker> workers = new ArrayList<>();
		WorkerList list = new WorkerList(workers, 0, Instant.now());
		while (rows.next()) {
			UUID id = rows.getObject("id", UUID.class);
			if (workers.isEmpty() || !workers.get(workers.size() - 1).id().equals(id)) {
				workers.add(worker(id, rows));
			}
			if (rows.getObject("job") != null) {
				workers.get(workers.size() - 1).longest().add(job(rows));
			}
			list = new WorkerList(workers, rows.getInt("total"), Columns.instant(rows, "at"));
		}
		return list;
	}

	private static ListedWorker worker(UUID id, ResultSet row) throws SQLException {
		return new ListedWorker(id, row.getString("name"), row.getString("application"),
				Columns.instant(row, "started_at"), Columns.instant(row, "last_active_at"), row.getBoolean("living"),
				queues(row), row.getString("limits"), new JobCount(row.getLong("claimed"), row.getBoolean("more")),
				new ArrayList<>());
	}

	private static List<ServedQueue> queues(ResultSet row) throws SQLException {
		Array names = row.getArray("names");
		if (names == null) {
			return List.of();
		}
		String[] queues = (String[]) names.getArray();
		@Nullable Integer[] concurrencies = (Integer[]) row.getArray("concurrencies").getArray();
		return IntStream.range(0, queues.length)
			.mapToObj((place) -> new ServedQueue(queues[place], concurrencies[place]))
			.toList();
	}

	private static ListedJob job(ResultSet row) throws SQLException {
		return new ListedJob(row.getObject("job", UUID.class), row.getString("queue"), row.getString("type"),
				Columns.nullableInstant(row, "claimed_at"), Columns.nullableInstant(row, "lease_until"));
	}

	/**
	 * Reads both tables from the latest id backwards. The archive comes first: as far
	 * back as its latest {@code MAX_ARRIVALS} jobs go, the other index has about as many
	 * entries of finished jobs, which are dead and stay while a snapshot is held. An id
	 * begins with the time of its producer: those whose clock is fast are not read.
	 */
	private static final String ARRIVALS = """
			WITH period AS (
			    SELECT now_millis, end_millis, (lpad(to_hex(end_millis - ?::bigint), 12, '0') || repeat('0', 20))::uuid AS first_id,
			           (lpad(to_hex(now_millis), 12, '0') || repeat('f', 20))::uuid AS last_id
			    FROM (SELECT (extract(epoch FROM statement_timestamp()) * 1000)::bigint AS now_millis) n
			    CROSS JOIN LATERAL (SELECT now_millis / 60000 * 60000 AS end_millis) e
			), finished AS MATERIALIZED (
			    SELECT a.id, a.queue, a.priority FROM jobqueue_archive a
			    WHERE a.id >= (SELECT first_id FROM period) AND a.id <= (SELECT last_id FROM period)
			    ORDER BY a.id DESC LIMIT %1$s
			), archived AS MATERIALIZED (
			    SELECT coalesce((SELECT f.id FROM finished f ORDER BY f.id DESC LIMIT 1 OFFSET %1$s - 1), p.first_id) AS first_id
			    FROM period p
			), live AS MATERIALIZED (
			    SELECT j.id, j.queue, j.priority FROM jobqueue_job j
			    WHERE j.id >= (SELECT first_id FROM archived) AND j.id <= (SELECT last_id FROM period)
			    ORDER BY j.id DESC LIMIT %1$s
			), counted AS MATERIALIZED (
			    SELECT coalesce((SELECT l.id FROM live l ORDER BY l.id DESC LIMIT 1 OFFSET %1$s - 1), a.first_id) AS first_id
			    FROM archived a
			), covered AS MATERIALIZED (
			    SELECT p.now_millis, p.end_millis, m.millis, (m.millis + 59999) / 60000 * 60000 AS full_millis
			    FROM period p
			    CROSS JOIN (SELECT ('x' || left(replace(first_id::text, '-', ''), 12))::bit(48)::bigint AS millis FROM counted) m
			), bounds AS MATERIALIZED (
			    SELECT b.from_millis, b.to_millis, (lpad(to_hex(b.from_millis), 12, '0') || repeat('0', 20))::uuid AS from_id,
			           (lpad(to_hex(b.to_millis), 12, '0') || repeat('0', 20))::uuid AS to_id
			    FROM covered c
			    CROSS JOIN LATERAL (
			        SELECT c.full_millis AS from_millis, c.end_millis AS to_millis WHERE c.full_millis < c.end_millis
			        UNION ALL
			        SELECT least(c.millis, c.now_millis - 1000), c.now_millis WHERE c.full_millis >= c.end_millis) b
			)
			SELECT b.from_millis, b.to_millis, e.queue, e.priority, e.jobs
			FROM bounds b
			LEFT JOIN (
			    SELECT r.queue, r.priority,
			           count(*) FILTER (WHERE r.id >= (SELECT from_id FROM bounds) AND r.id < (SELECT to_id FROM bounds)) AS jobs
			    FROM (SELECT * FROM finished UNION ALL SELECT * FROM live) r
			    GROUP BY r.queue, r.priority) e ON true
			"""
		.formatted(MAX_ARRIVALS);

	@Override
	public Arrivals arrivals() {
		return this.transactions.query(QueueTransaction.BEGIN_MONITORING, ARRIVALS,
				(parameters) -> parameters.value(PERIOD.toMillis()), PostgresOverviewStore::arrivals);
	}

	private static Arrivals arrivals(ResultSet rows) throws SQLException {
		Map<Tier, Long> jobs = new HashMap<>();
		Arrivals arrivals = new Arrivals(Instant.EPOCH, Instant.EPOCH, jobs);
		while (rows.next()) {
			arrivals = new Arrivals(Instant.ofEpochMilli(rows.getLong("from_millis")),
					Instant.ofEpochMilli(rows.getLong("to_millis")), jobs);
			if (rows.getString("queue") != null) {
				jobs.put(Columns.tier(rows), rows.getLong("jobs"));
			}
		}
		return arrivals;
	}

}
