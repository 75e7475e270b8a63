package io.jobqueue.store.jdbc;

import java.util.UUID;

import org.springframework.jdbc.core.JdbcOperations;

import io.jobqueue.store.Worker;
import io.jobqueue.store.WorkerStore;

/**
 * The workers of a PostgreSQL database.
 */
final class PostgresWorkerStore implements WorkerStore {

	private final JdbcOperations jdbc;

	private final Schema schema;

	PostgresWorkerStore(JdbcOperations jdbc, Schema schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	@Override
	public boolean checkIn(Worker worker) {
		if (this.jdbc.update(this.schema.in(PostgresSql.CHECK_IN), worker.id()) > 0) {
			return true;
		}
		this.jdbc.update(this.schema.in(PostgresSql.INTRODUCE), worker.id(), worker.timeout().toMillis(), worker.name(),
				String.join(",", worker.queues()));
		return false;
	}

	@Override
	public void checkOut(UUID worker) {
		this.jdbc.update(this.schema.in(PostgresSql.CHECK_OUT), worker);
	}

}
