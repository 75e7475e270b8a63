package io.jobqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The job that a handler runs, and its attempt.
 */
public interface JobContext {

	/**
	 * Return the job's id, which is the same for all attempts: use it as the idempotency
	 * key of calls to other systems.
	 * @return the id
	 */
	UUID id();

	/**
	 * Return the job's unique key.
	 * @return the key, or {@code null} if it has none
	 */
	@Nullable String key();

	/**
	 * Return the queue that the job was enqueued to.
	 * @return the queue's name
	 */
	String queue();

	/**
	 * Return the name of the job's type.
	 * @return the type's name
	 */
	String type();

	/**
	 * Return the job's priority.
	 * @return the priority
	 */
	Priority priority();

	/**
	 * Return the number of this attempt. Attempts are counted when a worker claims the
	 * job, so that one that ended in a crash counts as well.
	 * @return the number, from 1
	 */
	int attempt();

	/**
	 * Return the maximum number of attempts.
	 * @return the number, 0 for no limit
	 */
	int maxAttempts();

	/**
	 * Return when the job was enqueued, by the database's clock.
	 * @return the time of the enqueueing statement
	 */
	Instant enqueuedAt();

	/**
	 * Return when this attempt was due.
	 * @return the due time
	 */
	Instant runAt();

	/**
	 * Return the tick that enqueued the job: its time by the schedule, without jitter and
	 * later delays.
	 * @return the time of the tick, the time of the call for a job of
	 * {@link RecurringJobs#trigger}, {@code null} for a job that no schedule has enqueued
	 */
	@Nullable Instant scheduledAt();

	/**
	 * Return the headers that the job was enqueued with, including those of its trace if
	 * the application traces.
	 * @return an unmodifiable map, empty if there are none
	 */
	Map<String, String> headers();

	/**
	 * Return whether {@link JobOperations#cancel} was called for the job. Sends no
	 * statement: the worker reads such requests with its heartbeat. To end the job as
	 * cancelled, the handler throws an exception; if it returns a success, the job has
	 * succeeded. It is interrupted after {@code jobqueue.worker.cancel-grace}, unless it
	 * is one that takes several jobs ({@link JobHandler#batchSize()}).
	 * @return {@code true} from the first heartbeat after the request on
	 */
	boolean cancelRequested();

	/**
	 * Replace the remaining run time of this attempt by the given time. The call writes
	 * to the database, on a separate connection and outside any transaction. Under an
	 * isolation level stricter than READ COMMITTED, a transactional handler cannot commit
	 * afterwards. All jobs of the same call are extended.
	 * @param duration the time from now, more than zero
	 * @throws ClaimLostException if the claim is lost or the run time is over: the
	 * handler should end
	 * @throws IllegalArgumentException if the time is zero or negative
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void extend(Duration duration);

	/**
	 * Report the progress of the job. Returns at once and never fails the attempt: the
	 * worker writes the last report of each second, outside any transaction, and repeats
	 * a failed write in the next second. A report made less than a second before the
	 * handler ends may not be written. Under an isolation level stricter than READ
	 * COMMITTED, a transactional handler cannot commit afterwards.
	 * <p>
	 * The view {@code jobqueue_jobs} and {@link JobDetails#progress()} show the last
	 * written report, also of a finished job while it is in the archive.
	 * @param percent the percentage that is done; below 0 counts as 0, above 100 as 100
	 * @param message a text for people, cut to 1,000 characters; {@code null} counts as
	 * empty
	 */
	void progress(int percent, @Nullable String message);

	/**
	 * Count the members of the {@link Batch} of which the job is a member or callback.
	 * The call reads the database, in the transaction of a transactional handler. In a
	 * callback the numbers are final.
	 * @return the numbers, {@code null} if the job is in no batch, is the copy of a
	 * replay, or is a member that was retried after its batch had finished
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	@Nullable BatchInfo batch();

	/**
	 * Read the result of another step of the job's {@link WorkflowDefinition workflow}:
	 * what its handler has returned. The call reads the database, in the transaction of a
	 * transactional handler. It works for as long as the instance is kept, also in a
	 * later attempt.
	 * @param step the name of the step
	 * @param type the class of the result
	 * @param <T> the type of the result
	 * @return the result, {@code null} if the handler has returned nothing, or the step
	 * has not succeeded
	 * @throws IllegalStateException if the job is no step of a workflow, or its instance
	 * is not kept any more
	 * @throws IllegalArgumentException if the workflow has no such step
	 * @throws UnreadablePayloadException if the result cannot be decoded to the class
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	<T> @Nullable T result(String step, Class<T> type);

}
