package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import io.jobqueue.store.Arrival;
import io.jobqueue.store.BuriedJob;
import io.jobqueue.store.HeldKeys;
import io.jobqueue.store.ReapedJobs;
import io.jobqueue.store.ReaperPass;

/**
 * Collects what the reaper returned: rows with a job that died, with jobs of one kind
 * that were taken away, with the name of a worker, and one with none of these.
 */
final class ReaperRows {

	private final List<ReapedJobs> taken = new ArrayList<>();

	private final List<BuriedJob> buried = new ArrayList<>();

	private final List<HeldKeys> freed = new ArrayList<>();

	private final List<String> forgotten = new ArrayList<>();

	private boolean followed;

	private boolean keyed;

	static ReaperRows of(ResultSet rows) throws SQLException {
		ReaperRows all = new ReaperRows();
		while (rows.next()) {
			all.add(rows);
		}
		return all;
	}

	private void add(ResultSet row) throws SQLException {
		if (row.getString("id") != null) {
			bury(row);
		}
		else if (row.getString("queue") != null) {
			this.taken.add(taken(row));
		}
		else if (row.getString("worker") != null) {
			this.forgotten.add(row.getString("worker"));
		}
		else {
			this.followed = row.getBoolean("followed");
			this.keyed = row.getBoolean("keyed");
		}
	}

	private void bury(ResultSet row) throws SQLException {
		this.buried.add(buried(row));
		HeldKeys keys = new HeldKeys(row.getString("queue"), row.getString("ordering_key"), row.getString("limit_key"));
		if (keys.ordering() != null || keys.limit() != null) {
			this.freed.add(keys);
		}
	}

	private static ReapedJobs taken(ResultSet row) throws SQLException {
		return new ReapedJobs(Columns.tier(row), Columns.position(row), row.getString("type"), row.getString("worker"),
				row.getBoolean("dead"), row.getLong("count"));
	}

	private static BuriedJob buried(ResultSet row) throws SQLException {
		return new BuriedJob(row.getObject("id", UUID.class), Columns.tier(row), row.getString("type"),
				Columns.instant(row, "run_at"), row.getInt("attempts"), row.getInt("max_attempts"),
				Columns.instant(row, "created_at"), row.getString("headers"));
	}

	/**
	 * Return the keys of those that died.
	 */
	Collection<HeldKeys> freed() {
		return this.freed;
	}

	ReaperPass pass(Collection<Arrival> nominated) {
		return new ReaperPass(this.taken, this.buried, this.forgotten, this.followed, this.keyed, nominated);
	}

}
