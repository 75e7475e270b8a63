package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Cancelled;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.CompletedInTransaction;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.Outcome.Snoozed;
import io.jobqueue.internal.store.StepResult;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Records the outcomes of one worker's jobs, with one statement for each kind of outcome,
 * one that cancels jobs as requested and one that deletes the ended claims, all in one
 * transaction. At its end, jobs that wait for released keys become pending.
 * <p>
 * Statements find a job by a range of one id: {@code BETWEEN o.id AND o.id}. The planner
 * could join an equality by hash or merge, for which it reads the whole index where the
 * table is almost empty, and a session keeps that plan when the table has grown.
 */
final class JobCompletions {

	private static final Logger logger = LoggerFactory.getLogger(JobCompletions.class);

	private static final String CLAIM_LOST = "jobqueue.claim_lost";

	private static final String UNDEFINED_OBJECT = "42704";

	private final QueueTransaction transactions;

	private final AdmissionControl admissionControl;

	private final ProbedRetries probedRetries;

	private final UUID worker;

	private final List<Step> steps = new ArrayList<>();

	private final JobEndings.EndedJobs requested = new JobEndings.EndedJobs();

	private final List<UUID> waiting = new ArrayList<>();

	private final Set<UUID> jobs = new HashSet<>();

	private final List<JobsAvailable> available = new ArrayList<>();

	private final Set<UUID> cancelled = new HashSet<>();

	private final Set<UUID> predecessors = new HashSet<>();

	JobCompletions(QueueTransaction transactions, AdmissionControl admissionControl, ProbedRetries probedRetries,
			UUID worker) {
		this.transactions = transactions;
		this.admissionControl = admissionControl;
		this.probedRetries = probedRetries;
		this.worker = worker;
	}

	CompletionResult recordOutcomes(Collection<? extends Outcome> outcomes, Collection<Long> endedClaims,
			CompletionEffects effects) {
		finish(outcomes);
		retryLater(of(RetryLater.class, outcomes));
		release(of(Released.class, outcomes));
		snooze(of(Snoozed.class, outcomes));
		cancelRequested();
		end(endedClaims);
		write(following(effects));
		if (!this.requested.jobs().isEmpty()) {
			this.requested.releaseKeys(this.admissionControl);
		}
		of(CompletedInTransaction.class, outcomes).forEach((outcome) -> this.jobs.add(outcome.id()));
		return result();
	}

	/**
	 * Complete or postpone jobs at the end of the caller's transaction.
	 */
	CompletionResult complete(List<? extends Outcome> outcomes, JdbcTemplate callers) {
		finish(outcomes);
		retryLater(of(RetryLater.class, outcomes));
		snooze(of(Snoozed.class, outcomes));
		this.steps.forEach((step) -> this.transactions.runLast(callers, step));
		return result();
	}

	/**
	 * Finishes one plain job, and fails if the claim is lost, as it names a setting then
	 * that does not exist.
	 */
	static final String FINISH_OR_FAIL = """
			WITH ended AS (
			    DELETE FROM jobqueue_job
			    WHERE id = ? AND claim = ? AND locked_by = ?
			    RETURNING *, 'SUCCEEDED' AS state, NULL::text AS error, ?::bigint AS keep_millis,
			              'epoch'::timestamptz + ?::bigint * interval '1 microsecond' AS began_at
			), archived AS (
			%s
			)
			SELECT id, has_successors, current_setting(CASE WHEN id IS NULL THEN '%s' ELSE 'search_path' END)
			FROM (SELECT) AS one
			LEFT JOIN ended ON true
			""".formatted(JobEndings.archive("ended", "failures", "began_at", "history"), CLAIM_LOST);

	/**
	 * Complete a plain job at the end of the caller's transaction, and commit that in the
	 * same round trip unless the claim is lost.
	 */
	CompletionResult completeAndCommit(Completed outcome, JdbcTemplate callers) {
		try {
			this.transactions.runLastAndCommit(callers,
					new Step(FINISH_OR_FAIL,
							(parameters) -> parameters.value(outcome.id())
								.number(outcome.claim())
								.value(this.worker)
								.number(Columns.ofDuration(outcome.retention()))
								.number(Columns.ofInstant(outcome.startedAt())),
							this::finishedPlain));
		}
		catch (DataAccessException ex) {
			if (!isLost(ex)) {
				throw ex;
			}
		}
		return result();
	}

	private static boolean isLost(DataAccessException ex) {
		SQLException answer = FailureText.answer(ex);
		return answer != null && UNDEFINED_OBJECT.equals(answer.getSQLState())
				&& String.valueOf(answer.getMessage()).contains(CLAIM_LOST);
	}

	private CompletionResult result() {
		this.cancelled.addAll(this.requested.ids());
		this.available.addAll(this.requested.available());
		this.predecessors.addAll(EndedJob.predecessors(this.requested.jobs()));
		return new CompletionResult(this.jobs, this.available, this.cancelled, this.predecessors);
	}

	private List<Step> following(CompletionEffects effects) {
		List<Step> following = new ArrayList<>();
		if (!effects.probes().isEmpty()) {
			following.addAll(this.probedRetries.steps(effects.probes(), this::freed));
		}
		if (!effects.freed().isEmpty()) {
			following.addAll(this.admissionControl.releaseKeys(effects.freed(), this::freed));
		}
		return following;
	}

	private void freed(ResultSet row) throws SQLException {
		this.available.add(Columns.jobsAvailable(row));
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
			all.add(new Step(WAIT_FOR_LOCKS, Setter.NONE));
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
			this.transactions.run(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, steps);
		}
	}

	private static <O extends Outcome> List<O> of(Class<O> kind, Collection<? extends Outcome> outcomes) {
		return outcomes.stream().filter(kind::isInstance).map(kind::cast).toList();
	}

	private void finish(Collection<? extends Outcome> outcomes) {
		List<Completed> succeeded = of(Completed.class, outcomes);
		keepResults(succeeded.stream().filter((job) -> job.result() != null).toList());
		finishPlain(succeeded.stream().filter(Completed::plain).toList());
		finishOthers(outcomes.stream().map(Ending::of).filter(Objects::nonNull).toList());
	}

	/**
	 * Writes the results of steps of workflows, whose jobs the statements below finish:
	 * the lock keeps the claims from being lost in between.
	 */
	private static final String KEEP_RESULTS = """
			WITH finishing AS (
			    SELECT o.id, o.branch, o.result, o.result_bytes
			    FROM unnest(?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::bytea[])
			        AS o (id, claim, branch, result, result_bytes)
			    JOIN jobqueue_job j ON j.id BETWEEN o.id AND o.id AND j.claim = o.claim AND j.locked_by = ?
			    FOR UPDATE OF j
			)
			UPDATE jobqueue_workflow_step s
			SET branch = f.branch, result = f.result, result_bytes = f.result_bytes
			FROM finishing f
			WHERE s.job_id BETWEEN f.id AND f.id
			""";

	private void keepResults(List<Completed> steps) {
		if (!steps.isEmpty()) {
			this.steps.add(new Step(KEEP_RESULTS,
					(parameters) -> parameters.uuids(steps, Completed::id)
						.bigints(steps, Completed::claim)
						.texts(steps, (job) -> result(job).branch())
						.replacedTexts(steps, (job) -> result(job).text())
						.bytes(steps, (job) -> result(job).bytes())
						.value(this.worker)));
		}
	}

	private static StepResult result(Completed job) {
		return Objects.requireNonNull(job.result());
	}

	/**
	 * Finishes plain jobs that succeeded, which have no history. What the statement below
	 * does besides, even for no row, costs the server a fifth of its time.
	 */
	static final String FINISH_PLAIN = """
			WITH ended AS (
			    DELETE FROM jobqueue_job j
			    USING unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::bigint[]) AS o (id, claim, keep_millis, began_micros)
			    WHERE j.id BETWEEN o.id AND o.id AND j.claim = o.claim AND j.locked_by = ?
			    RETURNING j.*, 'SUCCEEDED' AS state, NULL::text AS error, o.keep_millis,
			              'epoch'::timestamptz + o.began_micros * interval '1 microsecond' AS began_at
			), archived AS (
			%s
			)
			SELECT id, has_successors FROM ended
			"""
		.formatted(JobEndings.archive("ended", "failures", "began_at", "history"));

	private void finishPlain(List<Completed> finished) {
		add(FINISH_PLAIN, finished,
				(parameters) -> parameters.uuids(finished, Completed::id)
					.bigints(finished, Completed::claim)
					.bigints(finished, (job) -> Columns.ofDuration(job.retention()))
					.bigints(finished, (job) -> Columns.ofInstant(job.startedAt()))
					.value(this.worker),
				this::finishedPlain);
	}

	private void finishedPlain(ResultSet row) throws SQLException {
		UUID id = row.getObject("id", UUID.class);
		this.jobs.add(id);
		if (row.getBoolean("has_successors")) {
			this.predecessors.add(id);
		}
	}

	/**
	 * The history of a finished attempt. Success without an earlier failure has none.
	 */
	private static final String HISTORY = "CASE WHEN history IS NOT NULL OR state <> 'SUCCEEDED' THEN "
			+ AttemptHistory.append("ended", "began_at", "lower(state)", "error", "fingerprint") + " END";

	/**
	 * After a cancel request, every outcome except success becomes a cancellation.
	 */
	private static final String FINISH = """
			WITH ended AS (
			    DELETE FROM jobqueue_job j
			    USING unnest(?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[])
			        AS o (id, claim, state, error, keep_millis, window_millis, began_micros, fingerprint)
			    WHERE j.id BETWEEN o.id AND o.id AND j.claim = o.claim AND j.locked_by = ?
			    RETURNING j.*, o.error, o.fingerprint, 'epoch'::timestamptz + o.began_micros * interval '1 microsecond' AS began_at,
			              CASE WHEN o.state <> 'SUCCEEDED' AND j.cancel_requested THEN 'CANCELLED' ELSE o.state END AS state,
			              CASE WHEN o.state <> 'SUCCEEDED' AND j.cancel_requested THEN j.keep_cancelled_millis
			                   ELSE o.keep_millis END AS keep_millis,
			              CASE WHEN o.state = 'SUCCEEDED' THEN coalesce(o.window_millis, j.dedupe_millis) END AS window_millis
			"""
			+ JobEndings.leave(JobEndings.archive("ended", "failures + (state = 'DEAD')::integer",
					"coalesce(began_at, started_at)", HISTORY))
			+ """
					SELECT id, has_successors, state, batch_id, NULL AS queue, NULL::smallint AS priority, NULL::timestamptz AS run_at,
					       NULL::bigint AS seq, NULL::double precision AS due_in_millis, NULL::boolean AS pending
					FROM ended
					UNION ALL
					SELECT NULL, NULL, NULL, NULL, queue, priority, run_at, seq,
					       date_part('epoch', run_at - statement_timestamp()) * 1000, pending
					FROM next
					WHERE NOT depends
					""";

	private void finishOthers(List<Ending> finished) {
		add(FINISH, finished,
				(parameters) -> parameters.uuids(finished, Ending::id)
					.bigints(finished, Ending::claim)
					.texts(finished, (job) -> job.state().name())
					.replacedTexts(finished, Ending::error)
					.bigints(finished, (job) -> Columns.ofDuration(job.retention()))
					.bigints(finished, (job) -> Columns.ofDuration(job.dedupeFor()))
					.bigints(finished, (job) -> Columns.ofInstant(job.startedAt()))
					.replacedTexts(finished, Ending::fingerprint)
					.value(this.worker),
				this::finished);
	}

	/**
	 * Add a finished job, or a job that waited for a finished one.
	 */
	private void finished(ResultSet row) throws SQLException {
		UUID id = row.getObject("id", UUID.class);
		if (id == null) {
			freed(row);
			return;
		}
		finishedPlain(row);
		if (JobState.CANCELLED.name().equals(row.getString("state"))) {
			this.cancelled.add(id);
		}
		UUID batch = row.getObject("batch_id", UUID.class);
		if (batch != null) {
			this.predecessors.add(batch);
		}
	}

	private static final String RETURNING_WHEN = """
			WHERE j.id BETWEEN o.id AND o.id AND j.claim = o.claim AND j.locked_by = ?
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
						"o.error", "o.fingerprint"))
			+ LATER + """
					FROM unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::boolean[], ?::bigint[], ?::boolean[],
					            ?::text[])
					    AS o (id, claim, delay_millis, error, expected, began_micros, stopped, fingerprint)
					""" + RETURNING_WHEN;

	private void retryLater(List<RetryLater> retries) {
		addWaiting(RETRY_LATER, retries,
				(parameters) -> parameters.uuids(retries, RetryLater::id)
					.bigints(retries, RetryLater::claim)
					.bigints(retries, (retry) -> Columns.millis(retry.delay()))
					.replacedTexts(retries, RetryLater::error)
					.booleans(retries, RetryLater::expected)
					.bigints(retries, (retry) -> Columns.ofInstant(retry.startedAt()))
					.booleans(retries, RetryLater::stopped)
					.replacedTexts(retries, RetryLater::fingerprint)
					.value(this.worker));
	}

	private static final String RELEASE = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, attempts = j.attempts - 1,
			    releases = CASE WHEN o.begun THEN least(coalesce(j.releases, 0), 999999999) + 1 ELSE j.releases END,
			    expires_at = CASE WHEN NOT o.begun THEN j.expires_at END
			FROM unnest(?::uuid[], ?::bigint[], ?::boolean[]) AS o (id, claim, begun)
			WHERE j.id BETWEEN o.id AND o.id AND j.claim = o.claim AND j.locked_by = ?
			RETURNING j.id, j.queue, j.priority, j.run_at, j.seq, false AS pending, j.cancel_requested,
			          date_part('epoch', j.run_at - statement_timestamp()) * 1000 AS due_in_millis
			""";

	private void release(List<Released> released) {
		addWaiting(RELEASE, released,
				(parameters) -> parameters.uuids(released, Released::id)
					.bigints(released, Released::claim)
					.booleans(released, Released::begun)
					.value(this.worker));
	}

	private static final String SNOOZE = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, attempts = j.attempts - 1, releases = NULL,
			    expires_at = NULL,
			""" + LATER + """
			FROM unnest(?::uuid[], ?::bigint[], ?::bigint[]) AS o (id, claim, delay_millis)
			""" + RETURNING_WHEN;

	private void snooze(List<Snoozed> snoozed) {
		addWaiting(SNOOZE, snoozed,
				(parameters) -> parameters.uuids(snoozed, Snoozed::id)
					.bigints(snoozed, Snoozed::claim)
					.bigints(snoozed, (snooze) -> Columns.millis(snooze.delay()))
					.value(this.worker));
	}

	/**
	 * A job that waits again with a cancel request is never claimed again. It is
	 * cancelled in the same transaction: otherwise the reaper could cancel it after the
	 * commit, and this worker would report its attempt as one that is retried.
	 */
	private void cancelRequested() {
		if (!this.waiting.isEmpty()) {
			this.steps.add(this.requested.step(JobEndings.CANCEL_WRITTEN, this.waiting));
		}
	}

	private void addWaiting(String sql, List<? extends Outcome> outcomes, Setter parameters) {
		add(sql, outcomes, parameters, this::waiting);
		outcomes.forEach((outcome) -> this.waiting.add(outcome.id()));
	}

	/**
	 * Add a job that waits again, unless it is about to be cancelled.
	 */
	private void waiting(ResultSet row) throws SQLException {
		this.jobs.add(row.getObject("id", UUID.class));
		if (!row.getBoolean("cancel_requested")) {
			freed(row);
		}
	}

	private void add(String sql, List<?> outcomes, Setter parameters, RowCallbackHandler row) {
		if (!outcomes.isEmpty()) {
			this.steps.add(new Step(sql, parameters, row));
		}
	}

	private static final String END_CLAIMS = """
			DELETE FROM jobqueue_claim WHERE worker_id = ? AND claim = ANY (?::bigint[])
			""";

	private void end(Collection<Long> claims) {
		if (!claims.isEmpty()) {
			this.steps.add(new Step(END_CLAIMS,
					(parameters) -> parameters.value(this.worker).bigints(claims, (claim) -> claim)));
		}
	}

	/**
	 * The final outcome of a claimed job, with the retention in the archive.
	 */
	private record Ending(UUID id, long claim, JobState state, @Nullable String error, @Nullable Duration retention,
			@Nullable Duration dedupeFor, @Nullable Instant startedAt, @Nullable String fingerprint) {

		/**
		 * Return the ending of a job, {@code null} if it is plain or has not ended.
		 */
		static @Nullable Ending of(Outcome outcome) {
			if (outcome instanceof Completed success && !success.plain()) {
				return new Ending(success.id(), success.claim(), JobState.SUCCEEDED, null, success.retention(),
						success.dedupeFor(), success.startedAt(), null);
			}
			if (outcome instanceof Dead dead) {
				return new Ending(dead.id(), dead.claim(), JobState.DEAD, dead.error(), dead.retention(), null,
						dead.startedAt(), dead.fingerprint());
			}
			return (outcome instanceof Cancelled cancelled) ? new Ending(cancelled.id(), cancelled.claim(),
					JobState.CANCELLED, cancelled.error(), null, null, cancelled.startedAt(), null) : null;
		}

	}

}
