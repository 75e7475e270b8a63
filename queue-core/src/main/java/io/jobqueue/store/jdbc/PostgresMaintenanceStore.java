package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import io.jobqueue.store.MaintenanceStore;
import io.jobqueue.store.ReapedJobs;
import io.jobqueue.store.ReaperPass;

/**
 * The upkeep of a PostgreSQL database.
 */
final class PostgresMaintenanceStore implements MaintenanceStore {

	private final OwnTransaction own;

	private final Schema schema;

	PostgresMaintenanceStore(DataSource dataSource, Schema schema) {
		this.own = new OwnTransaction(dataSource);
		this.schema = schema;
	}

	@Override
	public ReaperPass reap() {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresUpkeepSql.REAP), (parameters) -> {
		}, PostgresMaintenanceStore::pass);
	}

	private static ReaperPass pass(ResultSet rows) throws SQLException {
		List<ReapedJobs> taken = new ArrayList<>();
		List<String> forgotten = new ArrayList<>();
		while (rows.next()) {
			String queue = rows.getString("queue");
			String worker = rows.getString("worker");
			if (queue != null) {
				taken.add(new ReapedJobs(queue, rows.getString("type"), worker, rows.getBoolean("dead"),
						rows.getLong("count")));
			}
			else {
				forgotten.add(worker);
			}
		}
		return new ReaperPass(taken, forgotten);
	}

	@Override
	public int purge(int limit) {
		return this.own.run(PostgresSql.BEGIN, (statements) -> statements
			.update(this.schema.in(PostgresUpkeepSql.PURGE), (parameters) -> parameters.value(limit)));
	}

}
