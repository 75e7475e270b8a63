package io.jobqueue.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;

import io.jobqueue.JobState;
import io.jobqueue.store.FailureText;
import io.jobqueue.store.JobStore.CompletionEffects;
import io.jobqueue.store.JobStore.CompletionResult;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Cancelled;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.CompletedInTransaction;
import io.jobqueue.store.Outcome.Dead;
import io.jobqueue.store.Outcome.Released;
import io.jobqueue.store.Outcome.RetryLater;
import io.jobqueue.store.Outcome.Snoozed;
import io.jobqueue.store.WakeUp.JobsAvailable;
import io.jobqueue.store.postgresql.transaction.Columns;
import io.jobqueue.store.postgresql.transaction.Parameters;
import io.jobqueue.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Step;
import io.jobqueue.store.postgresql.transaction.Row;
import io.jobqueue.store.postgresql.transaction.Schema;

/**
 * Records the outcomes of one worker's jobs, with one statement for each kind of outcome,
 * one that cancels jobs as requested and one that deletes the ended claims, all in one
 * transaction. At its end, jobs that wait for released keys become pending.
 */
final class JobCompletions {

	private static final Logger logger = LoggerFactory.getLogger(JobCompletions.class);

	private final QueueTransaction own;

	private final Schema schema;

	private final AdmissionControl admissionControl;

	private final ProbedRetries probedRetries;

	private final UUID worker;

	private final List<Completed> plain = new ArrayList<>();

	private final List<JobEndings.Ending> finished = new ArrayList<>();

	private final List<RetryLater> retries = new ArrayList<>();

	private final List<Released> released = new ArrayList<>();

	private final List<Snoozed> snoozed = new ArrayList<>();

	private final List<UUID> waiting = new ArrayList<>();

	private final List<Step> steps = new ArrayList<>();

	private final CompletionRows writing = new CompletionRows();

	private final JobEndings.UnclaimedEndings requested = new JobEndings.UnclaimedEndings();

	JobCompletions(QueueTransaction own, Schema schema, AdmissionControl admissionControl, ProbedRetries probedRetries,
			UUID worker) {
		this.own = own;
		this.schema = schema;
		this.admissionControl = admissionControl;
		this.probedRetries = probedRetries;
		this.worker = worker;
	}

	CompletionResult recordOutcomes(Collection<? extends Outcome> outcomes, Collection<Long> endedClaims,
			CompletionEffects consequences) {
		for (Outcome outcome : outcomes) {
			add(outcome);
		}
		finish();
		retryLater();
		release();
		snooze();
		cancelRequested();
		end(endedClaims);
		write(following(consequences));
		this.requested.releaseKeys(this.admissionControl);
		this.writing.cancelled(this.requested);
		return this.writing.written();
	}

	private List<Step> following(CompletionEffects consequences) {
		List<Step> following = new ArrayList<>();
		if (!consequences.probes().isEmpty()) {
			following.addAll(this.probedRetries.steps(consequences.probes(), this.writing::freed));
		}
		following.addAll(this.admissionControl.releaseKeys(consequences.freed(), this.writing::freed));
		return following;
	}

	/**
	 * If a lock is not available, outcomes and follow-up steps run in separate
	 * transactions, so that a lock of one does not delay the other.
	 */
	private void write(List<Step> following) {
		try {
			run(waiting(following));
		}
		catch (CannotAcquireLockException ex) {
			if (following.isEmpty()) {
				throw ex;
			}
			run(this.steps);
			follow(following);
		}
	}

	/**
	 * The locks of the follow-up steps are held for milliseconds unless the process of
	 * their holder is suspended. A shorter timeout would leave more keys to the reaper.
	 */
	private static final String WAIT_FOR_LOCKS = "SELECT set_config('lock_timeout', '2s', true)";

	private List<Step> waiting(List<Step> following) {
		List<Step> all = new ArrayList<>(this.steps);
		if (!following.isEmpty()) {
			all.add(new Step(WAIT_FOR_LOCKS, (parameters) -> {
			}, Answer.ofEachRow((row) -> {
			})));
			all.addAll(following);
		}
		return all;
	}

	/**
	 * A failure is logged and not thrown, because the outcomes are committed: another
	 * write of them would report the claims as lost.
	 */
	private void follow(List<Step> following) {
		try {
			run(following);
		}
		catch (DataAccessException ex) {
			logger.atLevel((ex instanceof CannotAcquireLockException) ? Level.DEBUG : Level.WARN)
				.log("Could not admit jobs that wait for ended ones; the reaper admits them: {}", FailureText.of(ex));
			logger.debug("Could not admit jobs", ex);
		}
	}

	private void run(List<Step> steps) {
		if (!steps.isEmpty()) {
			this.own.run(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, steps);
		}
	}

	private void add(Outcome outcome) {
		if (outcome instanceof Completed completed) {
			addCompleted(completed);
		}
		else if (outcome instanceof Dead dead) {
			this.finished.add(JobEndings.Ending.of(dead));
		}
		else if (outcome instanceof Cancelled cancelled) {
			this.finished.add(JobEndings.Ending.of(cancelled));
		}
		else if (outcome instanceof CompletedInTransaction) {
			this.writing.recorded(outcome.id());
		}
		else {
			addWaiting(outcome);
		}
	}

	private void addCompleted(Completed completed) {
		if (completed.plain()) {
			this.plain.add(completed);
		}
		else {
			this.finished.add(JobEndings.Ending.of(completed));
		}
	}

	private void addWaiting(Outcome outcome) {
		this.waiting.add(outcome.id());
		if (outcome instanceof RetryLater retry) {
			this.retries.add(retry);
		}
		else if (outcome instanceof Snoozed snooze) {
			this.snoozed.add(snooze);
		}
		else {
			this.released.add((Released) outcome);
		}
	}

	private void finish() {
		add(JobEndings.FINISH_PLAIN, this.plain,
				(parameters) -> JobEndings.setPlain(parameters, this.plain, this.worker),
				Answer.ofRows(this.writing::finishedPlain));
		add(JobEndings.FINISH, this.finished,
				(parameters) -> JobEndings.Ending.set(parameters, this.finished, this.worker),
				Answer.ofEachRow(this.writing::finished));
	}

	private static final String RETURNING_WHEN = """
			WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			RETURNING j.id, j.queue, j.priority, coalesce(j.due_at, j.run_at) AS run_at, j.seq, j.admission IS NOT NULL AS pending,
			          j.cancel_requested, o.delay_millis AS due_in_millis
			""";

	/**
	 * A job with an ordering or a limit key needs a new admission.
	 */
	private static final String LATER = """
			    run_at = CASE WHEN coalesce(j.ordering_key, j.limit_key) IS NULL
			                  THEN statement_timestamp() + o.delay_millis * interval '1 millisecond' ELSE 'infinity' END,
			    due_at = CASE WHEN coalesce(j.ordering_key, j.limit_key) IS NOT NULL
			                  THEN statement_timestamp() + o.delay_millis * interval '1 millisecond' END,
			    admission = CASE WHEN coalesce(j.ordering_key, j.limit_key) IS NOT NULL THEN 'PENDING' END
			""";

	private static final String BEGAN = "'epoch'::timestamptz + o.began_micros * interval '1 microsecond'";

	private static final String RETRY_LATER = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, last_error = o.error,
			    failures = least(j.failures + (NOT o.expected)::integer, 1000000000),
			    expected_failures = CASE WHEN o.expected THEN least(coalesce(j.expected_failures, 0) + 1, 1000000000)
			                             ELSE j.expected_failures END,
			    releases = CASE WHEN o.stopped THEN least(coalesce(j.releases, 0), 999999999) + 1 END, expires_at = NULL,
			    started_at = coalesce(%s, j.started_at), history = %s,
			"""
		.formatted(BEGAN,
				AttemptHistory.append("j", BEGAN, "CASE WHEN j.cancel_requested THEN 'cancelled' ELSE 'retried' END",
						"o.error"))
			+ LATER + """
					FROM unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::boolean[], ?::bigint[], ?::boolean[])
					    AS o (id, claim, delay_millis, error, expected, began_micros, stopped)
					""" + RETURNING_WHEN;

	private void retryLater() {
		add(RETRY_LATER, this.retries,
				(parameters) -> parameters.uuids(this.retries, RetryLater::id)
					.bigints(this.retries, RetryLater::claim)
					.bigints(this.retries, (retry) -> Columns.millis(retry.delay()))
					.replacedTexts(this.retries, RetryLater::error)
					.booleans(this.retries, RetryLater::expected)
					.bigints(this.retries, (retry) -> Columns.ofInstant(retry.startedAt()))
					.booleans(this.retries, RetryLater::stopped)
					.value(this.worker),
				Answer.ofEachRow(this.writing::waiting));
	}

	private static final String RELEASE = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, attempts = j.attempts - 1,
			    releases = CASE WHEN o.begun THEN least(coalesce(j.releases, 0), 999999999) + 1 ELSE j.releases END,
			    expires_at = CASE WHEN NOT o.begun THEN j.expires_at END
			FROM unnest(?::uuid[], ?::bigint[], ?::boolean[]) AS o (id, claim, begun)
			WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			RETURNING j.id, j.queue, j.priority, j.run_at, j.seq, false AS pending, j.cancel_requested,
			          date_part('epoch', j.run_at - statement_timestamp()) * 1000 AS due_in_millis
			""";

	private void release() {
		add(RELEASE, this.released,
				(parameters) -> parameters.uuids(this.released, Released::id)
					.bigints(this.released, Released::claim)
					.booleans(this.released, Released::begun)
					.value(this.worker),
				Answer.ofEachRow(this.writing::waiting));
	}

	private static final String SNOOZE = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, attempts = j.attempts - 1, releases = NULL,
			    expires_at = NULL,
			""" + LATER + """
			FROM unnest(?::uuid[], ?::bigint[], ?::bigint[]) AS o (id, claim, delay_millis)
			""" + RETURNING_WHEN;

	private void snooze() {
		add(SNOOZE, this.snoozed,
				(parameters) -> parameters.uuids(this.snoozed, Snoozed::id)
					.bigints(this.snoozed, Snoozed::claim)
					.bigints(this.snoozed, (snooze) -> Columns.millis(snooze.delay()))
					.value(this.worker),
				Answer.ofEachRow(this.writing::waiting));
	}

	/**
	 * A job that waits again with a cancel request is never claimed again. It is
	 * cancelled in the same transaction: otherwise the reaper could cancel it after the
	 * commit, and this worker would report its attempt as one that is retried.
	 */
	private void cancelRequested() {
		if (!this.waiting.isEmpty()) {
			this.steps.add(this.requested.stepForWritten(this.schema, this.waiting));
		}
	}

	private void add(String sql, List<?> outcomes, Parameters.Setter parameters, Answer<?> answer) {
		if (!outcomes.isEmpty()) {
			this.steps.add(new Step(this.schema.in(sql), parameters, answer));
		}
	}

	private static final String END_CLAIMS = """
			DELETE FROM jobqueue_claim WHERE worker_id = ? AND claim = ANY (?::bigint[])
			""";

	private void end(Collection<Long> claims) {
		if (!claims.isEmpty()) {
			this.steps.add(new Step(this.schema.in(END_CLAIMS),
					(parameters) -> parameters.value(this.worker).bigints(claims, (claim) -> claim), Answer.ofCount()));
		}
	}

	/**
	 * Collects the rows of the statements that record outcomes.
	 */
	static final class CompletionRows {

		private final Set<UUID> jobs = new HashSet<>();

		private final List<JobsAvailable> available = new ArrayList<>();

		private final Set<UUID> cancelled = new HashSet<>();

		private final Set<UUID> predecessors = new HashSet<>();

		/**
		 * Add a row with a finished job, or with a job that waited for a finished one.
		 */
		void finished(ResultSet row) throws SQLException {
			Row columns = new Row(row);
			UUID id = columns.uuid();
			if (id == null) {
				this.available.add(Columns.jobsAvailable(row));
				return;
			}
			finished(id, columns.bool());
			if (JobState.CANCELLED.name().equals(columns.text())) {
				this.cancelled.add(id);
			}
			UUID batch = columns.uuid();
			if (batch != null) {
				this.predecessors.add(batch);
			}
		}

		/**
		 * Add the rows of finished plain jobs.
		 */
		boolean finishedPlain(ResultSet rows) throws SQLException {
			for (Row row = new Row(rows); row.next();) {
				finished(Objects.requireNonNull(row.uuid()), row.bool());
			}
			return true;
		}

		private void finished(UUID id, boolean hasSuccessors) {
			this.jobs.add(id);
			if (hasSuccessors) {
				this.predecessors.add(id);
			}
		}

		/**
		 * Add a row with a job that waits again, unless it is about to be cancelled.
		 */
		void waiting(ResultSet row) throws SQLException {
			this.jobs.add(row.getObject("id", UUID.class));
			if (!row.getBoolean("cancel_requested")) {
				this.available.add(Columns.jobsAvailable(row));
			}
		}

		/**
		 * Add the jobs that were cancelled on request.
		 */
		void cancelled(JobEndings.UnclaimedEndings requested) {
			this.cancelled.addAll(requested.ids());
			this.available.addAll(requested.available());
			this.predecessors.addAll(requested.predecessors());
		}

		/**
		 * Add a row with a job that waited for others and may run now, or needs an
		 * admission.
		 */
		void freed(ResultSet row) throws SQLException {
			this.available.add(Columns.jobsAvailable(row));
		}

		/**
		 * Add a job whose outcome was committed in the transaction of its handler.
		 */
		void recorded(UUID id) {
			this.jobs.add(id);
		}

		CompletionResult written() {
			return new CompletionResult(this.jobs, this.available, this.cancelled, this.predecessors);
		}

	}

}
