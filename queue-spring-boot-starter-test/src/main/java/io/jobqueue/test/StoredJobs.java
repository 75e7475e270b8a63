package io.jobqueue.test;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobState;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * Reads the jobs of the database on the connection of the test's transaction, if there is
 * one.
 */
final class StoredJobs {

	private final JdbcTemplate jdbc;

	private final Schema schema;

	StoredJobs(TestDataSource dataSource, Schema schema) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.schema = schema;
	}

	/**
	 * The admission of a job with an ordering or a limit key is evaluated by its claim.
	 */
	private static final String DUE = """
			SELECT j.id, j.queue, j.type, j.ordering_key IS NOT NULL OR j.limit_key IS NOT NULL AS keyed
			FROM jobqueue_job j
			JOIN unnest(?::text[], ?::text[]) AS s (queue, type) ON s.queue = j.queue AND s.type = j.type
			WHERE j.locked_by IS NULL AND NOT j.cancel_requested AND j.follows IS NULL
			  AND CASE WHEN j.admission = 'PENDING' THEN j.due_at ELSE j.run_at END <= statement_timestamp()
			ORDER BY j.priority, coalesce(j.due_at, j.run_at), j.seq
			""";

	/**
	 * Return the due jobs in the order in which a worker takes them.
	 * @param types the names of the types for each queue
	 */
	List<WaitingJob> due(Map<String, Set<String>> types) {
		List<String> queues = new ArrayList<>();
		List<String> names = new ArrayList<>();
		types.forEach((queue, served) -> served.forEach((type) -> {
			queues.add(queue);
			names.add(type);
		}));
		return this.jdbc.query(this.schema.in(DUE), (statement) -> {
			set(statement, 1, queues);
			set(statement, 2, names);
		}, (row, number) -> waiting(row));
	}

	private static void set(PreparedStatement statement, int index, Collection<String> texts) throws SQLException {
		statement.setArray(index, statement.getConnection().createArrayOf("text", texts.toArray()));
	}

	private static final String FIND = """
			SELECT id, queue, type, ordering_key IS NOT NULL OR limit_key IS NOT NULL AS keyed
			FROM jobqueue_job
			WHERE id = ?
			""";

	@Nullable WaitingJob find(UUID id) {
		List<WaitingJob> found = this.jdbc.query(this.schema.in(FIND), (row, number) -> waiting(row), id);
		return found.isEmpty() ? null : found.get(0);
	}

	private static WaitingJob waiting(ResultSet row) throws SQLException {
		return new WaitingJob(row.getObject("id", UUID.class), row.getString("queue"), row.getString("type"),
				row.getBoolean("keyed"));
	}

	private static final String ALL = """
			SELECT id, queue, type, payload, payload_bytes, state, created_at, run_at
			FROM jobqueue_jobs
			ORDER BY seq
			""";

	List<StoredJob> all() {
		return this.jdbc.query(this.schema.in(ALL),
				(row, number) -> new StoredJob(row.getObject("id", UUID.class), row.getString("queue"),
						row.getString("type"), new Encoded(row.getString("payload"), row.getBytes("payload_bytes")),
						JobState.valueOf(row.getString("state")), delay(row)));
	}

	/**
	 * A job that waits for others has no time yet.
	 */
	private static @Nullable Duration delay(ResultSet row) throws SQLException {
		OffsetDateTime runAt = row.getObject("run_at", OffsetDateTime.class);
		return runAt.isEqual(OffsetDateTime.MAX) ? null
				: Duration.between(row.getObject("created_at", OffsetDateTime.class), runAt);
	}

	private static final String OUTCOME = """
			SELECT state, last_error FROM jobqueue_jobs WHERE id = ?
			""";

	/**
	 * Return the outcome of a run that has recorded none. A dead job without retention is
	 * in no table.
	 */
	JobOutcome outcome(WaitingJob job, int attempt) {
		return this.jdbc
			.query(this.schema.in(OUTCOME),
					(row, number) -> new JobOutcome(job.id(), job.queue(), job.type(), attempt,
							JobState.valueOf(row.getString("state")), row.getString("last_error")),
					job.id())
			.stream()
			.findFirst()
			.orElse(new JobOutcome(job.id(), job.queue(), job.type(), attempt, JobState.DEAD, null));
	}

	private static final String FORGET = """
			UPDATE jobqueue_recurring SET last_job_id = NULL
			WHERE name IN (SELECT name FROM jobqueue_recurring WHERE last_job_id IS NOT NULL FOR UPDATE SKIP LOCKED)
			""";

	/**
	 * A schedule may become due between this statement and the scan, so it is not limited
	 * to due schedules. It does not wait for those that another test has locked, which
	 * the ticker leaves out as well.
	 */
	void forgetJobsOfSchedules() {
		int unused = this.jdbc.update(this.schema.in(FORGET));
	}

	private static final String DELETE = """
			DELETE FROM jobqueue_job;
			DELETE FROM jobqueue_archive;
			DELETE FROM jobqueue_key;
			DELETE FROM jobqueue_dedupe;
			DELETE FROM jobqueue_dependency;
			DELETE FROM jobqueue_unarchived;
			DELETE FROM jobqueue_batch;
			DELETE FROM jobqueue_batch_tally;
			DELETE FROM jobqueue_claim;
			DELETE FROM jobqueue_rate;
			DELETE FROM jobqueue_recurring;
			DELETE FROM jobqueue_subscription;
			DELETE FROM jobqueue_workflow;
			DELETE FROM jobqueue_workflow_step
			""";

	void deleteAll() {
		this.jdbc.execute(this.schema.in(DELETE));
	}

	/**
	 * A job that is not claimed.
	 *
	 * @param id its id
	 * @param queue its queue
	 * @param type the name of its type
	 * @param keyed whether it has an ordering or a limit key
	 */
	record WaitingJob(UUID id, String queue, String type, boolean keyed) {

		@Override
		public String toString() {
			return "Job[%s, queue=%s, type=%s]".formatted(this.id, this.queue, this.type);
		}

	}

	/**
	 * A live or archived job.
	 *
	 * @param id its id
	 * @param queue its queue
	 * @param type the name of its type
	 * @param payload its encoded payload
	 * @param state its state at the time of the database
	 * @param delay the time from the enqueueing until it is due, {@code null} if it waits
	 * for other jobs
	 */
	record StoredJob(UUID id, String queue, String type, Encoded payload, JobState state, @Nullable Duration delay) {
	}

}
