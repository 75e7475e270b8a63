package io.jobqueue.test;

import java.sql.Types;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;

import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * Says why live jobs do not run, and what to do, for messages.
 */
final class WaitReasons {

	private final JdbcTemplate jdbc;

	private final Schema schema;

	private final JobHandlers handlers;

	private final Predicate<String> limited;

	/**
	 * @param limited returns whether limits over all workers apply to a queue
	 */
	WaitReasons(TestDataSource dataSource, Schema schema, JobHandlers handlers, Predicate<String> limited) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.schema = schema;
		this.handlers = handlers;
		this.limited = limited;
	}

	private static final String REASONS = """
			SELECT r.queue, r.type, r.reason, count(*) AS jobs
			FROM (
			    SELECT j.queue, j.type,
			           CASE WHEN j.cancel_requested THEN 'CANCELLED'
			                WHEN j.locked_by IS NOT NULL THEN 'CLAIMED'
			                WHEN EXISTS (SELECT FROM jobqueue_pause p WHERE p.queue = j.queue AND p.type IN ('', j.type))
			                    THEN 'PAUSED'
			                WHEN j.follows IS NOT NULL THEN 'FOLLOW_UP'
			                WHEN j.admission = 'PREDECESSORS' THEN 'SUCCESSOR'
			                WHEN j.admission IN ('ORDER', 'SLOT') THEN 'KEY'
			                WHEN j.run_at = 'infinity' AND j.admission IS NULL THEN 'HELD'
			                WHEN coalesce(j.due_at, j.run_at) > statement_timestamp() THEN 'LATER'
			                WHEN j.admission IS NOT NULL THEN 'KEY'
			                ELSE 'UNCLAIMED' END AS reason
			    FROM jobqueue_job j
			    WHERE j.queue = coalesce(?, j.queue) AND j.id = coalesce(?, j.id)
			) AS r
			GROUP BY r.queue, r.type, r.reason
			""";

	/**
	 * Count the live jobs by what they wait for.
	 * @param queue their queue, {@code null} for all
	 * @return a sentence, empty if there are none
	 */
	String of(@Nullable String queue) {
		Map<Reason, Long> jobs = read(queue, null);
		return jobs.isEmpty() ? ""
				: jobs.entrySet()
					.stream()
					.map((each) -> each.getValue() + " " + each.getKey().text)
					.collect(Collectors.joining("; ", " Live jobs: ", "."));
	}

	/**
	 * Return what a job waits for.
	 * @param id the id of a job
	 * @return the reason, {@code null} if the job is not live
	 */
	@Nullable String of(UUID id) {
		return read(null, id).keySet().stream().findFirst().map((reason) -> reason.text).orElse(null);
	}

	private Map<Reason, Long> read(@Nullable String queue, @Nullable UUID id) {
		Map<Reason, Long> jobs = new EnumMap<>(Reason.class);
		RowCallbackHandler count = (row) -> {
			Reason reason = reason(row.getString("queue"), row.getString("type"), row.getString("reason"));
			jobs.merge(reason, row.getLong("jobs"), Long::sum);
		};
		this.jdbc.query(this.schema.in(REASONS), (statement) -> {
			statement.setString(1, queue);
			statement.setObject(2, id, Types.OTHER);
		}, count);
		return jobs;
	}

	/**
	 * The claim of a due job skips it at a limit, and while another transaction has
	 * locked it.
	 */
	private Reason reason(String queue, String type, String reason) {
		if (this.handlers.find(queue, type) == null) {
			return Reason.UNHANDLED;
		}
		if (!reason.equals("UNCLAIMED")) {
			return Reason.valueOf(reason);
		}
		return this.limited.test(queue) ? Reason.LIMIT : Reason.LOCKED;
	}

	/**
	 * What a live job waits for.
	 */
	private enum Reason {

		PAUSED("paused (call JobOperations.resume)"),

		SUCCESSOR("waiting for predecessors (run these first, or call JobOperations.release)"),

		FOLLOW_UP("behind the running job of the same unique key (run that job first)"),

		KEY("waiting for another job of the same ordering or limit key (run that job first)"),

		LIMIT("waiting for the rate or cluster-concurrency of the queue (advance the time)"),

		LOCKED("locked by another transaction (end it)"),

		HELD("held back until another retry of the queue succeeds (run that retry first)"),

		LATER("due later (advance the time)"),

		UNHANDLED("without a handler in this application (declare one)"),

		CLAIMED("claimed by a worker or another test (wait for its end)"),

		CANCELLED("being cancelled (nothing runs it any more)");

		private final String text;

		Reason(String text) {
			this.text = text;
		}

	}

}
