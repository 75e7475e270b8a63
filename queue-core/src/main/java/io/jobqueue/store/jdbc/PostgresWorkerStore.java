package io.jobqueue.store.jdbc;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.store.PauseTarget;
import io.jobqueue.store.WorkerStore;
import io.jobqueue.store.WorkerStore.CheckInResult;
import io.jobqueue.store.WorkerStore.PausedWork;
import io.jobqueue.store.WorkerStore.Worker;
import io.jobqueue.store.WorkerStore.WorkerLimits;

/**
 * The workers of a PostgreSQL database.
 */
final class PostgresWorkerStore implements WorkerStore {

	private final SideConnection side;

	private final Schema schema;

	PostgresWorkerStore(SideConnection side, Schema schema) {
		this.side = side;
		this.schema = schema;
	}

	@Override
	public CheckInResult checkIn(Worker worker, boolean idle) {
		return this.side.transact((own) -> {
			List<CheckInResult> known = checkIn(own, worker, idle, true);
			return known.isEmpty() ? introduce(own, worker, idle) : known.get(0);
		});
	}

	private CheckInResult introduce(OwnTransaction own, Worker worker, boolean idle) {
		own.update(PostgresUpkeepSql.BEGIN_CHECK_IN, this.schema.in(PostgresUpkeepSql.INTRODUCE),
				(parameters) -> parameters.value(worker.id())
					.value(Columns.millis(worker.timeout()))
					.value(worker.service())
					.value(idle)
					.value(worker.name())
					.value(String.join(",", worker.queues()))
					.value(worker.limits()));
		return checkIn(own, worker, idle, false).get(0);
	}

	/**
	 * A lock of the table of jobs, by a migration for example, makes no worker silent:
	 * requests to cancel are read at the next heartbeat.
	 */
	private List<CheckInResult> checkIn(OwnTransaction own, Worker worker, boolean idle, boolean known) {
		try {
			return checkIn(PostgresUpkeepSql.CHECK_IN, own, worker, idle, known);
		}
		catch (CannotAcquireLockException ex) {
			return checkIn(PostgresUpkeepSql.CHECK_IN_ALONE, own, worker, idle, known);
		}
	}

	private List<CheckInResult> checkIn(String sql, OwnTransaction own, Worker worker, boolean idle, boolean known) {
		return own.query(PostgresUpkeepSql.BEGIN_CHECK_IN, this.schema.in(sql),
				(parameters) -> parameters.value(idle).value(worker.id()),
				new RowMapperResultSetExtractor<>((row, number) -> new CheckInResult(known, row.getInt("place"),
						row.getInt("size"), Columns.instant(row, "at"), cancels(row), row.getLong("pauses"))));
	}

	private static Set<UUID> cancels(ResultSet row) throws SQLException {
		Array ids = row.getArray("cancels");
		return (ids != null) ? Set.of((UUID[]) ids.getArray()) : Set.of();
	}

	@Override
	public void change(Worker worker) {
		this.side.execute((jdbc) -> jdbc.update(this.schema.in(PostgresUpkeepSql.CHANGE), worker.service(),
				String.join(",", worker.queues()), worker.limits(), worker.id()));
	}

	@Override
	public List<WorkerLimits> withOtherLimits(Worker worker) {
		return this.side.execute((jdbc) -> jdbc.query(this.schema.in(PostgresUpkeepSql.OTHER_LIMITS),
				(row, number) -> new WorkerLimits(row.getString("name"),
						List.of(row.getString("queues").split(",", -1)), row.getString("limits")),
				worker.id(), worker.limits()));
	}

	@Override
	public PausedWork paused() {
		return this.side.execute(
				(jdbc) -> jdbc.query(this.schema.in(PostgresPauseSql.PAUSED_WORK), PostgresWorkerStore::pausedWork));
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

	@Override
	public void checkOut(UUID worker) {
		this.side.execute((jdbc) -> jdbc.update(this.schema.in(PostgresUpkeepSql.CHECK_OUT), worker));
	}

}
