package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.store.ClaimedJob.HeldKeys;
import io.jobqueue.store.MaintenanceStore.LostJob;
import io.jobqueue.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.store.MaintenanceStore.ReaperPass;
import io.jobqueue.store.MaintenanceStore.ReaperPosition;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * Collects what the reaper returned: rows with a job that was taken away, with jobs of
 * one kind that were, with the name of a worker, and one with none of these.
 */
final class ReaperRows {

	private final List<ReapedJobs> taken = new ArrayList<>();

	private final List<LostJob> lost = new ArrayList<>();

	private final EndedRows ended = new EndedRows();

	private final List<String> forgotten = new ArrayList<>();

	private boolean waiting;

	private boolean keyed;

	private @Nullable ReaperPosition last;

	ReaperRows addAll(ResultSet rows) throws SQLException {
		while (rows.next()) {
			add(rows);
		}
		return this;
	}

	private void add(ResultSet row) throws SQLException {
		if (row.getString("id") != null) {
			lose(row);
		}
		else if (row.getString("queue") != null) {
			this.taken.add(taken(row));
		}
		else if (row.getString("worker") != null) {
			this.forgotten.add(row.getString("worker"));
		}
		else {
			this.waiting = row.getBoolean("waiting");
			this.keyed = row.getBoolean("keyed");
			this.last = last(row);
		}
	}

	static @Nullable ReaperPosition last(ResultSet row) throws SQLException {
		UUID worker = row.getObject("last_worker", UUID.class);
		return (worker != null) ? new ReaperPosition(row.getBoolean("last_silent"), row.getString("last_expires_at"),
				worker, row.getLong("last_claim")) : null;
	}

	private void lose(ResultSet row) throws SQLException {
		if (row.getString("worker") != null) {
			this.lost.add(lost(row));
		}
		if (row.getString("state") != null) {
			this.ended.add(row);
		}
	}

	private static ReapedJobs taken(ResultSet row) throws SQLException {
		return new ReapedJobs(Columns.tier(row), Columns.position(row), row.getString("type"), row.getString("worker"),
				state(row), row.getLong("count"));
	}

	private static LostJob lost(ResultSet row) throws SQLException {
		return new LostJob(row.getObject("id", UUID.class), Columns.tier(row), row.getString("type"),
				row.getInt("attempts"), row.getInt("failures"), row.getString("headers"), row.getString("worker"),
				state(row));
	}

	private static @Nullable JobState state(ResultSet row) throws SQLException {
		String state = row.getString("state");
		return (state != null) ? JobState.valueOf(state) : null;
	}

	/**
	 * Return the keys of those that ended.
	 */
	Collection<HeldKeys> freed() {
		return this.ended.freed();
	}

	boolean endNothing() {
		return this.ended.jobs().isEmpty() && this.forgotten.isEmpty();
	}

	ReaperPass pass(Collection<JobsAvailable> nominated) {
		return pass(nominated, this.last);
	}

	/**
	 * Return a pass behind which the reaper goes on at the given place.
	 */
	ReaperPass pass(Collection<JobsAvailable> nominated, @Nullable ReaperPosition last) {
		return new ReaperPass(this.taken, this.lost, this.ended.jobs(), this.forgotten, this.waiting, this.keyed,
				nominated, last);
	}

}
