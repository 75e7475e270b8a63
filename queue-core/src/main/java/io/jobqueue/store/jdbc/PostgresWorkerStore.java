package io.jobqueue.store.jdbc;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcOperations;

import io.jobqueue.store.CheckIn;
import io.jobqueue.store.Paused;
import io.jobqueue.store.PausedWork;
import io.jobqueue.store.Worker;
import io.jobqueue.store.WorkerStore;

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
	public CheckIn checkIn(Worker worker, boolean idle) {
		return this.side.execute((jdbc) -> {
			List<CheckIn> known = checkIn(jdbc, worker, idle, true);
			return known.isEmpty() ? introduce(jdbc, worker, idle) : known.get(0);
		});
	}

	private CheckIn introduce(JdbcOperations jdbc, Worker worker, boolean idle) {
		jdbc.update(this.schema.in(PostgresUpkeepSql.INTRODUCE), worker.id(), worker.timeout().toMillis(),
				worker.service(), idle, worker.name(), String.join(",", worker.queues()));
		return checkIn(jdbc, worker, idle, false).get(0);
	}

	private List<CheckIn> checkIn(JdbcOperations jdbc, Worker worker, boolean idle, boolean known) {
		return jdbc.query(
				this.schema.in(PostgresUpkeepSql.CHECK_IN), (row, number) -> new CheckIn(known, row.getInt("place"),
						row.getInt("size"), Columns.instant(row, "at"), cancels(row), row.getLong("pauses")),
				idle, worker.id());
	}

	private static Set<UUID> cancels(ResultSet row) throws SQLException {
		Array ids = row.getArray("cancels");
		return (ids != null) ? Set.of((UUID[]) ids.getArray()) : Set.of();
	}

	@Override
	public void change(Worker worker) {
		this.side.execute((jdbc) -> jdbc.update(this.schema.in(PostgresUpkeepSql.CHANGE), worker.service(),
				String.join(",", worker.queues()), worker.id()));
	}

	@Override
	public PausedWork paused() {
		return this.side.execute(
				(jdbc) -> jdbc.query(this.schema.in(PostgresPauseSql.PAUSED_WORK), PostgresWorkerStore::pausedWork));
	}

	private static PausedWork pausedWork(ResultSet rows) throws SQLException {
		Set<Paused> paused = new HashSet<>();
		long number = 0;
		while (rows.next()) {
			paused.add(new Paused(rows.getString("queue"), rows.getString("type")));
			number = rows.getLong("number");
		}
		return new PausedWork(Set.copyOf(paused), number);
	}

	@Override
	public void checkOut(UUID worker) {
		this.side.execute((jdbc) -> jdbc.update(this.schema.in(PostgresUpkeepSql.CHECK_OUT), worker));
	}

}
