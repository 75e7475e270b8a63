package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.store.Arrival;
import io.jobqueue.store.EndedJob;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * Cancels jobs that nobody runs, and collects what became of them.
 */
final class CancelledRows {

	private final List<EndedJob> jobs = new ArrayList<>();

	private final List<Arrival> arrivals = new ArrayList<>();

	Step step(Schema schema, Collection<UUID> ids) {
		return new Step(schema.in(PostgresOutcomeSql.CANCEL), (parameters) -> parameters.array("uuid", ids, (id) -> id),
				Answer.ofEachRow(this::take));
	}

	private void take(ResultSet row) throws SQLException {
		if (row.getObject("id") != null) {
			this.jobs.add(ended(row));
		}
		else {
			this.arrivals.add(Columns.arrival(row));
		}
	}

	/**
	 * Read a job that is finished from a row that tells of it.
	 */
	static EndedJob ended(ResultSet row) throws SQLException {
		return new EndedJob(row.getObject("id", UUID.class), JobState.valueOf(row.getString("state")),
				Columns.tier(row), row.getString("type"), Columns.instant(row, "run_at"), row.getInt("attempts"),
				row.getObject("max_attempts", Integer.class), Columns.instant(row, "created_at"),
				row.getString("headers"));
	}

	@Nullable EndedJob first() {
		return this.jobs.isEmpty() ? null : this.jobs.get(0);
	}

	List<UUID> ids() {
		return this.jobs.stream().map(EndedJob::id).toList();
	}

	List<Arrival> arrivals() {
		return this.arrivals;
	}

}
