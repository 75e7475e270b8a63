package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.jobqueue.store.ClaimedJob.HeldKeys;
import io.jobqueue.store.OperationStore.ChangeResult;
import io.jobqueue.store.WakeUp.JobsAvailable;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * Collects jobs that an operator changed, the keys that they let go of, and those that
 * were left alone because somebody has their key.
 */
final class ChangedRows {

	private final Set<UUID> jobs = new LinkedHashSet<>();

	private final List<JobsAvailable> available = new ArrayList<>();

	private final List<HeldKeys> freed = new ArrayList<>();

	private final Map<UUID, UUID> holders = new HashMap<>();

	Answer<?> answer() {
		return Answer.ofEachRow(this::take);
	}

	private void take(ResultSet row) throws SQLException {
		UUID id = row.getObject("id", UUID.class);
		UUID holder = row.getObject("holder", UUID.class);
		if (holder != null) {
			this.holders.put(id, holder);
		}
		else {
			this.jobs.add(id);
			follow(row);
		}
	}

	private void follow(ResultSet row) throws SQLException {
		if (row.getBoolean("awaited")) {
			this.available.add(Columns.arrival(row));
		}
		HeldKeys keys = new HeldKeys(row.getString("queue"), row.getString("ordering_key"), row.getString("limit_key"));
		if (keys.ordering() != null || keys.limit() != null) {
			this.freed.add(keys);
		}
	}

	/**
	 * Let those take over that waited for the keys.
	 */
	ChangeResult handOver(KeyGate gate) {
		this.available.addAll(gate.handOver(this.freed));
		return new ChangeResult(this.jobs, this.available, this.holders);
	}

}
