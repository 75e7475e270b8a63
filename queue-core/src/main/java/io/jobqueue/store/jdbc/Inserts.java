package io.jobqueue.store.jdbc;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.store.JobKeys;
import io.jobqueue.store.JobStore.EnqueueResult;
import io.jobqueue.store.JobStore.EnqueuedJob;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * Writes jobs without unique keys on the caller's transaction.
 */
final class Inserts {

	private final JdbcTemplate jdbc;

	private final Schema schema;

	Inserts(JdbcTemplate jdbc, Schema schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	EnqueueResult write(List<NewJob> jobs) {
		List<EnqueuedJob> written = new ArrayList<>(jobs.size());
		List<JobsAvailable> available = new ArrayList<>();
		for (List<NewJob> portion : Portions.of(jobs)) {
			Instant at = (portion.size() == 1 && isPlain(portion.get(0))) ? writeOne(portion.get(0))
					: writeAll(portion);
			portion.forEach((job) -> written.add(added(job, at)));
			available.addAll(NewlyAvailable.of(portion, at));
		}
		return new EnqueueResult(written, available);
	}

	private static EnqueuedJob added(NewJob job, Instant at) {
		return new EnqueuedJob(new JobReceipt(job.id(), Outcome.ADDED), false, 0, at, at);
	}

	/**
	 * Whoever uses no key does not pay for its columns.
	 */
	private static boolean isPlain(NewJob job) {
		return job.keys().equals(JobKeys.NONE);
	}

	private Instant writeOne(NewJob job) {
		return write(PostgresSql.ENQUEUE_ONE,
				(parameters) -> parameters.value(job.id())
					.value(job.queue())
					.value(job.type())
					.text(job.payload().text())
					.bytes(job.payload().bytes())
					.value(job.priority())
					.number(Columns.ofInstant(job.runAt()))
					.number(Columns.millis(job.delay()))
					.number(job.maxAttempts())
					.number(Columns.ofDuration(job.maxRunTime()))
					.text(job.headers()));
	}

	private Instant writeAll(List<NewJob> jobs) {
		return write(PostgresSql.ENQUEUE, (parameters) -> set(parameters, jobs));
	}

	private Instant write(String sql, Parameters.Setter parameters) {
		return this.jdbc
			.query(this.schema.in(sql), (statement) -> parameters.set(new Parameters(statement)),
					(row, number) -> Columns.instantOfSeconds(row.getDouble("at_seconds")))
			.get(0);
	}

	/**
	 * Set what every new job has.
	 */
	static void set(Parameters parameters, List<NewJob> jobs) throws SQLException {
		parameters.array("uuid", jobs, NewJob::id)
			.array("text", jobs, NewJob::queue)
			.array("text", jobs, NewJob::type)
			.array("text", jobs, (job) -> job.payload().text())
			.bytes(jobs, (job) -> job.payload().bytes())
			.array("smallint", jobs, NewJob::priority)
			.array("bigint", jobs, (job) -> Columns.ofInstant(job.runAt()))
			.array("bigint", jobs, (job) -> Columns.millis(job.delay()))
			.array("integer", jobs, NewJob::maxAttempts)
			.array("bigint", jobs, (job) -> Columns.ofDuration(job.maxRunTime()))
			.array("text", jobs, NewJob::headers)
			.array("text", jobs, (job) -> job.keys().ordering())
			.array("text", jobs, (job) -> job.keys().limit())
			.array("text", jobs, (job) -> job.keys().group());
	}

}
