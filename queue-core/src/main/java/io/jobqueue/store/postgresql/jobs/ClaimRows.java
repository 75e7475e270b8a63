package io.jobqueue.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ResultSetExtractor;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.store.ClaimRequest;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.JobPosition;
import io.jobqueue.store.StorableDuration;
import io.jobqueue.store.Tier;
import io.jobqueue.store.WakeUp.JobsAvailable;
import io.jobqueue.store.postgresql.transaction.Columns;
import io.jobqueue.store.postgresql.transaction.Row;

/**
 * Reads the rows of a claim. Each has the time of the claim, and a claimed job, the
 * position of a withheld job, or neither.
 */
final class ClaimRows implements ResultSetExtractor<ClaimResult> {

	/**
	 * The columns of a claimed job but its id and its type, in the order in which
	 * {@link #job} reads them, and the time of the claim. Times are numbers: the driver
	 * builds other ones from their calendar fields. SQL of the application may have set
	 * {@code created_at} to infinity.
	 */
	static final String JOB_COLUMNS = """
			c.priority, (extract(epoch FROM c.run_at) * 1000000)::bigint AS run_at_micros, c.seq, c.payload, c.payload_bytes,
			       c.attempts, c.expected_failures, c.attempts_limit, c.run_limit_millis,
			       (extract(epoch FROM CASE WHEN isfinite(c.created_at) THEN c.created_at ELSE c.run_at END)
			        * 1000000)::bigint AS created_at_micros, c.headers, c.unique_key, c.ordering_key, c.limit_key, c.at_most_once,
			       c.batch_id IS NOT NULL OR c.history IS NOT NULL AS involved, c.releases,
			       (extract(epoch FROM statement_timestamp()) * 1000000)::bigint AS at_micros""";

	/**
	 * The first columns of each row.
	 */
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
		for (Row row = new Row(rows); row.next();) {
			if (at == null) {
				at = Columns.instant(rows.getLong("at_micros"));
				nextDueIn = Columns.dueIn(rows);
				due = rows.getInt("due_jobs");
				quota = rows.getInt("quota");
			}
			read(row, jobs, withheld);
		}
		return new ClaimResult(jobs, withheld, quota, due > jobs.size() + withheld.size(), at == null, at, nextDueIn);
	}

	private void read(Row row, List<ClaimedJob> jobs, List<JobsAvailable> withheld) throws SQLException {
		UUID id = row.uuid();
		String type = row.text();
		int priority = row.integer();
		JobPosition position = new JobPosition(row.instant(), row.bigint());
		if (id != null) {
			jobs.add(job(id, this.request.claim(), this.request.queue(), Objects.requireNonNull(type), priority,
					position, row));
		}
		else if (!row.wasNull()) {
			withheld.add(new JobsAvailable(new Tier(this.request.queue(), priority), position, Duration.ZERO));
		}
	}

	/**
	 * Read a claimed job whose priority and position were read before.
	 */
	static ClaimedJob job(UUID id, long claim, String queue, String type, int priority, JobPosition position, Row row)
			throws SQLException {
		return new ClaimedJob(id, claim, queue, type, new Encoded(row.text(), row.bytes()), priority, position.runAt(),
				position.seq(), row.integer(), row.integer(), row.integer(), runTime(row.bigint()), row.instant(),
				row.text(), row.text(), row.text(), row.text(), row.bool(), row.bool(), row.integer());
	}

	/**
	 * The value is bounded because SQL of the application may have written it.
	 */
	private static Duration runTime(long millis) {
		return StorableDuration.shortened(Duration.ofMillis(millis));
	}

}
