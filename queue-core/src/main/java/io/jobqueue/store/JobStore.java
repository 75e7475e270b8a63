package io.jobqueue.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.Outcome.Completed;

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
	Enqueued enqueue(List<NewJob> jobs);

	/**
	 * Claim due jobs of a queue: an own transaction that leaves no lock behind. Another
	 * worker's claim is neither waited for nor seen. A worker that has not checked in, or
	 * not for its timeout, gets nothing.
	 * @param worker the id of the worker
	 * @param demand what the worker can take
	 * @return what was claimed, in no order
	 */
	ClaimedJobs claim(UUID worker, QueueDemand demand);

	/**
	 * Claim a job by its id, also before it is due; not one that waits for others. One
	 * with an ordering or a limit key becomes due, and is judged first.
	 * @param worker the id of the worker
	 * @param job the id of the job
	 * @param demand what the worker can take of the job's queue
	 * @param keys what the job is subject to if it has such a key, else {@code null}
	 * @return what was claimed
	 */
	Picked claimOne(UUID worker, UUID job, QueueDemand demand, @Nullable KeyRules keys);

	/**
	 * Judge jobs of a queue that are due and have an ordering or a limit key: an own
	 * transaction, one at a time for each queue. Those whose turn it is, and for whom
	 * there is a slot, can be claimed from then on; the others wait until a job that ends
	 * hands its keys over.
	 * @param queue the queue
	 * @param rules what its jobs are subject to
	 * @return what was admitted, and when to judge again
	 */
	Admission admit(String queue, KeyRules rules);

	/**
	 * Tell how much of a stretch has been claimed by workers of the same service. What
	 * they passed over because it was locked is taken for claimed.
	 * @param worker the id of the worker
	 * @param stretch where to look
	 * @return where to go on, which is where the stretch begins if nobody was there
	 */
	Position skip(UUID worker, Stretch stretch);

	/**
	 * Give back, uncounted, whatever was taken by claims that the worker never saw the
	 * result of.
	 * @param worker the id of the worker
	 * @param claims the numbers of the claims
	 * @return what was given back
	 */
	Collection<Arrival> giveBack(UUID worker, Collection<Long> claims);

	/**
	 * Look through all that there is for a worker, from the beginning. This takes the
	 * longer the more dead rows a transaction that stays open keeps in the table.
	 * @param queues what the worker serves
	 * @return the tiers with unfinished jobs
	 */
	List<SurveyedTier> survey(Collection<ServedQueue> queues);

	/**
	 * Begin the lease of a claimed job anew.
	 * @param worker the worker that claimed it
	 * @param job the job
	 * @param duration how long the lease lasts from now
	 * @return {@code false} if the worker has lost its claim
	 */
	boolean renew(UUID worker, ClaimedJob job, Duration duration);

	/**
	 * Note how far running jobs have come. What somebody keeps locked is passed over, and
	 * what is written may be lost in a crash of the server.
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
	Written complete(UUID worker, Completed outcome);

	/**
	 * Record what became of claimed jobs, in one transaction. Nothing is written for a
	 * job whose claim was lost. A deadlock with the one who has it now is possible, and a
	 * reason to call again.
	 * @param worker the worker that claimed them
	 * @param outcomes the outcomes
	 * @param endedClaims numbers of claims without a job that is still to be settled
	 * @param consequences what they mean for jobs that wait for others
	 * @return what was written, also jobs that may run now or are to be judged again
	 */
	Written settle(UUID worker, Collection<? extends Outcome> outcomes, Collection<Long> endedClaims,
			Consequences consequences);

	/**
	 * Tell which jobs other transactions have locked, without waiting for them.
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
	Collection<Arrival> letRetriesOut(Collection<String> queues);

}
