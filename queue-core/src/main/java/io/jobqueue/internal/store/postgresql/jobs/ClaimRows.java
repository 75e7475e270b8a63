package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.ResultSetExtractor;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.StorableDuration;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;

/**
 * Reads the rows of a claim. Each has the time of the claim, and a claimed job, the
 * position of a withheld job, or neither.
 */
final class ClaimRows implements ResultSetExtractor<ClaimResult> {

	/**
	 * The columns of a claimed job but its id and its type, and the time of the claim.
	 * Times are numbers: the driver builds other ones from their calendar fields. SQL of
	 * the application may have set {@code created_at} to infinity.
	 */
	static final String JOB_COLUMNS = """
			c.priority, (extract(epoch FROM c.run_at) * 1000000)::bigint AS run_at_micros, c.seq, c.payload, c.payload_bytes,
			       c.attempts, c.expected_failures, c.attempts_limit, c.run_limit_millis,
			       (extract(epoch FROM CASE WHEN isfinite(c.created_at) THEN c.created_at ELSE c.run_at END)
			        * 1000000)::bigint AS created_at_micros, c.headers, c.unique_key, c.ordering_key, c.limit_key, c.at_most_once,
			       c.batch_id IS NOT NULL OR c.history IS NOT NULL AS involved, c.releases,
			       (extract(epoch FROM statement_timestamp()) * 1000000)::bigint AS at_micros""";

	static final String COLUMNS = "c.id, c.type, " + JOB_COLUMNS;

	private final ClaimRequest request;

	ClaimRows(ClaimRequest request) {
		this.request = request;
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
				at = at(rows);
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
			jobs.add(job(id, this.request.claim(), this.request.queue(), row.getString("type"), row));
		}
		else if (row.getObject("seq") != null) {
			withheld.add(new JobsAvailable(new Tier(this.request.queue(), row.getInt("priority")),
					new JobPosition(micros(row, "run_at_micros"), row.getLong("seq")), Duration.ZERO));
		}
	}

	static ClaimedJob job(UUID id, long claim, String queue, String type, ResultSet row) throws SQLException {
		return new ClaimedJob(id, claim, queue, type,
				new Encoded(row.getString("payload"), row.getBytes("payload_bytes")), row.getInt("priority"),
				micros(row, "run_at_micros"), row.getLong("seq"), row.getInt("attempts"),
				row.getInt("expected_failures"), row.getInt("attempts_limit"), runTime(row.getLong("run_limit_millis")),
				micros(row, "created_at_micros"), row.getString("headers"), row.getString("unique_key"),
				row.getString("ordering_key"), row.getString("limit_key"), row.getBoolean("at_most_once"),
				row.getBoolean("involved"), row.getInt("releases"));
	}

	/**
	 * Return the time of the claim.
	 */
	static Instant at(ResultSet row) throws SQLException {
		return micros(row, "at_micros");
	}

	private static Instant micros(ResultSet row, String column) throws SQLException {
		return Columns.instant(row.getLong(column));
	}

	/**
	 * The value is bounded because SQL of the application may have written it.
	 */
	private static Duration runTime(long millis) {
		return StorableDuration.shortened(Duration.ofMillis(millis));
	}

}
