package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ObstacleStore;
import io.jobqueue.internal.store.ObstacleStore.Allowance;
import io.jobqueue.internal.store.ObstacleStore.BlockedBy;
import io.jobqueue.internal.store.ObstacleStore.Blocker;
import io.jobqueue.internal.store.ObstacleStore.ClaimedBy;
import io.jobqueue.internal.store.ObstacleStore.Obstacle;
import io.jobqueue.internal.store.ObstacleStore.QueueWorkers;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
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

	/**
	 * Finds jobs through their claims.
	 */
	private static final String WORKERS = """
			WITH living AS (
			    SELECT w.id, w.name, w.idle, a.queue, a.queue = ANY (string_to_array(w.queues, ',')) AS serves
			    FROM (SELECT ?::text AS queue) a
			    CROSS JOIN jobqueue_worker w
			    WHERE w.last_active_at > statement_timestamp() - w.timeout_millis * interval '1 millisecond'
			), claimed AS (
			    SELECT j.id, j.type, l.name, c.claimed_at
			    FROM living l
			    JOIN jobqueue_claim c ON c.worker_id = l.id AND c.queue = l.queue
			    JOIN jobqueue_job j ON j.id = ANY (c.job_ids) AND j.claim = c.claim AND j.locked_by = c.worker_id
			    ORDER BY c.claimed_at, c.claim
			    LIMIT ?
			)
			SELECT (SELECT count(*) FROM living) AS living, s.*, (SELECT count(*) FROM claimed) AS claimed, r.*
			FROM (
			    SELECT count(*) AS serving, count(*) FILTER (WHERE idle) AS idle,
			           (array_agg(name ORDER BY name))[1:%1$d] AS names
			    FROM living
			    WHERE serves) s
			LEFT JOIN (SELECT id, type, name, claimed_at FROM claimed ORDER BY claimed_at LIMIT %1$d) r ON true
			ORDER BY r.claimed_at
			""".formatted(MAX_NAMED);

	@Override
	public QueueWorkers workers(String queue) {
		return this.transactions.query(QueueTransaction.BEGIN_MONITORING, WORKERS,
				(parameters) -> parameters.value(queue).value(MAX_CLAIMED), PostgresObstacleStore::workers);
	}

	private static QueueWorkers workers(ResultSet rows) throws SQLException {
		List<ClaimedBy> longest = new ArrayList<>();
		QueueWorkers workers = new QueueWorkers(0, 0, 0, List.of(), 0, longest);
		while (rows.next()) {
			UUID id = rows.getObject("id", UUID.class);
			if (id != null) {
				longest.add(new ClaimedBy(id, rows.getString("type"), rows.getString("name"),
						Columns.nullableInstant(rows, "claimed_at")));
			}
			workers = new QueueWorkers(rows.getInt("living"), rows.getInt("serving"), rows.getInt("idle"), names(rows),
					rows.getInt("claimed"), longest);
		}
		return workers;
	}

	private static List<String> names(ResultSet row) throws SQLException {
		Array names = row.getArray("names");
		return (names != null) ? List.of((String[]) names.getArray()) : List.of();
	}

	@Override
	public Allowance allowance(String queue, ClusterLimits limits) {
		Answer<Allowance> allowance = Answer.ofRows(JobClaims::allowance);
		this.transactions.run(QueueTransaction.BEGIN_MONITORING,
				List.of(JobClaims.computeQuota(queue, limits, allowance)));
		return allowance.get();
	}

}
