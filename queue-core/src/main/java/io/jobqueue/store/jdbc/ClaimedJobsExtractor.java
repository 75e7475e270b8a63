package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.ResultSetExtractor;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.store.ClaimRequest;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Tier;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * Reads what a claim returned: rows that name the moment, with a claimed job, with a
 * place where one was withheld, or with nothing else.
 */
final class ClaimedJobsExtractor implements ResultSetExtractor<ClaimResult> {

	private final ClaimRequest demand;

	ClaimedJobsExtractor(ClaimRequest demand) {
		this.demand = demand;
	}

	@Override
	public ClaimResult extractData(ResultSet rows) throws SQLException {
		List<ClaimedJob> jobs = new ArrayList<>();
		List<JobsAvailable> withheld = new ArrayList<>();
		Instant at = null;
		Duration nextDueIn = null;
		int due = 0;
		int quota = 0;
		while (rows.next()) {
			if (at == null) {
				at = Columns.instant(rows, "at");
				nextDueIn = Columns.dueIn(rows);
				due = rows.getInt("due_jobs");
				quota = rows.getInt("quota");
			}
			read(rows, jobs, withheld);
		}
		return new ClaimResult(jobs, withheld, quota, due > jobs.size() + withheld.size(), at == null, at, nextDueIn);
	}

	private void read(ResultSet row, List<ClaimedJob> jobs, List<JobsAvailable> withheld) throws SQLException {
		UUID id = row.getObject("id", UUID.class);
		if (id != null) {
			jobs.add(job(id, row));
		}
		else if (row.getObject("seq") != null) {
			Tier tier = new Tier(this.demand.queue(), row.getInt("priority"));
			withheld.add(new JobsAvailable(tier, Columns.position(row), Duration.ZERO));
		}
	}

	/**
	 * Whoever writes rows by hand may mean for ever.
	 */
	private static Duration runTime(ResultSet row) throws SQLException {
		return Duration.ofMillis(Math.min(row.getLong("run_limit_millis"), Columns.LONGEST.toMillis()));
	}

	private ClaimedJob job(UUID id, ResultSet row) throws SQLException {
		return new ClaimedJob(id, this.demand.claim(), this.demand.queue(), row.getString("type"),
				new Encoded(row.getString("payload"), row.getBytes("payload_bytes")), row.getInt("priority"),
				Columns.instant(row, "run_at"), row.getLong("seq"), row.getInt("attempts"),
				row.getInt("expected_failures"), row.getInt("attempts_limit"), runTime(row),
				Columns.instant(row, "created_at"), row.getString("headers"), row.getString("unique_key"),
				row.getString("ordering_key"), row.getString("limit_key"), row.getBoolean("at_most_once"));
	}

}
