package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;

/**
 * Reads why jobs do not run. Each call runs in a transaction of its own that changes
 * nothing.
 */
public interface ObstacleStore {

	/**
	 * The maximum number of jobs of a result.
	 */
	int MAX_NAMED = 10;

	/**
	 * The maximum number of claimed jobs that are counted for a worker with fewer
	 * handlers.
	 */
	int MAX_CLAIMED = 1_000;

	/**
	 * Return why a waiting job could not be claimed by its id.
	 * @param id the job's id
	 * @return the first reason that applies now, {@code null} if no live job has that id
	 */
	@Nullable BlockedBy blockedBy(UUID id);

	/**
	 * Return what an unfinished job waits for. Unlike {@link #blockedBy}, this does not
	 * lock the job, which claims and admission would pass meanwhile.
	 * @param id the job's id
	 * @return what it waits for, {@code null} if no live job has that id
	 */
	@Nullable Obstacle obstacle(UUID id);

	/**
	 * Return the living workers, and what they can run of a job's queue.
	 * @param job the tier of the job
	 * @param type the type of the job
	 * @return the workers, ordered by name
	 */
	List<LivingWorker> workers(Tier job, String type);

	/**
	 * Return the jobs of a queue that living workers have claimed.
	 * @param queue the queue
	 * @return up to {@value #MAX_NAMED} jobs, those that were claimed first
	 */
	List<ClaimedBy> claimed(String queue);

	/**
	 * Return the types that living workers which serve a queue can run.
	 * @param queue the queue
	 * @return the names of the types
	 */
	Set<String> types(String queue);

	/**
	 * Return the queues that living workers serve, or have handlers for.
	 * @return the names of the queues
	 */
	Set<String> queues();

	/**
	 * Return how many jobs of a queue may be claimed now.
	 * @param queue the queue
	 * @param limits its limits over all workers, at least one
	 * @return the number
	 */
	Allowance allowance(String queue, ClusterLimits limits);

	/**
	 * What an unfinished job waits for.
	 *
	 * @param blockedBy what blocks it, {@code null} if nothing of the job itself does;
	 * neither {@link BlockedBy#LOCK} nor {@link BlockedBy#LIMIT}
	 * @param held whether it is a retry that is held back while others fail
	 * @param dueFor the time since it was due, negative if it is due later
	 * @param batch the batch of which it is a callback, {@code null} for none
	 * @param sealed whether that batch is sealed
	 * @param lost whether a worker has claimed it that is no longer alive
	 * @param heartbeatAt the last heartbeat of the worker that has claimed it,
	 * {@code null} if no worker has, or that worker is not registered
	 * @param blockers up to {@value #MAX_NAMED} of the jobs that it waits for
	 */
	record Obstacle(@Nullable BlockedBy blockedBy, boolean held, Duration dueFor, @Nullable UUID batch, boolean sealed,
			boolean lost, @Nullable Instant heartbeatAt, List<Blocker> blockers) {
	}

	/**
	 * A job that another one waits for.
	 *
	 * @param id its id
	 * @param state its state, {@code null} if it is neither live nor archived
	 */
	record Blocker(UUID id, @Nullable JobState state) {
	}

	/**
	 * A living worker.
	 *
	 * @param name its name
	 * @param serves whether it serves the queue of the job
	 * @param idle whether it had free handlers in all its queues at its last heartbeat
	 * @param claimed the number of jobs of the queue that it has claimed, up to that of
	 * its handlers or {@value #MAX_CLAIMED}, whichever is higher
	 * @param handled what it can run of the queue; {@code null} if it has no handler for
	 * the queue, or serves it in a version that does not publish this
	 */
	record LivingWorker(String name, boolean serves, boolean idle, int claimed, @Nullable HandledJob handled) {
	}

	/**
	 * What a worker can run of the queue of a job.
	 *
	 * @param type whether it has a handler for the type of the job, or pulls it
	 * @param priority whether it claims jobs of the priority of the job
	 * @param concurrency the number of its handlers of the queue, 0 if it starts none,
	 * {@code null} if the application pulls the jobs
	 * @param limits the limits of the queue over all workers, by its settings
	 */
	record HandledJob(boolean type, boolean priority, @Nullable Integer concurrency, ClusterLimits limits) {
	}

	/**
	 * A job that a worker has claimed.
	 *
	 * @param id its id
	 * @param type the name of its type
	 * @param worker the name of the worker
	 * @param since the time of the claim, {@code null} if unknown
	 */
	record ClaimedBy(UUID id, String type, String worker, @Nullable Instant since) {
	}

	/**
	 * How many jobs the limits of a queue allow to claim now.
	 *
	 * @param jobs the number
	 * @param nextIn the time until the rate allows a claim, {@code null} unless it is
	 * used up
	 */
	record Allowance(int jobs, @Nullable Duration nextIn) {
	}

	/**
	 * The reason why a waiting job could not be claimed by its id.
	 */
	enum BlockedBy {

		/**
		 * The job has expired.
		 */
		EXPIRY,

		/**
		 * The job follows another job with its unique key.
		 */
		KEY,

		/**
		 * It waits for predecessors that have not finished.
		 */
		PREDECESSOR,

		/**
		 * It waits for a predecessor that has failed.
		 */
		FAILED_PREDECESSOR,

		/**
		 * It is a callback of a batch that has not finished.
		 */
		BATCH,

		/**
		 * Another job of its ordering key comes first.
		 */
		ORDER,

		/**
		 * Other jobs occupy all slots of its limit key.
		 */
		SLOT,

		/**
		 * Another transaction has locked the job.
		 */
		LOCK,

		/**
		 * None of these: a limit of its queue is or was reached.
		 */
		LIMIT

	}

}
