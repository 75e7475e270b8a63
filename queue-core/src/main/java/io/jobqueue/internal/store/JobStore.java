package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobReceipt;
import io.jobqueue.internal.store.ClaimedJob.HeldKeys;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * Enqueues, claims and completes the jobs of a database. The clock of the database
 * decides which jobs are due and which leases have expired. Every method throws a Spring
 * {@code DataAccessException} or {@code TransactionException} if the database fails.
 */
public interface JobStore extends AttemptStore {

	/**
	 * Insert jobs that no handler enqueues and that are in no batch, like
	 * {@link #enqueue(List, Origin)}.
	 * @param jobs the jobs
	 * @return the result for each job
	 */
	default EnqueueResult enqueue(List<NewJob> jobs) {
		return enqueue(jobs, Origin.NONE);
	}

	/**
	 * Insert jobs in the caller's transaction, all or none. Their sequence numbers follow
	 * the order of the list. With unique keys, this call waits for other transactions
	 * that use one of the keys, and locks the keys until the caller's transaction ends.
	 * @param jobs the jobs
	 * @param origin where they come from
	 * @return the result for each job
	 * @throws io.jobqueue.JobRejectedException if a predecessor is neither live nor
	 * archived, or the batch is sealed or unknown; nothing is written then
	 */
	EnqueueResult enqueue(List<NewJob> jobs, Origin origin);

	/**
	 * Let the server end the session of the caller's transaction if the next statement is
	 * late, as when the process is suspended: others may wait for its keys and rows.
	 * @param limit the time until a statement has arrived completely
	 */
	void endIfSuspended(Duration limit);

	/**
	 * Claim due jobs of a queue in a transaction of its own. Jobs that another
	 * transaction has locked are skipped. A worker without a heartbeat within its timeout
	 * gets no jobs.
	 * @param worker the id of the worker
	 * @param request the claim request
	 * @return the claimed jobs, in no particular order
	 */
	ClaimResult claim(UUID worker, ClaimRequest request);

	/**
	 * Claim a new job by its id, if it is due and not locked, in a transaction of its
	 * own. A worker without a heartbeat within its timeout gets no job.
	 * @param worker the id of the worker
	 * @param request the request
	 * @return the claimed job; a result without it has neither a time nor a reason
	 */
	ClaimResult claimNew(UUID worker, NewJobRequest request);

	/**
	 * Claim a job by its id, even before it is due. A job that waits for another one is
	 * not claimed. The admission of a job with an ordering or a limit key is evaluated
	 * first, as if the job were due; it stays as it was if the job cannot be claimed.
	 * @param worker the id of the worker
	 * @param job the id of the job
	 * @param request the claim request of the job's queue
	 * @param keys the admission rules if the job has such a key, else {@code null}
	 * @return the claimed job, and the jobs that were admitted
	 */
	SingleClaimResult claimOne(UUID worker, UUID job, ClaimRequest request, @Nullable AdmissionRules keys);

	/**
	 * Evaluate the admission of due jobs with an ordering or a limit key, in a
	 * transaction of its own. Each queue allows one such transaction at a time. A job
	 * that is the first of its ordering key and has a slot of its limit key can be
	 * claimed from then on; the others wait until a job that ends releases its keys.
	 * @param queue the queue
	 * @param rules the admission rules of the queue
	 * @return the admitted jobs, and the time of the next evaluation
	 */
	AdmissionResult admit(String queue, AdmissionRules rules);

	/**
	 * Release the jobs of claims whose results did not reach the worker. Their attempts
	 * do not count.
	 * @param worker the id of the worker
	 * @param claims the numbers of the claims
	 * @return the released jobs
	 */
	Collection<JobsAvailable> release(UUID worker, Collection<Long> claims);

	/**
	 * Scan the tiers of a worker's queues from the start, up to the first
	 * {@value TierBacklog.UnknownJobs#LOOKED_AT} due jobs each. The duration grows with
	 * the number of dead rows that long-running transactions keep in the table.
	 * @param queues the queues, types and priorities that the worker serves
	 * @return the tiers with live jobs
	 */
	List<TierBacklog> scanBacklog(Collection<ServedQueue> queues);

	/**
	 * Complete a job in the caller's transaction, which locks the job until it ends.
	 * @param worker the worker that claimed it
	 * @param outcome the outcome
	 * @return the result; without jobs if the worker has lost its claim, and the caller
	 * must roll back
	 */
	CompletionResult complete(UUID worker, Completed outcome);

	/**
	 * Complete a job like {@link #complete} and commit the caller's transaction, if both
	 * can be one round trip. The caller commits in any case: a second commit has no
	 * effect.
	 * @param worker the worker that claimed it
	 * @param outcome the outcome
	 * @return the result; without jobs if the worker has lost its claim: nothing is
	 * committed then, and the caller must roll back
	 */
	default CompletionResult completeAndCommit(UUID worker, Completed outcome) {
		return complete(worker, outcome);
	}

	/**
	 * Complete jobs in the caller's transaction, like {@link #complete}.
	 * @param worker the worker that claimed them
	 * @param outcomes the outcomes
	 * @return the result; if a job is missing in it, the worker has lost its claim, and
	 * the caller must roll back
	 */
	CompletionResult completeAll(UUID worker, List<Completed> outcomes);

	/**
	 * Release a savepoint of the caller's transaction and set it anew, in one round trip.
	 * @param name the name of the savepoint
	 */
	void renewSavepoint(String name);

	/**
	 * Postpone the expiry of claims of a live worker. Claims that another transaction has
	 * locked are skipped.
	 * @param worker the worker
	 * @param claims the numbers of the claims
	 * @param time the minimum time from now to the expiry
	 * @return the claims whose expiry was postponed
	 */
	Set<Long> extendClaims(UUID worker, Collection<Long> claims, Duration time);

	/**
	 * Let all retries out that are held back in queues that no longer probe their
	 * retries.
	 * @param queues the queues
	 * @return the retries that can be claimed now or when they are due
	 */
	Collection<JobsAvailable> releaseRetries(Collection<String> queues);

	/**
	 * A request to claim one new job, with the limits of its attempt if the job has no
	 * options of its own.
	 *
	 * @param job the id of the job, which has neither an ordering nor a limit key
	 * @param queue its queue, which has no limits over all workers
	 * @param type the name of its type
	 * @param claim the number of this claim, unique among the claims of the worker
	 * @param once whether the job is delivered at most once, so that its claim is durable
	 * @param maxAttempts the maximum number of attempts, 0 for no limit
	 * @param maxRunTime the maximum run time of the attempt; the lease lasts 2 s longer
	 * @param keepDead how long the archive keeps the job if it dies in this claim,
	 * {@code null} for no limit
	 */
	record NewJobRequest(UUID job, String queue, String type, long claim, boolean once, int maxAttempts,
			Duration maxRunTime, @Nullable Duration keepDead) {
	}

	/**
	 * The types and priorities of one queue that a worker serves.
	 *
	 * @param queue the queue
	 * @param types the types that it has a handler for
	 * @param minPriority the lowest priority value that it claims
	 * @param maxPriority the highest priority value that it claims
	 */
	record ServedQueue(String queue, Set<String> types, int minPriority, int maxPriority) {
	}

	/**
	 * The job and the batch that new jobs belong to.
	 *
	 * @param parent the id of the job whose handler enqueues them, {@code null} for none
	 * @param batch the id of the batch whose members they are, {@code null} for none
	 */
	record Origin(@Nullable UUID parent, @Nullable UUID batch) {

		/**
		 * Neither a job nor a batch.
		 */
		public static final Origin NONE = new Origin(null, null);

		/**
		 * Return an origin. Most jobs have none, and share one object.
		 * @param parent the id of the job, {@code null} for none
		 * @param batch the id of the batch, {@code null} for none
		 * @return the origin
		 */
		public static Origin of(@Nullable UUID parent, @Nullable UUID batch) {
			return (parent != null || batch != null) ? new Origin(parent, batch) : NONE;
		}

	}

	/**
	 * The result of enqueueing a job.
	 *
	 * @param receipt the caller's receipt
	 * @param blocked whether it follows another job, waits for predecessors, or is a
	 * retry that is held back
	 * @param attempts the number of attempts that have begun, 0 if the job was not
	 * written
	 * @param createdAt the time it was first enqueued, the time of this call if the job
	 * was not written
	 * @param at the time of this call by the database's clock
	 */
	record EnqueuedJob(JobReceipt receipt, boolean blocked, int attempts, Instant createdAt, Instant at) {
	}

	/**
	 * The admission rules for jobs of a queue with an ordering or a limit key.
	 *
	 * @param concurrency the number of slots of each limit key, {@code null} for no limit
	 * @param deadHeadHolds whether a dead job blocks the other jobs of its ordering key
	 * for as long as it is in the archive
	 */
	record AdmissionRules(@Nullable Integer concurrency, boolean deadHeadHolds) {

		/**
		 * No limit; dead jobs block nothing.
		 */
		public static final AdmissionRules NONE = new AdmissionRules(null, false);

	}

	/**
	 * The result of an evaluation of pending admissions.
	 *
	 * @param admitted the jobs that can be claimed from now on
	 * @param nextDueIn the time until the next admission is due, zero if more are due
	 * now, {@code null} if none is pending
	 */
	record AdmissionResult(Collection<JobsAvailable> admitted, @Nullable Duration nextDueIn) {
	}

	/**
	 * The live jobs of a tier, for one worker.
	 *
	 * @param tier the tier
	 * @param position the position of the first due job that the worker can claim, or an
	 * earlier one
	 * @param dueIn the time until a job is due, zero if one is due, {@code null} if there
	 * is none
	 * @param unknown the due jobs without a handler in the worker, {@code null} if there
	 * are none among the first {@value UnknownJobs#LOOKED_AT}
	 * @param admitIn the time until an admission is due, zero if one is due, {@code null}
	 * if there is none
	 */
	record TierBacklog(Tier tier, JobPosition position, @Nullable Duration dueIn, @Nullable UnknownJobs unknown,
			@Nullable Duration admitIn) {

		/**
		 * Jobs without a handler in the worker.
		 *
		 * @param type the type of one of them
		 * @param jobs their number among the first {@value #LOOKED_AT} due jobs
		 */
		public record UnknownJobs(String type, long jobs) {

			/**
			 * The number of due jobs of a tier that are examined.
			 */
			public static final int LOOKED_AT = 200;

		}

	}

	/**
	 * The result of enqueueing jobs.
	 *
	 * @param jobs the result for each job, in the order of the request
	 * @param available the first job of each tier that can be claimed now or when it is
	 * due
	 * @param predecessors the ids of jobs that others wait for, and of the batch, to be
	 * resolved after the commit by {@link DependencyStore#resolve}
	 */
	record EnqueueResult(List<EnqueuedJob> jobs, Collection<JobsAvailable> available, Set<UUID> predecessors) {

		/**
		 * Create the result of jobs that wait for no others.
		 * @param jobs the result for each job
		 * @param available the first job of each tier
		 */
		public EnqueueResult(List<EnqueuedJob> jobs, Collection<JobsAvailable> available) {
			this(jobs, available, Set.of());
		}

		/**
		 * Return the result with predecessors to be resolved.
		 * @param predecessors the ids of the predecessors
		 * @return the result
		 */
		public EnqueueResult withPredecessors(Set<UUID> predecessors) {
			return new EnqueueResult(this.jobs, this.available, predecessors);
		}

		/**
		 * Return the receipts in the order of the request.
		 * @return the receipts
		 */
		public List<JobReceipt> receipts() {
			List<JobReceipt> receipts = new ArrayList<>(this.jobs.size());
			this.jobs.forEach((job) -> receipts.add(job.receipt()));
			return Collections.unmodifiableList(receipts);
		}

	}

	/**
	 * The result of claiming one job by its id.
	 *
	 * @param claimed the result, with one job or none
	 * @param admitted jobs that can be claimed now because this call evaluated their
	 * admission
	 */
	record SingleClaimResult(ClaimResult claimed, Collection<JobsAvailable> admitted) {
	}

}
