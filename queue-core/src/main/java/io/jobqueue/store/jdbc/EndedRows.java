package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.jobqueue.JobState;
import io.jobqueue.store.ClaimedJob.HeldKeys;
import io.jobqueue.store.EndedJob;

/**
 * Collects jobs that ended without their worker, and the keys that they let go of.
 */
final class EndedRows {

	private final List<EndedJob> jobs = new ArrayList<>();

	private final List<HeldKeys> freed = new ArrayList<>();

	void add(ResultSet row) throws SQLException {
		this.jobs.add(job(row));
		HeldKeys keys = new HeldKeys(row.getString("queue"), row.getString("ordering_key"), row.getString("limit_key"));
		if (keys.ordering() != null || keys.limit() != null) {
			this.freed.add(keys);
		}
	}

	private static EndedJob job(ResultSet row) throws SQLException {
		return new EndedJob(row.getObject("id", UUID.class), JobState.valueOf(row.getString("state")),
				Columns.tier(row), row.getString("type"), Columns.instant(row, "run_at"), row.getInt("attempts"),
				row.getObject("max_attempts", Integer.class), Columns.instant(row, "created_at"),
				row.getString("headers"));
	}

	List<EndedJob> jobs() {
		return this.jobs;
	}

	List<HeldKeys> freed() {
		return this.freed;
	}

}
