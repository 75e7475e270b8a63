package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.ObstacleStore;
import io.jobqueue.internal.store.ObstacleStore.Allowance;
import io.jobqueue.internal.store.ObstacleStore.BlockedBy;
import io.jobqueue.internal.store.ObstacleStore.Blocker;
import io.jobqueue.internal.store.ObstacleStore.ClaimedBy;
import io.jobqueue.internal.store.ObstacleStore.HandledJob;
import io.jobqueue.internal.store.ObstacleStore.LivingWorker;
import io.jobqueue.internal.store.ObstacleStore.Obstacle;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;

/**
 * The {@link ObstacleStore} of a PostgreSQL database.
 */
public final class PostgresObstacleStore implements ObstacleStore {

	private final QueueTransaction transactions;

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 */
	public PostgresObstacleStore(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	/**
	 * A job with an ordering or a limit key may be pending: its admission was not
	 * evaluated yet, or a failed claim by id rolled its evaluation back.
	 */
	private static final String OWN_REASONS = """
			CASE WHEN j.expires_at <= statement_timestamp() THEN 'EXPIRY'
			            WHEN j.admission = 'PREDECESSORS' THEN CASE
			                WHEN EXISTS (SELECT FROM jobqueue_batch b WHERE b.then_id = j.id)
			                    OR EXISTS (SELECT FROM jobqueue_batch b WHERE b.failure_id = j.id) THEN 'BATCH'
			                WHEN EXISTS (SELECT FROM jobqueue_dependency d WHERE d.job_id = j.id AND d.failed) THEN 'FAILED_PREDECESSOR'
			                ELSE 'PREDECESSOR' END
			            WHEN j.follows IS NOT NULL THEN 'KEY'""";

	/**
	 * Finds the reason why a claim by id failed.
	 */
	private static final String BLOCKED_BY = """
			SELECT %s
			            WHEN j.admission = 'ORDER' OR j.admission = 'PENDING' AND j.ordering_key IS NOT NULL
			                 AND (j.limit_key IS NULL OR o.seq IS NOT NULL) THEN 'ORDER'
			            WHEN j.admission IN ('SLOT', 'PENDING') THEN 'SLOT'
			            WHEN u.id IS NULL THEN 'LOCK'
			            ELSE 'LIMIT' END AS blocked_by
			FROM jobqueue_job j
			LEFT JOIN LATERAL (
			    SELECT b.seq FROM jobqueue_job b
			    WHERE b.queue = j.queue AND b.ordering_key = j.ordering_key AND (b.seq, b.id) < (j.seq, j.id)
			    LIMIT 1) o ON true
			LEFT JOIN LATERAL (
			    SELECT l.id FROM jobqueue_job l WHERE l.id = j.id FOR UPDATE SKIP LOCKED) u ON true
			WHERE j.id = ?
			""".formatted(OWN_REASONS);

	@Override
	public @Nullable BlockedBy blockedBy(UUID id) {
		return this.transactions.first(QueueTransaction.BEGIN, BLOCKED_BY, (parameters) -> parameters.value(id),
				(row, number) -> BlockedBy.valueOf(row.getString("blocked_by")));
	}

	/**
	 * Returns a row for each job that the job waits for, or a single one. In the order of
	 * an ordering key, that is the admitted job, else the first live one, else a dead
	 * one.
	 */
	private static final String OBSTACLE = """
			SELECT %s
			            WHEN j.admission IN ('ORDER', 'SLOT') THEN j.admission::text END AS blocked_by,
			       j.due_at IS NOT NULL AND j.admission IS NULL AND j.follows IS NULL AS held,
			       extract(epoch FROM statement_timestamp() - coalesce(j.due_at, j.run_at)) * 1000 AS due_for_millis,
			       f.id AS batch, f.sealed_at IS NOT NULL AS sealed, w.last_active_at,
			       j.locked_by IS NOT NULL AND (w.last_active_at > statement_timestamp()
			           - w.timeout_millis * interval '1 millisecond') IS NOT TRUE AS lost,
			       o.id AS blocker, (SELECT v.state FROM jobqueue_jobs v WHERE v.id = o.id) AS blocker_state
			FROM jobqueue_job j
			LEFT JOIN jobqueue_worker w ON w.id = j.locked_by
			LEFT JOIN LATERAL (
			    SELECT b.id, b.sealed_at FROM jobqueue_batch b WHERE j.admission = 'PREDECESSORS' AND b.then_id = j.id
			    UNION ALL
			    SELECT b.id, b.sealed_at FROM jobqueue_batch b WHERE j.admission = 'PREDECESSORS' AND b.failure_id = j.id
			    LIMIT 1) f ON true
			LEFT JOIN LATERAL (
			    (SELECT d.predecessor_id AS id FROM jobqueue_dependency d
			     WHERE j.admission = 'PREDECESSORS' AND d.job_id = j.id AND NOT d.satisfied
			     ORDER BY d.failed DESC, d.predecessor_id LIMIT ?)
			    UNION ALL
			    SELECT j.follows WHERE j.admission IS DISTINCT FROM 'PREDECESSORS' AND j.follows IS NOT NULL
			    UNION ALL
			    SELECT coalesce(
			        (SELECT b.id FROM jobqueue_job b
			         WHERE b.queue = j.queue AND b.ordering_key = j.ordering_key AND b.due_at IS NULL LIMIT 1),
			        (SELECT b.id FROM jobqueue_job b
			         WHERE b.queue = j.queue AND b.ordering_key = j.ordering_key AND (b.seq, b.id) < (j.seq, j.id)
			         ORDER BY b.seq LIMIT 1),
			        (SELECT a.id FROM jobqueue_archive a
			         WHERE a.queue = j.queue AND a.ordering_key = j.ordering_key AND a.state = 'DEAD' LIMIT 1))
			    WHERE j.admission = 'ORDER'
			    UNION ALL
			    (SELECT b.id FROM jobqueue_job b
			     WHERE j.admission = 'SLOT' AND b.queue = j.queue AND b.limit_key = j.limit_key AND b.due_at IS NULL
			     LIMIT ?)) o ON true
			WHERE j.id = ?
			"""
		.formatted(OWN_REASONS);

	@Override
	public @Nullable Obstacle obstacle(UUID id) {
		return this.transactions
			.query(QueueTransaction.BEGIN_MONITORING, OBSTACLE,
					(parameters) -> parameters.value(MAX_NAMED).value(MAX_NAMED).value(id),
					PostgresObstacleStore::obstacles)
			.stream()
			.findFirst()
			.orElse(null);
	}

	private static List<Obstacle> obstacles(ResultSet rows) throws SQLException {
		List<Obstacle> obstacles = new ArrayList<>();
		List<Blocker> blockers = new ArrayList<>();
		while (rows.next()) {
			UUID blocker = rows.getObject("blocker", UUID.class);
			if (blocker != null) {
				String state = rows.getString("blocker_state");
				blockers.add(new Blocker(blocker, (state != null) ? JobState.valueOf(state) : null));
			}
			obstacles.add(obstacle(rows, blockers));
		}
		return obstacles;
	}

	private static Obstacle obstacle(ResultSet row, List<Blocker> blockers) throws SQLException {
		String blockedBy = row.getString("blocked_by");
		return new Obstacle((blockedBy != null) ? BlockedBy.valueOf(blockedBy) : null, row.getBoolean("held"),
				Duration.ofMillis((long) row.getDouble("due_for_millis")), row.getObject("batch", UUID.class),
				row.getBoolean("sealed"), row.getBoolean("lost"), Columns.nullableInstant(row, "last_active_at"),
				blockers);
	}

	private static final String ALIVE = """
			w.last_active_at > statement_timestamp() - w.timeout_millis * interval '1 millisecond'""";

	/**
	 * Finds jobs through their claims.
	 */
	private static final String CLAIMED = """
			jobqueue_claim c JOIN jobqueue_job j ON j.id = ANY (c.job_ids) AND j.claim = c.claim AND j.locked_by = c.worker_id
			    WHERE c.worker_id = w.id AND c.queue = a.queue""";

	private static final String WORKERS = """
			SELECT w.name, w.idle, a.queue = ANY (string_to_array(w.queues, ',')) AS serves, q.queue IS NOT NULL AS handled,
			       %3$s AS type, a.priority BETWEEN q.min_priority AND q.max_priority AS priority,
			       q.concurrency, q.cluster_concurrency, q.rate, q.rate_period_millis, c.jobs AS claimed
			FROM (SELECT ?::text AS queue, ?::text AS type, ?::integer AS priority) a
			CROSS JOIN jobqueue_worker w
			LEFT JOIN jobqueue_worker_queue q ON q.worker_id = w.id AND q.queue = a.queue
			CROSS JOIN LATERAL (
			    SELECT count(*) AS jobs FROM (SELECT FROM %1$s LIMIT greatest(q.concurrency, ?)) j) c
			WHERE %2$s
			ORDER BY w.name
			"""
		.formatted(CLAIMED, ALIVE, TypeFilter.of("a.type", "q.types"));

	@Override
	public List<LivingWorker> workers(Tier job, String type) {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, WORKERS,
				(parameters) -> parameters.value(job.queue()).value(type).value(job.priority()).value(MAX_CLAIMED),
				(row, number) -> new LivingWorker(row.getString("name"), row.getBoolean("serves"),
						row.getBoolean("idle"), row.getInt("claimed"),
						row.getBoolean("handled") ? handled(row) : null));
	}

	private static HandledJob handled(ResultSet row) throws SQLException {
		Integer rate = row.getObject("rate", Integer.class);
		ClusterLimits limits = new ClusterLimits(row.getObject("cluster_concurrency", Integer.class),
				(rate != null) ? new Rate(rate, Duration.ofMillis(row.getLong("rate_period_millis"))) : null);
		return new HandledJob(row.getBoolean("type"), row.getBoolean("priority"),
				row.getObject("concurrency", Integer.class), limits);
	}

	private static final String LONGEST_CLAIMED = """
			SELECT j.id, j.type, w.name, j.claimed_at
			FROM (SELECT ?::text AS queue) a
			CROSS JOIN jobqueue_worker w
			CROSS JOIN LATERAL (
			    SELECT j.id, j.type, c.claimed_at FROM %s ORDER BY c.claimed_at, c.claim LIMIT %s) j
			WHERE %s
			ORDER BY j.claimed_at, j.id
			LIMIT %2$s
			""".formatted(CLAIMED, MAX_NAMED, ALIVE);

	@Override
	public List<ClaimedBy> claimed(String queue) {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, LONGEST_CLAIMED,
				(parameters) -> parameters.value(queue), (row, number) -> new ClaimedBy(row.getObject("id", UUID.class),
						row.getString("type"), row.getString("name"), Columns.nullableInstant(row, "claimed_at")));
	}

	private static final String TYPES = """
			SELECT DISTINCT unnest(q.types)
			FROM jobqueue_worker w
			JOIN jobqueue_worker_queue q ON q.worker_id = w.id
			WHERE q.queue = ? AND q.queue = ANY (string_to_array(w.queues, ',')) AND %s
			""".formatted(ALIVE);

	@Override
	public Set<String> types(String queue) {
		return names(TYPES, (parameters) -> parameters.value(queue));
	}

	private static final String QUEUES = """
			SELECT unnest(string_to_array(w.queues, ',')) FROM jobqueue_worker w WHERE %1$s
			UNION
			SELECT q.queue FROM jobqueue_worker w JOIN jobqueue_worker_queue q ON q.worker_id = w.id WHERE %1$s
			""".formatted(ALIVE);

	@Override
	public Set<String> queues() {
		return names(QUEUES, Parameters.Setter.NONE);
	}

	private Set<String> names(String sql, Parameters.Setter parameters) {
		return new TreeSet<>(this.transactions.list(QueueTransaction.BEGIN_MONITORING, sql, parameters,
				(row, number) -> row.getString(1)));
	}

	@Override
	public Allowance allowance(String queue, ClusterLimits limits) {
		Answer<Allowance> allowance = Answer.ofRows(JobClaims::allowance);
		this.transactions.run(QueueTransaction.BEGIN_MONITORING,
				List.of(JobClaims.computeQuota(queue, limits, allowance)));
		return allowance.get();
	}

}
