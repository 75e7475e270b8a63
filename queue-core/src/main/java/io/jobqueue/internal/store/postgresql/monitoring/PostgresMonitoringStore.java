package io.jobqueue.internal.store.postgresql.monitoring;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;
import org.springframework.transaction.TransactionException;

import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.CleanupStatus;
import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.SnapshotHolder;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TypeFailures;
import io.jobqueue.internal.store.MonitoringStore.Unresolved;
import io.jobqueue.internal.store.MonitoringStore.WorkerCount;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.monitoring.TierScanCache.Cost;
import io.jobqueue.internal.store.postgresql.monitoring.TierScanCache.TierScan;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * The gauges of a PostgreSQL database. The jobs of a queue, priority and state are
 * counted up to a cap.
 */
public final class PostgresMonitoringStore implements MonitoringStore {

	static final int TIER_CAP = 1_000;

	static final int STATE_CAP = 10_000;

	/**
	 * Scans and counts that take longer are followed by ones that continue them.
	 */
	private static final Duration COSTLY = Duration.ofMillis(10);

	/**
	 * The same for readings of which there is one in two seconds at most, while people
	 * look at it.
	 */
	public static final Duration COSTLY_FOR_PEOPLE = Duration.ofMillis(100);

	private static final Logger logger = LoggerFactory.getLogger(PostgresMonitoringStore.class);

	private final QueueTransaction transactions;

	private final UnresolvedCount unresolved;

	private final Duration costly;

	private final LongSupplier nanoTime;

	private volatile TierScanCache lastScan = TierScanCache.NONE;

	private volatile LastCount lastCount = LastCount.NONE;

	private final FailureLog failures = new FailureLog(logger,
			"Could not count jobs; job counts are unknown until counting works again", "Counting jobs works again");

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 */
	public PostgresMonitoringStore(QueueTransaction transactions) {
		this(transactions, COSTLY);
	}

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 * @param costly the time after which scans and counts are followed by ones that
	 * continue them
	 */
	public PostgresMonitoringStore(QueueTransaction transactions, Duration costly) {
		this(transactions, costly, System::nanoTime);
	}

	PostgresMonitoringStore(QueueTransaction transactions, Duration costly, LongSupplier nanoTime) {
		this.transactions = transactions;
		this.unresolved = new UnresolvedCount(this.transactions);
		this.costly = costly;
		this.nanoTime = nanoTime;
	}

	@Override
	public GaugeSnapshot scan(Collection<String> queues) {
		return nextScan(queues).reading();
	}

	private TierScanCache nextScan(Collection<String> queues) {
		TierScanCache previous = this.lastScan;
		TierScanCache next = previous.mayBeContinued(this.nanoTime.getAsLong(), queues) ? continued(previous)
				: fullScan(queues, previous);
		this.lastScan = next;
		return next;
	}

	private TierScanCache fullScan(Collection<String> queues, TierScanCache previous) {
		long begun = this.nanoTime.getAsLong();
		try {
			return previous.followedBy(fullScan(queues, begun));
		}
		catch (QueryTimeoutException ex) {
			if (!previous.hasPositions()) {
				throw ex;
			}
			logger.debug("A scan of all jobs took too long; continuing the previous one", ex);
			this.lastScan = previous.followedByAborted(begun);
			return continued(this.lastScan);
		}
	}

	/**
	 * Reads one index entry for each tier and metric. If no job waits, the position is
	 * now. A due job whose admission is pending has an age too: without a worker, it
	 * stays pending.
	 */
	private static final String EACH_TIER = """
			SELECT t.queue, t.priority,
			       coalesce((SELECT j.failures FROM jobqueue_job j
			        WHERE j.queue = t.queue AND j.priority = t.priority AND j.failures > 0
			        ORDER BY j.failures DESC LIMIT 1), 0) AS max_failures,
			       coalesce((SELECT j.releases FROM jobqueue_job j
			        WHERE j.queue = t.queue AND j.priority = t.priority AND j.releases > 0
			        ORDER BY j.releases DESC LIMIT 1), 0) AS max_releases,
			       extract(epoch FROM statement_timestamp() - least(o.run_at, h.due_at, n.due_at)) AS max_age_seconds,
			       (extract(epoch FROM coalesce(o.run_at, statement_timestamp())) * 1000000)::bigint AS run_at_micros,
			       coalesce(o.seq, 0) AS seq
			FROM tier t
			LEFT JOIN LATERAL (
			    SELECT j.run_at, j.seq FROM jobqueue_job j
			    WHERE j.queue = t.queue AND j.priority = t.priority AND (j.run_at, j.seq) >= (t.run_at, t.seq)
			      AND j.run_at <= statement_timestamp() AND j.locked_by IS NULL
			    ORDER BY j.run_at, j.seq LIMIT 1) o ON true
			LEFT JOIN LATERAL (
			    SELECT j.due_at FROM jobqueue_job j
			    WHERE j.queue = t.queue AND j.priority = t.priority AND j.failures > 0
			      AND j.due_at <= statement_timestamp() AND j.admission IS NULL
			    ORDER BY j.due_at LIMIT 1) h ON true
			LEFT JOIN LATERAL (
			    SELECT j.due_at FROM jobqueue_job j
			    WHERE j.queue = t.queue AND j.priority = t.priority AND j.admission = 'PENDING' AND j.due_at <= statement_timestamp()
			    ORDER BY j.due_at LIMIT 1) n ON true
			""";

	/**
	 * Reads the tiers in the order of the index, up to a cap. If that is not all, it also
	 * reads the tiers of the named queues. Each begins with its first job, running or
	 * not.
	 */
	private static final String SCAN = """
			WITH RECURSIVE met (queue, priority, run_at, seq, place) AS (
			    (SELECT queue, priority, run_at, seq, 1 FROM jobqueue_job
			     ORDER BY queue, priority, run_at, seq LIMIT 1)
			    UNION ALL
			    SELECT n.queue, n.priority, n.run_at, n.seq, m.place + 1
			    FROM met m
			    CROSS JOIN LATERAL (
			        SELECT j.queue, j.priority, j.run_at, j.seq FROM jobqueue_job j
			        WHERE (j.queue, j.priority) > (m.queue, m.priority)
			        ORDER BY j.queue, j.priority, j.run_at, j.seq LIMIT 1) n
			    WHERE m.place < ?
			), named (queue, priority, run_at, seq) AS (
			    SELECT q.queue, n.priority, n.run_at, n.seq
			    FROM unnest(?::text[]) AS q (queue)
			    CROSS JOIN LATERAL (
			        SELECT j.priority, j.run_at, j.seq FROM jobqueue_job j
			        WHERE j.queue = q.queue
			        ORDER BY j.priority, j.run_at, j.seq LIMIT 1) n
			    WHERE (SELECT count(*) FROM met) >= ?
			    UNION ALL
			    SELECT m.queue, n.priority, n.run_at, n.seq
			    FROM named m
			    CROSS JOIN LATERAL (
			        SELECT j.priority, j.run_at, j.seq FROM jobqueue_job j
			        WHERE j.queue = m.queue AND j.priority > m.priority
			        ORDER BY j.priority, j.run_at, j.seq LIMIT 1) n
			), tier AS (
			    SELECT queue, priority, run_at, seq FROM met
			    UNION
			    SELECT queue, priority, run_at, seq FROM named
			)
			""" + EACH_TIER;

	private TierScanCache fullScan(Collection<String> queues, long begun) {
		List<TierScan> tiers = query(SCAN, (parameters) -> parameters.value(TIER_CAP).texts(queues).value(TIER_CAP),
				(row, number) -> TierScan.of(row));
		return new TierScanCache(tiers, Set.copyOf(queues), tiers.size() < TIER_CAP, begun,
				tookLongSince(begun) ? Cost.HIGH : Cost.LOW);
	}

	/**
	 * Begins at the given positions, and thus reads no dead rows before them.
	 */
	private static final String CONTINUE_SCAN = """
			WITH tier AS (
			    SELECT t.queue, t.priority, 'epoch'::timestamptz + t.run_at_micros * interval '1 microsecond' AS run_at,
			           t.seq
			    FROM unnest(?::text[], ?::smallint[], ?::bigint[], ?::bigint[]) AS t (queue, priority, run_at_micros, seq)
			)
			"""
			+ EACH_TIER;

	private TierScanCache continued(TierScanCache previous) {
		return previous.continued(query(CONTINUE_SCAN, (parameters) -> TierScan.set(parameters, previous.tiers()),
				(row, number) -> TierScan.of(row)));
	}

	@Override
	public GaugeSnapshot read(Collection<String> queues) {
		TierScanCache scan = nextScan(queues);
		try {
			GaugeSnapshot reading = scan.reading(count(scan.tiers()));
			this.failures.succeeded();
			return reading;
		}
		catch (DataAccessException | TransactionException ex) {
			Duration unused = this.failures.failed(ex);
			return scan.reading();
		}
	}

	private List<TierCounts> count(List<TierScan> tiers) {
		if (tiers.isEmpty()) {
			return List.of();
		}
		long begun = this.nanoTime.getAsLong();
		LastCount previous = this.lastCount.without(begun);
		Map<Tier, TierCounts> counts = count(tiers, previous);
		this.lastCount = previous.followedBy(counts, begun, tookLongSince(begun));
		return tiers.stream().map((tier) -> counts.get(tier.tier())).toList();
	}

	/**
	 * Counts up to 10,000 jobs of each tier and state. Running jobs are found through
	 * their claims, of all tiers together; in the index they are among the due ones,
	 * retrying jobs are among the later ones, and held-back retries among the blocked
	 * ones. So are jobs whose admission is pending, which count as jobs without keys
	 * would: ready, retrying or scheduled. {@code many_} columns: the state is known to
	 * have reached the cap, so its main subquery is not run but taken as 10,000.
	 * {@code _capped} columns: jobs of the state may be missing although it has not
	 * reached the cap, since another subquery has. {@code OFFSET 0} keeps the planner
	 * from evaluating a subquery once for each of its uses.
	 */
	private static final String COUNT = """
			WITH tier AS (
			    SELECT t.*, 'epoch'::timestamptz + t.run_at_micros * interval '1 microsecond' AS run_at
			    FROM unnest(?::text[], ?::smallint[], ?::bigint[], ?::bigint[], ?::boolean[], ?::boolean[], ?::boolean[],
			                ?::boolean[])
			        AS t (queue, priority, run_at_micros, seq, many_ready, many_retrying, many_scheduled, many_blocked)
			), held AS (
			    SELECT c.worker_id, c.claim, c.job_ids, c.total, sum(c.jobs) OVER () AS looked_at
			    FROM (
			        SELECT worker_id, claim, job_ids, cardinality(job_ids) AS jobs,
			               sum(cardinality(job_ids)) OVER () AS total,
			               sum(cardinality(job_ids)) OVER (ORDER BY worker_id, claim) AS place
			        FROM jobqueue_claim) c
			    WHERE c.place - c.jobs < 10000
			), running AS (
			    SELECT t.queue, t.priority, count(*) AS jobs,
			           count(*) FILTER (WHERE (j.run_at, j.seq) >= (t.run_at, t.seq)) AS beyond
			    FROM held h
			    JOIN jobqueue_job j ON j.id = ANY (h.job_ids) AND j.claim = h.claim AND j.locked_by = h.worker_id
			    JOIN tier t ON t.queue = j.queue AND t.priority = j.priority
			    GROUP BY t.queue, t.priority
			)
			SELECT t.queue, t.priority, coalesce(r.jobs, 0) AS running,
			       coalesce((SELECT max(total) > max(looked_at) FROM held), false) AS running_capped,
			       greatest(0, due.jobs - coalesce(r.beyond, 0)) + pending.ready AS ready,
			       pending.capped AND pending.ready > 0 AS ready_capped,
			       retrying.jobs + held_back.jobs + pending.retrying AS retrying,
			       pending.capped AND pending.retrying > 0 AS retrying_capped,
			       greatest(0, later.jobs - retrying.jobs) + pending.scheduled AS scheduled,
			       retrying.jobs >= 10000 OR pending.capped AND pending.scheduled > 0 AS scheduled_capped,
			       greatest(0, blocked.jobs - held_back.jobs - pending.jobs) AS blocked,
			       held_back.jobs >= 10000 AS blocked_capped
			FROM tier t
			LEFT JOIN running r ON r.queue = t.queue AND r.priority = t.priority
			CROSS JOIN LATERAL (
			    SELECT CASE WHEN t.many_ready THEN 10000 + coalesce(r.beyond, 0) ELSE (
			        SELECT count(*) FROM (
			            SELECT 1 FROM jobqueue_job j
			            WHERE j.queue = t.queue AND j.priority = t.priority AND (j.run_at, j.seq) >= (t.run_at, t.seq)
			              AND j.run_at <= statement_timestamp()
			            LIMIT 10000 + coalesce(r.beyond, 0)) capped) END AS jobs OFFSET 0) due
			CROSS JOIN LATERAL (
			    SELECT CASE WHEN t.many_retrying THEN 10000 ELSE (
			        SELECT count(*) FROM (
			            SELECT 1 FROM jobqueue_job j
			            WHERE j.queue = t.queue AND j.priority = t.priority AND j.run_at > statement_timestamp()
			              AND j.run_at < 'infinity' AND (j.failures > 0 OR j.expected_failures IS NOT NULL)
			            LIMIT 10000) capped) END AS jobs OFFSET 0) retrying
			CROSS JOIN LATERAL (
			    SELECT CASE WHEN t.many_scheduled THEN 10000 + retrying.jobs WHEN retrying.jobs >= 10000 THEN 0 ELSE (
			        SELECT count(*) FROM (
			            SELECT 1 FROM jobqueue_job j
			            WHERE j.queue = t.queue AND j.priority = t.priority AND j.run_at > statement_timestamp()
			              AND j.run_at < 'infinity'
			            LIMIT 10000 + retrying.jobs) capped) END AS jobs OFFSET 0) later
			CROSS JOIN LATERAL (
			    SELECT count(*) AS jobs FROM (
			        SELECT 1 FROM jobqueue_job j
			        WHERE j.queue = t.queue AND j.priority = t.priority AND j.failures > 0 AND j.due_at IS NOT NULL AND j.admission IS NULL
			        LIMIT 10000) capped) held_back
			CROSS JOIN LATERAL (
			    SELECT count(*) AS jobs, count(*) >= 10000 AS capped, count(*) FILTER (WHERE capped.due) AS ready,
			           count(*) FILTER (WHERE capped.failed AND NOT capped.due) AS retrying,
			           count(*) FILTER (WHERE NOT capped.failed AND NOT capped.due) AS scheduled
			    FROM (
			        SELECT j.due_at <= statement_timestamp() AS due, j.failures > 0 OR j.expected_failures IS NOT NULL AS failed
			        FROM jobqueue_job j
			        WHERE j.queue = t.queue AND j.priority = t.priority AND j.admission = 'PENDING'
			        LIMIT 10000) capped) pending
			CROSS JOIN LATERAL (
			    SELECT CASE WHEN t.many_blocked THEN 10000 + held_back.jobs + pending.jobs
			                WHEN held_back.jobs >= 10000 THEN 0 ELSE (
			        SELECT count(*) FROM (
			            SELECT 1 FROM jobqueue_job j
			            WHERE j.queue = t.queue AND j.priority = t.priority AND j.run_at = 'infinity'
			            LIMIT 10000 + held_back.jobs + pending.jobs) capped) END AS jobs OFFSET 0) blocked
			""";

	private Map<Tier, TierCounts> count(List<TierScan> tiers, LastCount previous) {
		Map<Tier, TierCounts> counts = new HashMap<>();
		this.transactions.run(QueueTransaction.BEGIN_MONITORING, List.of(new Step(COUNT,
				(parameters) -> previous.set(parameters, tiers), (row) -> counts.put(Columns.tier(row), counts(row)))));
		return counts;
	}

	private static TierCounts counts(ResultSet row) throws SQLException {
		return new TierCounts(count(row, "scheduled"), count(row, "ready"), count(row, "running"),
				count(row, "retrying"), count(row, "blocked"));
	}

	private static JobCount count(ResultSet row, String state) throws SQLException {
		long jobs = row.getLong(state);
		return new JobCount(Math.min(jobs, STATE_CAP), jobs >= STATE_CAP || row.getBoolean(state + "_capped"));
	}

	private boolean tookLongSince(long begun) {
		return this.nanoTime.getAsLong() - begun > this.costly.toNanos();
	}

	/**
	 * Begins with the most failures of each tier. The type is only in the table, so the
	 * number of rows read there is capped. Jobs that were not read have no more failures
	 * than the last one that was.
	 */
	private static final String FAILURES_BY_TYPE = """
			WITH share (jobs) AS (SELECT greatest(10, least(1000, 10000 / greatest(1, ?))))
			SELECT t.queue, t.priority, f.type, max(f.failures) AS max_failures,
			       CASE WHEN sum(count(*)) OVER tier >= s.jobs THEN min(min(f.failures)) OVER tier ELSE 0 END AS unread
			FROM share s
			CROSS JOIN unnest(?::text[], ?::smallint[]) AS t (queue, priority)
			CROSS JOIN LATERAL (
			    SELECT j.type, j.failures FROM jobqueue_job j
			    WHERE j.queue = t.queue AND j.priority = t.priority AND j.failures > 0
			    ORDER BY j.failures DESC LIMIT s.jobs) f
			GROUP BY t.queue, t.priority, f.type, s.jobs
			WINDOW tier AS (PARTITION BY t.queue, t.priority)
			""";

	@Override
	public List<TypeFailures> failuresByType(Collection<Tier> tiers) {
		return query(FAILURES_BY_TYPE,
				(parameters) -> parameters.value(tiers.size())
					.texts(tiers, Tier::queue)
					.smallints(tiers, Tier::priority),
				(row, number) -> new TypeFailures(new Tier(row.getString("queue"), row.getInt("priority")),
						row.getString("type"), row.getInt("max_failures"), row.getInt("unread")));
	}

	/**
	 * Reads the statistics of the last ANALYZE.
	 */
	private static final String ESTIMATED_SIZES = """
			SELECT v.queue, v.share * greatest(0, t.reltuples) AS jobs
			FROM pg_class t
			JOIN pg_namespace n ON n.oid = t.relnamespace
			JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = t.relname AND s.attname = 'queue'
			CROSS JOIN LATERAL unnest(s.most_common_vals::text::text[], s.most_common_freqs) AS v (queue, share)
			WHERE t.oid = to_regclass(?)
			""";

	@Override
	public Map<String, Long> estimatedSizes() {
		Map<String, Long> sizes = new HashMap<>();
		this.transactions.run(QueueTransaction.BEGIN_MONITORING,
				List.of(new Step(ESTIMATED_SIZES,
						(parameters) -> parameters.value(this.transactions.schema().in("jobqueue_job")),
						(row) -> sizes.put(row.getString("queue"), Math.round(row.getDouble("jobs"))))));
		return sizes;
	}

	private static final String SERVED_QUEUES = """
			SELECT DISTINCT unnest(string_to_array(queues, ','))
			FROM jobqueue_worker
			WHERE last_active_at > statement_timestamp() - timeout_millis * interval '1 millisecond'
			""";

	@Override
	public List<String> servedQueues() {
		return query(SERVED_QUEUES, Setter.NONE, (row, number) -> row.getString(1));
	}

	private static final String WORKERS = """
			SELECT count(*) AS living, count(*) FILTER (WHERE name = ?) AS here
			FROM jobqueue_worker
			WHERE last_active_at > statement_timestamp() - timeout_millis * interval '1 millisecond'
			""";

	@Override
	public WorkerCount workers(String name) {
		return query(WORKERS, (parameters) -> parameters.value(name),
				(row, number) -> new WorkerCount(row.getLong("living"), row.getLong("here")))
			.get(0);
	}

	private static final String WAITING_FOR_FAILED = """
			SELECT count(*) FROM (SELECT DISTINCT job_id FROM jobqueue_dependency WHERE failed ORDER BY job_id LIMIT ?) f
			""";

	@Override
	public long waitingForFailed() {
		return query(WAITING_FOR_FAILED, (parameters) -> parameters.value(FAILED_CAP), (row, number) -> row.getLong(1))
			.get(0);
	}

	@Override
	public @Nullable Unresolved unresolved() {
		return this.unresolved.count();
	}

	@Override
	public List<String> tables() {
		return Schema.TABLES;
	}

	/**
	 * Without the heartbeats of workers.
	 */
	private static final List<String> CHANGING = Schema.TABLES.stream()
		.filter((table) -> !table.equals("jobqueue_worker"))
		.toList();

	private static final String CHANGES = """
			SELECT sum(pg_stat_get_tuples_inserted(to_regclass(t.name)) + pg_stat_get_tuples_updated(to_regclass(t.name))
			           + pg_stat_get_tuples_deleted(to_regclass(t.name)))
			FROM unnest(?::text[]) AS t (name)
			""";

	@Override
	public long changes() {
		return query(CHANGES, (parameters) -> parameters.texts(CHANGING, this.transactions.schema()::in),
				(row, number) -> row.getLong(1))
			.get(0);
	}

	private static final String DEAD_ROWS = """
			SELECT c.relname, pg_stat_get_dead_tuples(c.oid) AS dead_rows
			FROM unnest(?::text[]) AS t (name)
			JOIN pg_class c ON c.oid = to_regclass(t.name)
			""";

	/**
	 * A snapshot keeps no dead rows if a new one would be as old. Snapshots of other
	 * databases do not matter, but their transactions that write do. VACUUM does not
	 * count. A user without the right to read the sessions of others gets the process,
	 * but not the begin of its transaction.
	 */
	private static final String OLDEST_SNAPSHOT = """
			SELECT h.name, h.pid, h.snapshot::text AS snapshot,
			       extract(epoch FROM statement_timestamp() - h.since) * 1000 AS age_millis
			FROM (
			    SELECT format('session %s of user %s (application ''%s'', %s)', a.pid, a.usename, a.application_name,
			                  coalesce(a.state, 'state hidden')) AS name,
			           a.pid, a.xact_start AS since,
			           CASE WHEN age(a.backend_xid) > age(a.backend_xmin) THEN a.backend_xid
			                ELSE coalesce(a.backend_xmin, a.backend_xid) END AS snapshot
			    FROM pg_stat_activity a
			    WHERE a.pid <> pg_backend_pid() AND a.pid NOT IN (SELECT v.pid FROM pg_stat_progress_vacuum v)
			      AND (a.backend_xid IS NOT NULL
			           OR coalesce(a.datname = current_database(), true)
			              AND age(a.backend_xmin) > age(pg_snapshot_xmin(pg_current_snapshot())::xid))
			    UNION ALL
			    SELECT format('prepared transaction ''%s'' of user %s', p.gid, p.owner), NULL, p.prepared, p.transaction
			    FROM pg_prepared_xacts p
			    UNION ALL
			    SELECT format('replication slot ''%s''', s.slot_name), s.active_pid, NULL, s.xmin
			    FROM pg_replication_slots s
			    WHERE s.xmin IS NOT NULL) h
			ORDER BY age(h.snapshot) DESC, h.since
			LIMIT 1
			""";

	@Override
	public CleanupStatus cleanup() {
		Map<String, Long> deadRows = new HashMap<>();
		Answer<List<SnapshotHolder>> holder = Answer
			.ofRows(new RowMapperResultSetExtractor<>((row, number) -> holder(row)));
		this.transactions.run(QueueTransaction.BEGIN_MONITORING,
				List.of(new Step(OLDEST_SNAPSHOT, Setter.NONE, holder),
						new Step(DEAD_ROWS,
								(parameters) -> parameters.texts(Schema.TABLES, this.transactions.schema()::in),
								(row) -> deadRows.put(row.getString("relname"), row.getLong("dead_rows")))));
		return new CleanupStatus(holder.get().isEmpty() ? null : holder.get().get(0), deadRows);
	}

	private static SnapshotHolder holder(ResultSet row) throws SQLException {
		return new SnapshotHolder(row.getString("name"), row.getObject("pid", Integer.class), row.getString("snapshot"),
				Columns.fromNow(row, "age_millis"));
	}

	private <T> List<T> query(String sql, Setter parameters, RowMapper<T> mapper) {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, sql, parameters, mapper);
	}

}
