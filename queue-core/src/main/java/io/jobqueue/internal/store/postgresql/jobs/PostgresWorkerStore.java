package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;

import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.PauseTarget;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.store.WorkerStore.CheckInResult;
import io.jobqueue.internal.store.WorkerStore.DifferingWorker;
import io.jobqueue.internal.store.WorkerStore.PausedWork;
import io.jobqueue.internal.store.WorkerStore.HandledQueue;
import io.jobqueue.internal.store.WorkerStore.Ticks;
import io.jobqueue.internal.store.WorkerStore.Worker;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.DedicatedConnection;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * The {@link WorkerStore} of a PostgreSQL database.
 */
public final class PostgresWorkerStore implements WorkerStore {

	private final DedicatedConnection side;

	private final Schema schema;

	/**
	 * Create the store.
	 * @param side the connection outside the pool
	 * @param schema the schema of the tables
	 */
	public PostgresWorkerStore(DedicatedConnection side, Schema schema) {
		this.side = side;
		this.schema = schema;
	}

	@Override
	public CheckInResult register(Worker worker, boolean idle) {
		return this.side.transact(this.schema,
				(transactions) -> checkIn(CHECK_IN, transactions, true, worker, idle).get(0));
	}

	@Override
	public CheckInResult checkIn(Worker worker, boolean idle) {
		return checkIn(CHECK_IN, worker, idle);
	}

	@Override
	public CheckInResult checkInAndSearch(Worker worker) {
		return checkIn(CHECK_IN_AND_SEARCH, worker, true);
	}

	private CheckInResult checkIn(String sql, Worker worker, boolean idle) {
		return this.side.transact(this.schema, (transactions) -> {
			List<CheckInResult> known = checkIn(sql, transactions, false, worker, idle);
			return known.isEmpty() ? checkIn(sql, transactions, true, worker, idle).get(0) : known.get(0);
		});
	}

	/**
	 * Registers a worker again if the answer to an earlier registration was lost. The
	 * update locks its row against the reaper.
	 */
	private static final String REGISTER = """
			INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues,
			    limits, application)
			VALUES (?, statement_timestamp(), statement_timestamp(), ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET last_active_at = excluded.last_active_at
			""";

	private static Step registration(Worker worker, boolean idle) {
		return new Step(REGISTER,
				(parameters) -> parameters.value(worker.id())
					.value(Columns.millis(worker.timeout()))
					.value(worker.service())
					.value(idle)
					.replacedText(worker.name())
					.value(String.join(",", worker.queues()))
					.value(worker.limits())
					.replacedText(worker.application()));
	}

	/**
	 * Writes nothing for an unknown worker. An earlier statement of the transaction has
	 * locked its row against the reaper.
	 */
	private static final String HANDLE = """
			WITH gone AS (
			    DELETE FROM jobqueue_worker_queue WHERE worker_id = ? AND queue <> ALL (?::text[])
			)
			INSERT INTO jobqueue_worker_queue (worker_id, queue, types, concurrency, min_priority, max_priority,
			    cluster_concurrency, rate, rate_period_millis)
			SELECT w.id, h.queue,
			       ARRAY(SELECT t.type FROM unnest(?::text[], ?::text[]) t (queue, type) WHERE t.queue = h.queue ORDER BY t.type),
			       h.concurrency, h.min_priority, h.max_priority, h.cluster_concurrency, h.rate, h.period_millis
			FROM unnest(?::text[], ?::integer[], ?::smallint[], ?::smallint[], ?::integer[], ?::integer[], ?::bigint[])
			    h (queue, concurrency, min_priority, max_priority, cluster_concurrency, rate, period_millis)
			JOIN jobqueue_worker w ON w.id = ?
			ON CONFLICT (worker_id, queue) DO UPDATE SET types = excluded.types, concurrency = excluded.concurrency,
			    min_priority = excluded.min_priority, max_priority = excluded.max_priority,
			    cluster_concurrency = excluded.cluster_concurrency, rate = excluded.rate,
			    rate_period_millis = excluded.rate_period_millis
			""";

	private static Step handle(Worker worker) {
		return new Step(HANDLE, (parameters) -> {
			parameters.value(worker.id()).texts(worker.handled().keySet());
			setTypes(parameters, worker.handled());
			setQueues(parameters, worker.handled());
			parameters.value(worker.id());
		});
	}

	private static void setTypes(Parameters parameters, Map<String, HandledQueue> handled) throws SQLException {
		List<Map.Entry<String, String>> types = new ArrayList<>();
		handled.forEach((queue, known) -> known.types().forEach((type) -> types.add(Map.entry(queue, type))));
		parameters.texts(types, Map.Entry::getKey).replacedTexts(types, Map.Entry::getValue);
	}

	private static void setQueues(Parameters parameters, Map<String, HandledQueue> handled) throws SQLException {
		Collection<HandledQueue> queues = handled.values();
		parameters.texts(handled.keySet())
			.integers(queues, HandledQueue::concurrency)
			.smallints(queues, HandledQueue::minPriority)
			.smallints(queues, HandledQueue::maxPriority)
			.integers(queues, (queue) -> queue.limits().concurrency())
			.integers(queues, (queue) -> rate(queue, Rate::limit))
			.bigints(queues, (queue) -> rate(queue, (rate) -> Columns.millis(rate.period())));
	}

	private static <T> @Nullable T rate(HandledQueue queue, Function<Rate, T> value) {
		Rate rate = queue.limits().rate();
		return (rate != null) ? value.apply(rate) : null;
	}

	/**
	 * A heartbeat waits at most 1 s for a lock of the tables that it reads. It does not
	 * wait for the disk: what a worker commits later is not durable before its
	 * registration is.
	 */
	private static final String BEGIN_CHECK_IN = QueueTransaction.BEGIN_ASYNCHRONOUS
			+ ", set_config('lock_timeout', '1s', true)";

	private static final String CHECK_IN_WITH = """
			WITH me AS (
			    UPDATE jobqueue_worker SET last_active_at = statement_timestamp(), idle = ?
			    WHERE id = ?
			    RETURNING id, service, idle
			)
			SELECT count(w.id) FILTER (WHERE w.shares AND w.id < m.id) AS place, count(w.id) FILTER (WHERE w.shares) + 1 AS size,
			       count(w.id) FILTER (WHERE w.id < m.id) AS rank, statement_timestamp() AS at, %s AS cancels,
			       (SELECT bit_xor(hashtextextended(p.queue || ' ' || p.type, 0)) FROM jobqueue_pause p) AS pauses,
			       %s AS next_tick_at, %s AS empty
			FROM me m
			LEFT JOIN LATERAL (
			    SELECT w.id, w.service = m.service AND w.idle AND m.idle AS shares
			    FROM jobqueue_worker w
			    WHERE w.id <> m.id
			        AND w.last_active_at > statement_timestamp() - w.timeout_millis / 2 * interval '1 millisecond') w ON true
			GROUP BY m.id
			""";

	private static final String CANCELS = """
			(SELECT array_agg(j.id) FROM jobqueue_job j WHERE j.cancel_requested AND j.locked_by = m.id)""";

	private static final String NEXT_TICK = """
			least((SELECT r.next_at FROM jobqueue_recurring r WHERE NOT r.declared AND r.next_at >= ?::timestamptz
			       ORDER BY r.next_at LIMIT 1),
			      (SELECT min(r.next_at) FROM jobqueue_recurring r WHERE r.declared AND r.name = ANY (?::text[])),
			      'infinity')""";

	private static final String NOT_SEARCHED = "false";

	/**
	 * Without a job, no retry waits. A key may outlast its job, if it was locked when
	 * that ended.
	 */
	private static final String NOTHING_TO_DO = """
			NOT (EXISTS (SELECT 1 FROM jobqueue_job)
			     OR EXISTS (SELECT 1 FROM jobqueue_claim)
			     OR EXISTS (SELECT 1 FROM jobqueue_key)
			     OR EXISTS (SELECT 1 FROM jobqueue_dependency)
			     OR EXISTS (SELECT 1 FROM jobqueue_batch WHERE sealed_at IS NOT NULL AND finished_at IS NULL)
			     OR EXISTS (SELECT 1 FROM jobqueue_workflow WHERE finished_at IS NULL)
			     OR EXISTS (SELECT 1 FROM jobqueue_worker
			         WHERE last_active_at <= statement_timestamp() - timeout_millis * interval '1 millisecond'
			            OR last_active_at > statement_timestamp() + timeout_millis * interval '1 millisecond')
			     OR EXISTS (SELECT 1 FROM jobqueue_archive WHERE keep_until <= statement_timestamp())
			     OR EXISTS (SELECT 1 FROM jobqueue_unarchived WHERE removed_at <= statement_timestamp() - interval '1 day')
			     OR EXISTS (SELECT 1 FROM jobqueue_dedupe WHERE ends_at <= statement_timestamp())
			     OR EXISTS (SELECT 1 FROM jobqueue_statistics WHERE %s)
			     OR EXISTS (SELECT 1 FROM jobqueue_operator_log WHERE %s)
			     OR EXISTS (SELECT 1 FROM jobqueue_batch b WHERE %s))"""
		.formatted(PostgresMaintenanceStore.EXPIRED_STATISTICS, PostgresMaintenanceStore.EXPIRED_OPERATIONS,
				PostgresMaintenanceStore.EXPIRED_BATCHES);

	/**
	 * Workers whose last heartbeat is older than half of their timeout take no poll turn.
	 */
	private static final String CHECK_IN = CHECK_IN_WITH.formatted(CANCELS, NEXT_TICK, NOT_SEARCHED);

	private static final String CHECK_IN_AND_SEARCH = CHECK_IN_WITH.formatted(CANCELS, NEXT_TICK, NOTHING_TO_DO);

	/**
	 * The heartbeat that reads no other table than those of workers and pauses, for the
	 * time while one is locked. It has the same parameters.
	 */
	private static final String CHECK_IN_ALONE = CHECK_IN_WITH.formatted("NULL::uuid[]",
			"CASE WHEN ?::timestamptz IS NOT NULL OR ?::text[] IS NOT NULL THEN 'infinity'::timestamptz END",
			NOT_SEARCHED);

	/**
	 * A lock of another table, by a migration for example, must not stop the heartbeats:
	 * cancel requests and ticks are read by a later one.
	 */
	private static List<CheckInResult> checkIn(String sql, QueueTransaction transactions, boolean register,
			Worker worker, boolean idle) {
		try {
			return send(sql, transactions, register, worker, idle);
		}
		catch (CannotAcquireLockException ex) {
			return send(CHECK_IN_ALONE, transactions, register, worker, idle);
		}
	}

	private static List<CheckInResult> send(String sql, QueueTransaction transactions, boolean register, Worker worker,
			boolean idle) {
		List<CheckInResult> results = new ArrayList<>();
		Step checkIn = new Step(sql,
				(parameters) -> parameters.value(idle)
					.value(worker.id())
					.text(ticksFrom(worker.ticks()))
					.texts((worker.ticks() != null) ? worker.ticks().declared() : Set.of()),
				(row) -> results.add(result(row, !register)));
		transactions.run(BEGIN_CHECK_IN,
				register ? List.of(registration(worker, idle), handle(worker), checkIn) : List.of(checkIn));
		return results;
	}

	private static CheckInResult result(ResultSet row, boolean known) throws SQLException {
		return new CheckInResult(known, row.getInt("place"), row.getInt("size"), Columns.instant(row, "at"),
				cancels(row), row.getLong("pauses"), row.getInt("rank"), nextTickAt(row), row.getBoolean("empty"));
	}

	/**
	 * A worker that ticks no schedule reads none.
	 */
	private static String ticksFrom(@Nullable Ticks ticks) {
		if (ticks == null) {
			return "infinity";
		}
		return (ticks.from() != null) ? ticks.from().toString() : "-infinity";
	}

	private static @Nullable Instant nextTickAt(ResultSet row) throws SQLException {
		OffsetDateTime next = row.getObject("next_tick_at", OffsetDateTime.class);
		return next.equals(OffsetDateTime.MAX) ? null : next.toInstant();
	}

	private static Set<UUID> cancels(ResultSet row) throws SQLException {
		Array ids = row.getArray("cancels");
		return (ids != null) ? Set.of((UUID[]) ids.getArray()) : Set.of();
	}

	private static final String CHANGE = """
			UPDATE jobqueue_worker SET service = ?, queues = ?, limits = ? WHERE id = ?
			""";

	@Override
	public void change(Worker worker) {
		Step change = new Step(CHANGE,
				(parameters) -> parameters.value(worker.service())
					.value(String.join(",", worker.queues()))
					.value(worker.limits())
					.value(worker.id()));
		this.side.transact(this.schema, (transactions) -> {
			transactions.run(QueueTransaction.BEGIN, List.of(change, handle(worker)));
			return worker;
		});
	}

	private static final String DIFFERING = """
			SELECT name, queues, limits, application
			FROM jobqueue_worker
			WHERE id <> ? AND (limits <> ? OR application <> ?)
			    AND last_active_at > statement_timestamp() - timeout_millis * interval '1 millisecond'
			ORDER BY name
			""";

	@Override
	public List<DifferingWorker> differing(Worker worker) {
		return this.side.execute((jdbc) -> jdbc.query(this.schema.in(DIFFERING),
				(statement) -> new Parameters(statement).value(worker.id())
					.value(worker.limits())
					.replacedText(worker.application()),
				(row, number) -> new DifferingWorker(row.getString("name"),
						List.of(row.getString("queues").split(",", -1)), row.getString("limits"),
						row.getString("application"))));
	}

	/**
	 * Reads the pauses with the hash that a heartbeat returns.
	 */
	private static final String PAUSED_WORK = """
			SELECT queue, nullif(type, '') AS type, bit_xor(hashtextextended(queue || ' ' || type, 0)) OVER () AS number
			FROM jobqueue_pause
			""";

	@Override
	public PausedWork paused() {
		return this.side.execute((jdbc) -> jdbc.query(this.schema.in(PAUSED_WORK), PostgresWorkerStore::pausedWork));
	}

	private static PausedWork pausedWork(ResultSet rows) throws SQLException {
		Set<PauseTarget> paused = new HashSet<>();
		long number = 0;
		while (rows.next()) {
			paused.add(new PauseTarget(rows.getString("queue"), rows.getString("type")));
			number = rows.getLong("number");
		}
		return new PausedWork(Set.copyOf(paused), number);
	}

	private static final String CHECK_OUT = """
			DELETE FROM jobqueue_worker WHERE id = ?
			""";

	@Override
	public void checkOut(UUID worker) {
		this.side.execute((jdbc) -> jdbc.update(this.schema.in(CHECK_OUT), worker));
	}

}
