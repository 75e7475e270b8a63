package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.Cancellation;
import io.jobqueue.store.JobPlace;
import io.jobqueue.store.OperationStore;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * What operators ask of jobs of a PostgreSQL database.
 */
final class PostgresOperationStore implements OperationStore {

	private final OwnTransaction own;

	private final Schema schema;

	private final KeyGate gate;

	PostgresOperationStore(DataSource dataSource, Schema schema) {
		this.own = new OwnTransaction(dataSource);
		this.schema = schema;
		this.gate = new KeyGate(this.own, schema);
	}

	@Override
	public @Nullable JobPlace find(UUID id) {
		return this.own
			.query(PostgresSql.BEGIN, this.schema.in(PostgresOperationSql.FIND),
					(parameters) -> parameters.value(id).value(id), PostgresOperationStore::places)
			.stream()
			.findFirst()
			.orElse(null);
	}

	private static List<JobPlace> places(ResultSet rows) throws SQLException {
		return rows.next() ? List.of(new JobPlace(rows.getString("queue"), rows.getBoolean("finished"))) : List.of();
	}

	@Override
	public Cancellation cancel(UUID id, @Nullable Duration keep) {
		Answer<Integer> requested = Answer.ofCount();
		CancelledRows cancelled = new CancelledRows();
		this.own.run(PostgresSql.BEGIN_CANCEL,
				List.of(new Step(this.schema.in(PostgresOperationSql.REQUEST_CANCEL),
						(parameters) -> parameters.number(Columns.ofDuration(keep)).value(id), requested),
						cancelled.step(this.schema, List.of(id))));
		cancelled.handOver(this.gate);
		return new Cancellation(requested.get() > 0, cancelled.first(), cancelled.arrivals());
	}

}
