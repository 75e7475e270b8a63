package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import io.jobqueue.JobState;
import io.jobqueue.store.EndedJob;
import io.jobqueue.store.WakeUp.JobsAvailable;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * Cancels jobs that nobody runs, and collects what became of them.
 */
final class CancelledRows {

	private final EndedRows ended = new EndedRows();

	private final List<JobsAvailable> available = new ArrayList<>();

	Step step(Schema schema, Collection<UUID> ids) {
		return new Step(schema.in(PostgresOutcomeSql.CANCEL), (parameters) -> parameters.array("uuid", ids, (id) -> id),
				Answer.ofEachRow(this::take));
	}

	private void take(ResultSet row) throws SQLException {
		if (row.getObject("id") != null) {
			this.ended.add(row);
		}
		else {
			this.available.add(Columns.arrival(row));
		}
	}

	List<EndedJob> jobs() {
		return this.ended.jobs();
	}

	List<UUID> ids() {
		return this.ended.jobs().stream().map(EndedJob::id).toList();
	}

	/**
	 * Let those take over that waited for the keys of what was cancelled.
	 */
	void handOver(KeyGate gate) {
		this.available.addAll(gate.handOver(this.ended.freed()));
	}

	List<JobsAvailable> available() {
		return this.available;
	}

}
