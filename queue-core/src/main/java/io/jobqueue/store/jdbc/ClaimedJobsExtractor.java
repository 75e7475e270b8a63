package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.springframework.jdbc.core.ResultSetExtractor;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.ClaimedJobs;

/**
 * Reads what a claim returned. A row without a job stands for one that was withheld.
 */
final class ClaimedJobsExtractor implements ResultSetExtractor<ClaimedJobs> {

	@Override
	public ClaimedJobs extractData(ResultSet rows) throws SQLException {
		List<ClaimedJob> jobs = new ArrayList<>();
		Set<String> withheld = new HashSet<>();
		while (rows.next()) {
			UUID id = rows.getObject("id", UUID.class);
			if (id != null) {
				jobs.add(job(id, rows));
			}
			else {
				withheld.add(rows.getString("demanded"));
			}
		}
		return new ClaimedJobs(jobs, withheld);
	}

	private ClaimedJob job(UUID id, ResultSet row) throws SQLException {
		return new ClaimedJob(id, row.getLong("claim"), row.getString("queue"), row.getString("type"),
				new Encoded(row.getString("payload"), row.getBytes("payload_bytes")), row.getInt("priority"),
				Columns.instant(row, "run_at"), row.getLong("seq"), row.getInt("attempts"), row.getInt("max_attempts"),
				Duration.ofMillis(row.getLong("max_run_millis")), Columns.instant(row, "created_at"),
				row.getString("headers"));
	}

}
