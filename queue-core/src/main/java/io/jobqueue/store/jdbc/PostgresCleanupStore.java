package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.store.CleanupStore;
import io.jobqueue.store.CleanupStore.CleanupStatus;
import io.jobqueue.store.CleanupStore.SnapshotHolder;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * What keeps a PostgreSQL database from removing dead rows.
 */
final class PostgresCleanupStore implements CleanupStore {

	private static final List<String> TABLES = List.of("jobqueue_job", "jobqueue_archive", "jobqueue_claim",
			"jobqueue_worker", "jobqueue_key", "jobqueue_dedupe", "jobqueue_rate", "jobqueue_pause");

	private final OwnTransaction own;

	private final Schema schema;

	PostgresCleanupStore(DataSource dataSource, Schema schema) {
		this.own = new OwnTransaction(dataSource);
		this.schema = schema;
	}

	@Override
	public List<String> tables() {
		return TABLES;
	}

	@Override
	public CleanupStatus read() {
		Map<String, Long> deadRows = new HashMap<>();
		Answer<List<SnapshotHolder>> holder = Answer
			.ofRows(new RowMapperResultSetExtractor<>((row, number) -> holder(row)));
		this.own.run(PostgresGaugeSql.BEGIN, List.of(new Step(PostgresCleanupSql.OLDEST_SNAPSHOT, (parameters) -> {
		}, holder),
				new Step(PostgresCleanupSql.DEAD_ROWS,
						(parameters) -> parameters.array("text", TABLES, this.schema::in),
						Answer.ofEachRow((row) -> deadRows.put(row.getString("relname"), row.getLong("dead_rows"))))));
		return new CleanupStatus(holder.get().isEmpty() ? null : holder.get().get(0), deadRows);
	}

	private static SnapshotHolder holder(ResultSet row) throws SQLException {
		return new SnapshotHolder(row.getString("name"), row.getObject("pid", Integer.class), row.getString("snapshot"),
				Columns.fromNow(row, "age_millis"));
	}

}
