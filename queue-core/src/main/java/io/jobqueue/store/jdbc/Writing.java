package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.jobqueue.JobState;
import io.jobqueue.store.JobStore.CompletionResult;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * Collects what is written when outcomes are recorded.
 */
final class Writing {

	private final Set<UUID> jobs = new HashSet<>();

	private final List<JobsAvailable> available = new ArrayList<>();

	private final Set<UUID> cancelled = new HashSet<>();

	private final List<UUID> requested = new ArrayList<>();

	/**
	 * Take a row with a job that is finished, or with one that waited for such a job.
	 */
	void finished(ResultSet row) throws SQLException {
		UUID id = row.getObject("id", UUID.class);
		if (id != null) {
			this.jobs.add(id);
			note(id, JobState.valueOf(row.getString("state")));
		}
		else {
			this.available.add(Columns.arrival(row));
		}
	}

	private void note(UUID id, JobState state) {
		if (state == JobState.CANCELLED) {
			this.cancelled.add(id);
		}
	}

	/**
	 * Take a row with a job that waits again, or that is to be cancelled.
	 */
	void waiting(ResultSet row) throws SQLException {
		UUID id = row.getObject("id", UUID.class);
		this.jobs.add(id);
		if (row.getBoolean("cancel_requested")) {
			this.requested.add(id);
		}
		else {
			this.available.add(Columns.arrival(row));
		}
	}

	/**
	 * Return the jobs that wait again and are to be cancelled.
	 */
	List<UUID> requested() {
		return this.requested;
	}

	/**
	 * Take what became of those.
	 */
	void cancelled(CancelledRows rows) {
		this.cancelled.addAll(rows.ids());
		this.available.addAll(rows.available());
	}

	/**
	 * Take a row with a job that waited for others and may run, or is to be judged again.
	 */
	void freed(ResultSet row) throws SQLException {
		this.available.add(Columns.arrival(row));
	}

	/**
	 * Take a job whose outcome was written before.
	 */
	void recorded(UUID id) {
		this.jobs.add(id);
	}

	CompletionResult written() {
		return new CompletionResult(this.jobs, this.available, this.cancelled);
	}

}
