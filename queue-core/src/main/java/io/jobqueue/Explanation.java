package io.jobqueue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Why a job is not running, or where it runs, by {@link JobOperations#explain}. Times are
 * by the database's clock.
 * <p>
 * Workers publish the types, handlers, priorities and limits of their queues when they
 * start and when these change. Those of a version that does not are taken to have a
 * handler for each type, the limits of the node that explains, and no free handler unless
 * all their queues had free ones at their last heartbeat.
 * <p>
 * The sentence and the remedy are English texts for people and may change in any version;
 * programs use the reason. Neither contains payloads, headers, keys, names of batches or
 * messages of errors. They contain ids, times, names of queues, types, workers and users,
 * and the reasons that users gave for pauses.
 *
 * @param job the id of the job
 * @param reason the reason
 * @param sentence the reason in one sentence
 * @param remedy what to do, empty if nothing has to be done
 * @param jobs the ids of the jobs that the sentence is about, such as those that it waits
 * for, at most 10, unmodifiable
 * @param batch the id of the batch that it waits for, {@code null} if it waits for none
 * @param workers the names of the workers that the sentence is about, at most 10,
 * unmodifiable
 * @param nearest the queue or the type that was probably meant, {@code null} if no name
 * is similar
 * @param since since when the reason has applied, {@code null} if that is unknown
 * @param until until when the reason applies, {@code null} if that is unknown
 * @param error the first line of the last error, cut to 500 characters, of a job that
 * waits after a failure or is dead; {@code null} for others; may be confidential
 */
public record Explanation(UUID job, Reason reason, String sentence, String remedy, List<UUID> jobs,
		@Nullable UUID batch, List<String> workers, @Nullable String nearest, @Nullable Instant since,
		@Nullable Instant until, @Nullable String error) {

	/**
	 * Create an explanation from copies.
	 * @param job the id of the job
	 * @param reason the reason
	 * @param sentence the reason in one sentence
	 * @param remedy what to do
	 * @param jobs the ids of the jobs that the sentence is about
	 * @param batch the id of the batch that it waits for
	 * @param workers the names of the workers that the sentence is about
	 * @param nearest the queue or the type that was probably meant
	 * @param since since when the reason has applied
	 * @param until until when the reason applies
	 * @param error the first line of the last error
	 */
	public Explanation {
		jobs = List.copyOf(jobs);
		workers = List.copyOf(workers);
	}

	/**
	 * Return a text for logs, without the error, which may be confidential.
	 */
	@Override
	public String toString() {
		return "Explanation[%s, %s: %s]".formatted(this.job, this.reason, this.sentence);
	}

	/**
	 * Why a job is not running. If several reasons apply, an explanation has the first of
	 * them in the order of these constants.
	 */
	public enum Reason {

		/**
		 * There is no such job: no job with this id was committed, or it is no longer in
		 * the archive.
		 */
		UNKNOWN,

		/**
		 * The job has succeeded, is dead or was cancelled.
		 */
		ENDED,

		/**
		 * The worker that has claimed the job sends no heartbeat any more.
		 */
		WORKER_LOST,

		/**
		 * The cancellation of the job is requested: its handler runs, or a reaper is
		 * about to end the job.
		 */
		CANCEL_REQUESTED,

		/**
		 * A worker has claimed the job and runs it, or is about to.
		 */
		RUNNING,

		/**
		 * The job has {@linkplain JobRequest#expiresAfter expired} and is not cancelled
		 * yet.
		 */
		EXPIRED,

		/**
		 * The job is a callback of a {@link Batch} that has not finished.
		 */
		BATCH,

		/**
		 * A {@linkplain JobRequest#after predecessor} has failed.
		 */
		FAILED_PREDECESSOR,

		/**
		 * Predecessors have not finished.
		 */
		PREDECESSORS,

		/**
		 * The job follows the running job of its {@linkplain JobRequest#key unique key}.
		 */
		FOLLOW_UP,

		/**
		 * Another job of its {@linkplain JobRequest#orderedBy ordering key} comes first.
		 */
		ORDER,

		/**
		 * Other jobs occupy all slots of its {@linkplain JobRequest#limitedBy limit key}.
		 */
		SLOT,

		/**
		 * The job is a retry, held back while other retries of its queue fail
		 * ({@code probe-retries}).
		 */
		RETRY_HELD,

		/**
		 * The job has failed and backs off.
		 */
		RETRYING,

		/**
		 * The job is due later.
		 */
		SCHEDULED,

		/**
		 * The queue or the type is paused.
		 */
		PAUSED,

		/**
		 * No living worker serves the queue, and its concurrency is 0 on living workers
		 * that have a handler for it, or on this node. A node whose queues all have a
		 * concurrency of 0 has no worker, and only that node itself knows its handlers.
		 */
		CONCURRENCY_ZERO,

		/**
		 * No living worker serves the queue, whose name is similar to that of a queue
		 * which is served.
		 */
		QUEUE_MISSPELT,

		/**
		 * No living worker serves the queue.
		 */
		UNSERVED,

		/**
		 * No living worker that serves the queue has a handler for the type, or pulls it.
		 */
		UNHANDLED,

		/**
		 * No living worker that serves the queue and has a handler for the type takes the
		 * priority.
		 */
		PRIORITY_EXCLUDED,

		/**
		 * The rate of the queue is used up, by the settings of all workers that could
		 * take the job.
		 */
		RATE,

		/**
		 * As many jobs of the queue are claimed as {@code cluster-concurrency} allows, by
		 * the settings of all workers that could take the job.
		 */
		CLUSTER_CONCURRENCY,

		/**
		 * All handlers that could run the job are busy: each worker that starts handlers
		 * for it has claimed as many jobs of the queue as it has handlers.
		 */
		BUSY,

		/**
		 * Another transaction has locked the job.
		 */
		LOCKED,

		/**
		 * The job is due, and nothing of the above keeps it from running: a worker is
		 * about to claim it, or cannot, because its claims fail or handlers are stuck, or
		 * only the application pulls such jobs.
		 */
		READY

	}

}
