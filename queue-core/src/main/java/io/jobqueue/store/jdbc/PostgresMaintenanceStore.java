package io.jobqueue.store.jdbc;

import java.util.List;

import javax.sql.DataSource;

import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.store.MaintenanceStore;
import io.jobqueue.store.ReapedJobs;

/**
 * The upkeep of a PostgreSQL database.
 */
final class PostgresMaintenanceStore implements MaintenanceStore {

	private static final RowMapper<ReapedJobs> REAPED = (row, number) -> new ReapedJobs(Columns.tier(row),
			Columns.position(row), row.getString("type"), row.getString("worker"), row.getBoolean("dead"),
			row.getLong("count"));

	private final OwnTransaction own;

	private final Schema schema;

	PostgresMaintenanceStore(DataSource dataSource, Schema schema) {
		this.own = new OwnTransaction(dataSource);
		this.schema = schema;
	}

	@Override
	public List<ReapedJobs> reap() {
		return query(PostgresUpkeepSql.REAP, REAPED);
	}

	@Override
	public List<String> forgetSilentWorkers() {
		return query(PostgresUpkeepSql.FORGET_SILENT_WORKERS, (row, number) -> row.getString("name"));
	}

	@Override
	public int purge(int limit) {
		return this.own.update(PostgresSql.BEGIN, this.schema.in(PostgresUpkeepSql.PURGE),
				(parameters) -> parameters.value(limit));
	}

	private <T> List<T> query(String sql, RowMapper<T> mapper) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(sql), (parameters) -> {
		}, new RowMapperResultSetExtractor<>(mapper));
	}

}
