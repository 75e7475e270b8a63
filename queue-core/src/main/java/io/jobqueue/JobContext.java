package io.jobqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What a handler can ask about the job that it runs.
 */
public interface JobContext {

	/**
	 * Return the job's id, which is the same on every attempt: use it as the idempotency
	 * key for calls to the outside.
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
	 * Return which attempt this is. Attempts are counted when a worker claims the job, so
	 * one that a crash took counts too.
	 * @return the number of this attempt, from 1
	 */
	int attempt();

	/**
	 * Return after how many attempts the job is given up.
	 * @return the number of attempts, 0 for no limit
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
	 * Return the tick of the schedule that enqueued the job: the time at which the job
	 * was due by the schedule, whatever delays it had since.
	 * @return the time of the tick, the time of the call for a job of
	 * {@link RecurringJobs#trigger}, {@code null} for a job that no schedule has enqueued
	 */
	@Nullable Instant scheduledAt();

	/**
	 * Return the headers that the job was enqueued with. Where the application traces,
	 * those of its trace are among them.
	 * @return an unmodifiable map, empty if there are none
	 */
	Map<String, String> headers();

	/**
	 * Return whether a call to {@link JobOperations#cancel cancel} the job was made.
	 * Costs nothing: the worker reads such requests with its heartbeat. A handler that is
	 * not done then ends by throwing something, and its job is cancelled; if it returns,
	 * it has succeeded. It is interrupted after {@code jobqueue.worker.cancel-grace}.
	 * @return {@code true} from then on
	 */
	boolean cancelRequested();

	/**
	 * Let the attempt run for the given time from now, whether that is more or less than
	 * is left: for a handler that knows better than the maximum run time. The call asks
	 * the database, on a connection of its own and outside any transaction. Where the
	 * isolation is stricter than READ COMMITTED, a transactional handler cannot commit
	 * after it.
	 * @param duration the time, from now; more than zero
	 * @throws ClaimLostException if the job has been taken away from this worker, or its
	 * time is over: the handler should end
	 * @throws IllegalArgumentException if the time is zero or negative
	 */
	void extend(Duration duration);

	/**
	 * Report the progress of the job. The view {@code jobqueue_jobs} and
	 * {@link JobDetails#progress()} show the last report that was written, also of a
	 * finished job for as long as the archive keeps it. Returns at once and never fails
	 * an attempt: the worker writes the last report of each second, outside any
	 * transaction, and tries again in the next one if it could not. A report made less
	 * than a second before the handler ends may not be written. Where the isolation is
	 * stricter than READ COMMITTED, a transactional handler cannot commit after it.
	 * @param percent how much is done; below 0 counts as 0, above 100 as 100
	 * @param message a text for people, cut to 1,000 characters; {@code null} counts as
	 * empty
	 */
	void progress(int percent, @Nullable String message);

	/**
	 * Return the numbers of the {@link Batch} whose member or callback the job is. They
	 * are read from the database, in the transaction of a transactional handler. The
	 * numbers of a callback are final.
	 * @return the numbers, {@code null} if the job is in no batch: also for a copy of a
	 * replay, and for a member that was retried after its batch had finished
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	@Nullable BatchInfo batch();

}
