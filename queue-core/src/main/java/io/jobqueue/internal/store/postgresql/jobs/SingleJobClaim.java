package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.JobStore.AdmissionResult;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.JobStore.SingleClaimResult;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.jobs.JobClaims.ClaimRows;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Claims a job by its id, as an operator or a test does.
 */
final class SingleJobClaim {

	private final QueueTransaction transactions;

	private final AdmissionControl admissionControl;

	private final JobClaims claims;

	SingleJobClaim(QueueTransaction transactions, AdmissionControl admissionControl, JobClaims claims) {
		this.transactions = transactions;
		this.admissionControl = admissionControl;
		this.claims = claims;
	}

	/**
	 * One evaluation is bounded to a number of jobs. If it did not reach this job, all
	 * due jobs are evaluated in separate transactions first, which are committed even if
	 * the claim fails.
	 */
	SingleClaimResult claim(UUID worker, UUID job, ClaimRequest request, @Nullable AdmissionRules keys) {
		if (keys == null) {
			return new SingleClaimResult(claimOne(worker, job, request, List.of()), List.of());
		}
		Answer<AdmissionResult> admission = Answer.ofRows(AdmissionControl::admission);
		ClaimResult claimed = claimKeyed(worker, job, request, keys, admission);
		List<JobsAvailable> admitted = new ArrayList<>();
		if (claimed.jobs().isEmpty() && !claimed.refused() && isFull(admission.get())) {
			evaluate(request.queue(), keys, admitted);
			claimed = claimKeyed(worker, job, request, keys, admission);
		}
		if (!claimed.jobs().isEmpty()) {
			admitted.addAll(admission.get().admitted());
		}
		return new SingleClaimResult(claimed, admitted);
	}

	private void evaluate(String queue, AdmissionRules keys, List<JobsAvailable> admitted) {
		AdmissionResult evaluate;
		do {
			evaluate = this.admissionControl.admit(queue, keys);
			admitted.addAll(evaluate.admitted());
		}
		while (isFull(evaluate));
	}

	private static boolean isFull(AdmissionResult admission) {
		return Duration.ZERO.equals(admission.nextDueIn());
	}

	/**
	 * Makes the job due, because an evaluation reads due jobs only.
	 */
	static final String MAKE_DUE = """
			UPDATE jobqueue_job j SET due_at = statement_timestamp()
			FROM (
			    SELECT ctid AS tid FROM jobqueue_job
			    WHERE id = ? AND admission = 'PENDING' AND due_at > statement_timestamp()
			    FOR UPDATE SKIP LOCKED) c
			WHERE j.ctid = c.tid
			""";

	/**
	 * Evaluate and claim in one transaction, so that no other worker can claim the
	 * admitted job first. If the job cannot be claimed, the transaction is rolled back,
	 * and the job keeps its due time.
	 */
	private ClaimResult claimKeyed(UUID worker, UUID job, ClaimRequest request, AdmissionRules keys,
			Answer<AdmissionResult> admission) {
		List<Step> before = new ArrayList<>();
		before.add(new Step(MAKE_DUE, (parameters) -> parameters.value(job)));
		before.addAll(this.admissionControl.admitting(request.queue(), keys, admission));
		return claimOne(worker, job, request, before);
	}

	/**
	 * Claims a job even before it is due, or a retry that is held back, but not a job
	 * that waits for others or has expired. Attempts, lease and limits are those of any
	 * other claim.
	 */
	private static final String CLAIM = """
			WITH request AS (
			    SELECT w.id AS worker, ?::uuid AS job, ?::text AS queue, ?::text[] AS types, ?::text[] AS once_types,
			           ?::bigint AS claim, ?::integer AS max_attempts, ?::bigint AS max_run_millis, ?::bigint AS keep_dead_millis,
			           ?::text[] AS limited_types, ?::integer[] AS type_max_attempts,
			           ?::bigint[] AS type_max_run_millis,
			           least(1, nullif(current_setting('jobqueue.quota', true), '')::integer) AS quota,
			           nullif(current_setting('jobqueue.quota', true), '') IS NOT NULL AS limited
			    FROM jobqueue_worker w
			    WHERE w.id = ?
			      AND w.last_active_at > statement_timestamp() - w.timeout_millis * interval '1 millisecond'
			), chosen AS (
			    SELECT j.ctid AS tid, coalesce(j.max_attempts, d.type_max_attempts[array_position(d.limited_types, j.type)],
			                                   d.max_attempts) AS attempts_limit,
			           coalesce(j.max_run_millis, d.type_max_run_millis[array_position(d.limited_types, j.type)],
			                    d.max_run_millis) AS run_limit_millis
			    FROM request d
			    JOIN jobqueue_job j ON j.id = d.job
			    WHERE j.queue = d.queue AND j.type = ANY (d.types) AND d.quota > 0 AND j.locked_by IS NULL
			      AND NOT j.cancel_requested AND j.follows IS NULL AND j.admission IS NULL
			      AND (j.expires_at <= statement_timestamp()) IS NOT TRUE
			    FOR UPDATE OF j SKIP LOCKED
			), claimed AS (
			    UPDATE jobqueue_job j
			    SET locked_by = d.worker, claim = d.claim, attempts = least(j.attempts + 1, 1000000000),
			        at_most_once = j.type = ANY (d.once_types), run_at = coalesce(j.due_at, j.run_at), due_at = NULL,
			        lease_until = statement_timestamp() + interval '2 seconds' + c.run_limit_millis * interval '1 millisecond'
			    FROM request d CROSS JOIN chosen c
			    WHERE j.ctid = c.tid
			    RETURNING j.*, c.attempts_limit, c.run_limit_millis
			), noted AS (
			%s
			)
			SELECT %s, (SELECT count(*) FROM claimed) AS due_jobs, d.quota, NULL::double precision AS due_in_millis
			FROM request d
			LEFT JOIN claimed c ON true
			"""
		.formatted(JobClaims.NOTE_CLAIM, ClaimRows.COLUMNS);

	/**
	 * The locks are held during one more round trip than elsewhere. If this process is
	 * suspended meanwhile, the server ends the session after 1 s, so that waiting
	 * transactions get the locks before their own timeout.
	 */
	static final String BEGIN = JobClaims.BEGIN_DURABLE
			+ """
					, set_config('lock_timeout', '500ms', true), set_config('idle_in_transaction_session_timeout', '1s', true)""";

	private ClaimResult claimOne(UUID worker, UUID job, ClaimRequest request, List<Step> before) {
		Answer<ClaimResult> claimed = Answer.ofRows(new ClaimRows(request));
		List<Step> steps = new ArrayList<>(before);
		steps.add(step(worker, job, request, claimed));
		return this.claims.claim(worker, request, steps, claimed,
				(all) -> this.transactions.runAndKeepIf(() -> !claimed.get().jobs().isEmpty(), BEGIN, all));
	}

	private static Step step(UUID worker, UUID job, ClaimRequest request, Answer<ClaimResult> claimed) {
		return new Step(CLAIM, (parameters) -> set(parameters, worker, job, request), claimed);
	}

	private static void set(Parameters parameters, UUID worker, UUID job, ClaimRequest request) throws SQLException {
		parameters.value(job)
			.value(request.queue())
			.texts(request.types())
			.texts(request.onceTypes())
			.value(request.claim())
			.value(request.maxAttempts())
			.number(Columns.ofDuration(request.maxRunTime()))
			.number(Columns.ofDuration(request.keepDead()));
		JobClaims.typeLimits(parameters, request.typeLimits());
		parameters.value(worker);
	}

}
