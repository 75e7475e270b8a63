package io.jobqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobReceipt;
import io.jobqueue.store.ClaimedJob.HeldKeys;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * The jobs of a database, in verbs of their life. Only the database's clock decides what
 * is due and whose lease ran out. Every method throws a Spring
 * {@code DataAccessException} or {@code TransactionException} if the database fails.
 */
public interface JobStore {

	/**
	 * Write jobs on the caller's transaction, all or none, numbered in their order. Where
	 * there are keys, this waits for other transactions that have used one of them, and
	 * keeps others waiting until the caller's transaction ends.
	 * @param jobs the jobs
	 * @return what became of them
	 */
	EnqueueResult enqueue(List<NewJob> jobs);

	/**
	 * Claim due jobs of a queue: an own transaction that leaves no lock behind. Another
	 * worker's claim is neither waited for nor seen. A worker that has not checked in, or
	 * not for its timeout, gets nothing.
	 * @param worker the id of the worker
	 * @param request what the worker can take
	 * @return what was claimed, in no order
	 */
	ClaimResult claim(UUID worker, ClaimRequest request);

	/**
	 * Claim a job by its id, also before it is due; not one that waits for others. One
	 * with an ordering or a limit key becomes due, and its admission is evaluated first.
	 * @param worker the id of the worker
	 * @param job the id of the job
	 * @param request what the worker can take of the job's queue
	 * @param keys what the job is subject to if it has such a key, else {@code null}
	 * @return what was claimed
	 */
	SingleClaimResult claimOne(UUID worker, UUID job, ClaimRequest request, @Nullable AdmissionRules keys);

	/**
	 * Evaluate the admission of jobs of a queue that are due and have an ordering or a
	 * limit key: an own transaction, one at a time for each queue. Those whose turn it
	 * is, and for whom there is a slot, can be claimed from then on; the others wait
	 * until a job that ends releases its keys.
	 * @param queue the queue
	 * @param rules what its jobs are subject to
	 * @return what was admitted, and when to evaluate again
	 */
	AdmissionResult admit(String queue, AdmissionRules rules);

	/**
	 * Return how much of a range has been claimed by workers of the same service. Jobs
	 * that they passed because of a lock count as claimed.
	 * @param worker the id of the worker
	 * @param range the range
	 * @return the position to continue at, the begin of the range if nothing of it was
	 * claimed
	 */
	JobPosition skip(UUID worker, ClaimedRange range);

	/**
	 * Give back, uncounted, whatever was taken by claims that the worker never saw the
	 * result of.
	 * @param worker the id of the worker
	 * @param claims the numbers of the claims
	 * @return what was given back
	 */
	Collection<JobsAvailable> giveBack(UUID worker, Collection<Long> claims);

	/**
	 * Look through all that there is for a worker, from the beginning. This takes the
	 * longer the more dead rows a transaction that stays open keeps in the table.
	 * @param queues what the worker serves
	 * @return the tiers with unfinished jobs
	 */
	List<TierBacklog> scanBacklog(Collection<ServedQueue> queues);

	/**
	 * Begin the lease of a claimed job anew.
	 * @param worker the worker that claimed it
	 * @param job the job
	 * @param duration how long the lease lasts from now
	 * @return {@code false} if the worker has lost its claim
	 */
	boolean renew(UUID worker, ClaimedJob job, Duration duration);

	/**
	 * Record the progress of running jobs. Locked jobs are skipped, and what is written
	 * may be lost in a crash of the server.
	 * @param worker the worker that claimed them
	 * @param reports a report for each job
	 * @return the ids of the jobs for which that was written: not those whose claim was
	 * lost
	 */
	Set<UUID> report(UUID worker, Collection<ProgressReport> reports);

	/**
	 * Complete a job on the caller's transaction, which then holds a lock on it.
	 * @param worker the worker that claimed it
	 * @param outcome the job
	 * @return what was written: nothing if the worker has lost its claim, and the caller
	 * must roll back
	 */
	CompletionResult complete(UUID worker, Completed outcome);

	/**
	 * Record what became of claimed jobs, in one transaction. Nothing is written for a
	 * job whose claim was lost. A deadlock with the one who has it now is possible, and a
	 * reason to call again.
	 * @param worker the worker that claimed them
	 * @param outcomes the outcomes
	 * @param endedClaims numbers of claims without a job that is still to be recorded
	 * @param consequences what they mean for jobs that wait for others
	 * @return what was written, also jobs that may run now or need an admission again
	 */
	CompletionResult recordOutcomes(UUID worker, Collection<? extends Outcome> outcomes, Collection<Long> endedClaims,
			CompletionEffects consequences);

	/**
	 * Return which jobs other transactions have locked, without waiting for them.
	 * @param jobs the ids of the jobs
	 * @return the ids of those that are locked
	 */
	Set<UUID> locked(Collection<UUID> jobs);

	/**
	 * Keep the claims of a living worker from being taken for expired, for some time from
	 * now. Claims that another transaction has locked are left out.
	 * @param worker the worker
	 * @param claims the numbers of the claims
	 * @param time for how long
	 * @return the claims for which that was done
	 */
	Set<Long> keep(UUID worker, Collection<Long> claims, Duration time);

	/**
	 * Let all retries run that are held back, in queues that do not probe them any more.
	 * @param queues the queues
	 * @return the retries
	 */
	Collection<JobsAvailable> releaseRetries(Collection<String> queues);

	/**
	 * What a worker serves of one queue.
	 *
	 * @param queue the queue
	 * @param types the types that it has a handler for
	 * @param minPriority lowest value of the priorities that it takes
	 * @param maxPriority highest value of the priorities that it takes
	 */
	record ServedQueue(String queue, Set<String> types, int minPriority, int maxPriority) {
	}

	/**
	 * What was written when outcomes were recorded.
	 *
	 * @param jobs the ids of the jobs whose claim the worker still had
	 * @param available those of them that are waiting again, and those that waited for
	 * them
	 * @param cancelled those of them that were cancelled instead, as requested
	 */
	record CompletionResult(Set<UUID> jobs, Collection<JobsAvailable> available, Set<UUID> cancelled) {
	}

	/**
	 * What outcomes mean for jobs that wait for others.
	 *
	 * @param probes the results of probes, for queues that probe their retries
	 * @param freed the keys of those that are not claimed any more, to be released
	 */
	record CompletionEffects(Collection<RetryProbe> probes, Collection<HeldKeys> freed) {

		/**
		 * No job waits.
		 */
		public static final CompletionEffects NONE = new CompletionEffects(List.of(), List.of());

	}

	/**
	 * How far a running job has come.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param percent how much of it is done, from 0 to 100
	 * @param message a text for people
	 */
	record ProgressReport(UUID id, long claim, int percent, String message) {
	}

	/**
	 * What the end of an attempt says about a queue whose retries are probed.
	 *
	 * @param job the id of the job
	 * @param queue its queue
	 * @param retry whether the attempt was a retry that has ended
	 * @param succeeded whether it succeeded
	 * @param pause how long the next retry waits at least, if this one failed
	 */
	record RetryProbe(UUID job, String queue, boolean retry, boolean succeeded, Duration pause) {

		/**
		 * The longest pause. A job that is due later than that is none that others wait
		 * for.
		 */
		public static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	}

	/**
	 * What became of a job that was to be written.
	 *
	 * @param receipt the caller's receipt
	 * @param blocked whether it waits for another job
	 * @param attempts how many attempts have begun
	 * @param createdAt when it was enqueued first
	 * @param at when this was decided, by the database's clock
	 */
	record EnqueuedJob(JobReceipt receipt, boolean blocked, int attempts, Instant createdAt, Instant at) {
	}

	/**
	 * A part of a tier that others may have claimed already, so that a worker need not
	 * look there.
	 *
	 * @param tier the tier
	 * @param from where it begins
	 * @param since claims that were made earlier do not count: a job may have become
	 * ready behind them
	 * @param limit where it ends, {@code null} for no end: a job may have become ready
	 * there
	 */
	record ClaimedRange(Tier tier, JobPosition from, Instant since, @Nullable JobPosition limit) {
	}

	/**
	 * What the jobs of a queue are subject to that have an ordering or a limit key.
	 *
	 * @param concurrency how many jobs of a limit key may be claimed at a time,
	 * {@code null} for any number
	 * @param deadHeadHolds whether a dead job keeps back the others of its ordering key
	 * for as long as the archive has it
	 */
	record AdmissionRules(@Nullable Integer concurrency, boolean deadHeadHolds) {

		/**
		 * No limit, and nothing that the dead hold.
		 */
		public static final AdmissionRules NONE = new AdmissionRules(null, false);

	}

	/**
	 * What became of jobs that wait to be admitted.
	 *
	 * @param admitted those that can be claimed from now on
	 * @param nextDueIn the time until an admission is due again, zero if more are due
	 * now, {@code null} if there is nothing
	 */
	record AdmissionResult(Collection<JobsAvailable> admitted, @Nullable Duration nextDueIn) {
	}

	/**
	 * What a tier has for a worker.
	 *
	 * @param tier the tier
	 * @param position the position of the first due job that the worker can claim, or an
	 * earlier one
	 * @param dueIn how long until a job is due, zero if one is, {@code null} if there is
	 * none
	 * @param unknown the due jobs that the worker has no handler for, if there are any
	 * among the first
	 * @param admitIn the time until an admission is due, zero if one is, {@code null} if
	 * there is none
	 */
	record TierBacklog(Tier tier, JobPosition position, @Nullable Duration dueIn, @Nullable UnknownJobs unknown,
			@Nullable Duration admitIn) {

		/**
		 * Jobs that a worker has no handler for.
		 *
		 * @param type the type of one of them
		 * @param jobs how many there are among the first {@value #LOOKED_AT} due jobs
		 */
		public record UnknownJobs(String type, long jobs) {

			/**
			 * The number of due jobs of a tier that are read.
			 */
			public static final int LOOKED_AT = 200;

		}

	}

	/**
	 * What became of jobs that were to be written.
	 *
	 * @param jobs what became of each, in their order
	 * @param available the first that waits now in each tier
	 */
	record EnqueueResult(List<EnqueuedJob> jobs, Collection<JobsAvailable> available) {

		/**
		 * Return the receipt of each, in their order.
		 * @return the receipts
		 */
		public List<JobReceipt> receipts() {
			return this.jobs.stream().map(EnqueuedJob::receipt).toList();
		}

	}

	/**
	 * What came of the claim of one job by its id.
	 *
	 * @param claimed the job, or nothing
	 * @param admitted jobs that can be claimed now because their admission was evaluated
	 * on the way
	 */
	record SingleClaimResult(ClaimResult claimed, Collection<JobsAvailable> admitted) {
	}

}
