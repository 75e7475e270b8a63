package io.jobqueue.store.jdbc;

import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.QueuePause;
import io.jobqueue.store.PauseStore;
import io.jobqueue.store.PauseTarget;

/**
 * What is paused in a PostgreSQL database.
 */
final class PostgresPauseStore implements PauseStore {

	private final OwnTransaction own;

	private final Schema schema;

	PostgresPauseStore(DataSource dataSource, Schema schema) {
		this.own = new OwnTransaction(dataSource);
		this.schema = schema;
	}

	@Override
	public List<QueuePause> pauses() {
		return this.own.query(PostgresGaugeSql.BEGIN, this.schema.in(PostgresPauseSql.PAUSED), (parameters) -> {
		}, new RowMapperResultSetExtractor<>((row, number) -> new QueuePause(row.getString("queue"),
				row.getString("type"), Columns.instant(row, "paused_at"), row.getString("paused_by"))));
	}

	@Override
	public boolean pause(PauseTarget paused, @Nullable String by) {
		return this.own.update(PostgresSql.BEGIN, this.schema.in(PostgresPauseSql.PAUSE),
				(parameters) -> parameters.value(paused.queue()).value(type(paused)).text(by)) > 0;
	}

	@Override
	public boolean resume(PauseTarget paused) {
		return this.own.update(PostgresSql.BEGIN, this.schema.in(PostgresPauseSql.RESUME),
				(parameters) -> parameters.value(paused.queue()).value(type(paused))) > 0;
	}

	private static String type(PauseTarget paused) {
		return Objects.requireNonNullElse(paused.type(), "");
	}

}
