package io.jobqueue.internal.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.jobqueue.internal.store.ClaimedJob.HeldKeys;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * What a worker records of the attempts of its jobs: leases, progress and outcomes. Every
 * method throws a Spring {@code DataAccessException} or {@code TransactionException} if
 * the database fails.
 */
public interface AttemptStore {

	/**
	 * Extend the leases of claimed jobs.
	 * @param worker the worker that claimed them
	 * @param jobs the jobs
	 * @param duration the remaining run time from now; the leases last 2 s longer
	 * @return the ids of the jobs whose lease was extended; those whose claim the worker
	 * has lost are not among them
	 */
	Set<UUID> extendLeases(UUID worker, Collection<ClaimedJob> jobs, Duration duration);

	/**
	 * Record the progress of running jobs. Locked jobs are skipped. The commit is
	 * asynchronous: a crash of the server may lose it.
	 * @param worker the worker that claimed them
	 * @param reports the progress of each job
	 * @return the ids of the jobs whose progress was written; jobs whose claim the worker
	 * has lost are not among them
	 */
	Set<UUID> report(UUID worker, Collection<ProgressReport> reports);

	/**
	 * Record outcomes of claimed jobs, all in one transaction. Jobs whose claim the
	 * worker has lost are skipped. Keys are released and retries are let out at the end
	 * of the same transaction; if another transaction holds their lock for more than 2 s,
	 * the outcomes are committed first, and this is tried once more. A deadlock with the
	 * new claim of a lost job is possible; the caller may then repeat the call.
	 * @param worker the worker that claimed them
	 * @param outcomes the outcomes
	 * @param endedClaims the numbers of claims all of whose jobs have an outcome
	 * @param effects the effects of the outcomes on jobs that wait
	 * @return the jobs that were written, and the jobs that may run now or need an
	 * admission
	 */
	CompletionResult recordOutcomes(UUID worker, Collection<? extends Outcome> outcomes, Collection<Long> endedClaims,
			CompletionEffects effects);

	/**
	 * Return the jobs that other transactions have locked, without waiting for the locks.
	 * @param jobs the ids of the jobs
	 * @return the ids of the locked jobs
	 */
	Set<UUID> locked(Collection<UUID> jobs);

	/**
	 * The result of recording outcomes.
	 *
	 * @param jobs the ids of the jobs whose outcome was written: those whose claim the
	 * worker still had
	 * @param available the jobs among them that wait again, and other jobs that waited
	 * for them
	 * @param cancelled the ids of the jobs among them that were cancelled instead, as
	 * requested
	 * @param predecessors the ids of the jobs among them that have finished and that
	 * others wait for, and of their batches, to be resolved by
	 * {@link DependencyStore#resolve}
	 */
	record CompletionResult(Set<UUID> jobs, Collection<JobsAvailable> available, Set<UUID> cancelled,
			Set<UUID> predecessors) {
	}

	/**
	 * The effects of outcomes on jobs that wait for others.
	 *
	 * @param probes the results of attempts in queues that probe their retries
	 * @param freed the keys of jobs that are no longer claimed, to be released
	 */
	record CompletionEffects(Collection<RetryProbe> probes, Collection<HeldKeys> freed) {

		/**
		 * No effects.
		 */
		public static final CompletionEffects NONE = new CompletionEffects(List.of(), List.of());

	}

	/**
	 * The progress of a running job.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param percent the progress in percent, from 0 to 100
	 * @param message a text for the operator
	 */
	record ProgressReport(UUID id, long claim, int percent, String message) {
	}

	/**
	 * The end of an attempt in a queue whose retries are probed.
	 *
	 * @param job the id of the job
	 * @param queue its queue
	 * @param retry whether the attempt was a retry
	 * @param succeeded whether it succeeded
	 * @param pause the minimum time until the next retry if this attempt failed
	 */
	record RetryProbe(UUID job, String queue, boolean retry, boolean succeeded, Duration pause) {

		/**
		 * The maximum pause. A retry that is due later is held back itself, so that
		 * others do not wait for it.
		 */
		public static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	}

}
