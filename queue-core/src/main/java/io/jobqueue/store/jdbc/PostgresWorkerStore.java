package io.jobqueue.store.jdbc;

import java.util.UUID;

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
	public boolean checkIn(Worker worker) {
		return this.side.execute((jdbc) -> {
			boolean known = jdbc.update(this.schema.in(PostgresUpkeepSql.CHECK_IN), worker.id()) > 0;
			if (!known) {
				jdbc.update(this.schema.in(PostgresUpkeepSql.INTRODUCE), worker.id(), worker.timeout().toMillis(),
						worker.name(), String.join(",", worker.queues()));
			}
			return known;
		});
	}

	@Override
	public void checkOut(UUID worker) {
		this.side.execute((jdbc) -> jdbc.update(this.schema.in(PostgresUpkeepSql.CHECK_OUT), worker));
	}

}
