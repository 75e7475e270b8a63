package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobDetails;
import io.jobqueue.JobPayload;
import io.jobqueue.JobQuery;
import io.jobqueue.JobState;

/**
 * Reads jobs for display. Each call runs in transactions of its own that change nothing.
 */
public interface SearchStore {

	/**
	 * The maximum number of jobs of an error that are read to count them.
	 */
	int ERROR_CAP = 10_000;

	/**
	 * The number of jobs that the groups of one count share, those of 20 jobs and more in
	 * equal parts. It bounds the time of a count: each job can be in a page of its own.
	 */
	int SHARED_CAP = 20_000;

	/**
	 * Find a job, live or archived.
	 * @param id the job's id
	 * @return the job, {@code null} if no job has that id
	 */
	@Nullable FoundJob find(UUID id);

	/**
	 * Read the payload of a job, live or archived.
	 * @param id the job's id
	 * @param atMost the maximum number of characters or bytes
	 * @return the start of the payload, {@code null} if there is no such job
	 */
	@Nullable JobPayload payload(UUID id, int atMost);

	/**
	 * Find the live job that has a unique key; the first one, if another one follows it.
	 * @param queue the queue
	 * @param key the key
	 * @return the job, {@code null} if none has the key
	 */
	@Nullable FoundJob findByKey(String queue, String key);

	/**
	 * Search live and archived jobs in batches, until a page is full or the time is over.
	 * @param query the conditions
	 * @param time the time after which no further batch starts
	 * @return the page
	 * @throws IllegalArgumentException if the start position of the query is invalid
	 * @throws org.springframework.dao.DataAccessException if the database fails or a
	 * single batch exceeds the statement timeout
	 */
	SearchResult search(JobQuery query, Duration time);

	/**
	 * Search archived jobs like {@link #search}, the oldest id first.
	 * @param query the conditions
	 * @param time the time after which no further batch starts
	 * @return the page
	 */
	SearchResult searchArchive(JobQuery query, Duration time);

	/**
	 * Count the jobs that a search would find.
	 * @param query the conditions
	 * @param cap the maximum number of jobs
	 * @param time the time after which no further batch starts
	 * @return their number
	 */
	CountResult count(JobQuery query, int cap, Duration time);

	/**
	 * Return the time of the database's clock.
	 * @return the time
	 */
	Instant now();

	/**
	 * Count live and dead jobs by the error of their last attempt, as
	 * {@link JobQuery#fingerprint} finds them, up to {@value #ERROR_CAP} of each, and up
	 * to their share of {@value #SHARED_CAP} live ones and as many dead ones.
	 * @param groups the maximum number of errors of live jobs, and of dead jobs, which
	 * the queues share equally; a queue with more adds as many that are frequent in a
	 * sample of its jobs
	 * @return the errors with the most jobs first
	 */
	ErrorCounts countErrors(int groups);

	/**
	 * Count dead jobs by the error of their last attempt like {@link #countErrors}.
	 * @param groups the maximum number of errors, which the queues share equally
	 * @param queue the queue, {@code null} for all
	 * @return the errors with the most jobs first
	 */
	ErrorCounts countDeadErrors(int groups, @Nullable String queue);

	/**
	 * Count dead jobs, up to {@value #ERROR_CAP} of each queue, and up to its share of
	 * {@value #SHARED_CAP}.
	 * @param queues the maximum number of queues
	 * @return the queues with the most dead jobs first
	 */
	List<ArchiveCount> countDead(int queues);

	/**
	 * Count archived jobs, up to a cap.
	 * @return the numbers by queue and state
	 */
	List<ArchiveCount> countFinished();

	/**
	 * Count the live and archived jobs of a group in one queue, from one snapshot.
	 * @param queue the queue
	 * @param group the group's name
	 * @return the numbers by state; states without a job are left out
	 */
	Map<JobState, Long> countGroup(String queue, String group);

	/**
	 * Count the live and archived jobs of a group over all queues, from one snapshot.
	 * @param group the group's name
	 * @return the numbers by state; states without a job are left out
	 */
	Map<JobState, Long> countGroup(String group);

	/**
	 * A page of jobs.
	 *
	 * @param jobs the jobs
	 * @param next the position to continue at, {@code null} at the end
	 * @param partial whether the search stopped because the time was over
	 */
	record SearchResult(List<FoundJob> jobs, @Nullable String next, boolean partial) {
	}

	/**
	 * The number of jobs that a search would find.
	 *
	 * @param jobs the number, at most the cap
	 * @param capped whether there are more than the cap
	 * @param partial whether counting stopped because the time was over
	 */
	record CountResult(int jobs, boolean capped, boolean partial) {
	}

	/**
	 * The number of archived jobs of a queue in a state.
	 *
	 * @param queue the queue
	 * @param state the state
	 * @param count the number
	 */
	record ArchiveCount(String queue, JobState state, JobCount count) {
	}

	/**
	 * A job as it is stored, without its payload.
	 *
	 * @param id the job's id
	 * @param tier its queue and priority
	 * @param type the name of its type
	 * @param state its state
	 * @param attempts the number of attempts that have begun
	 * @param maxAttempts its own maximum number of attempts, {@code null} for none
	 * @param createdAt the time it was enqueued
	 * @param runAt the time it is or was due
	 * @param headers its encoded headers
	 * @param details the remaining properties
	 */
	record FoundJob(UUID id, Tier tier, String type, JobState state, int attempts, @Nullable Integer maxAttempts,
			Instant createdAt, Instant runAt, @Nullable String headers, JobDetails details) {
	}

	/**
	 * The errors of jobs.
	 *
	 * @param groups the errors, those of the most jobs first
	 * @param partial the queues that may have more errors, by name: the first ones in the
	 * order of their text are counted
	 */
	record ErrorCounts(List<ErrorGroup> groups, List<String> partial) {
	}

	/**
	 * Jobs whose last attempt has failed in the same way.
	 *
	 * @param queue the name of the queue
	 * @param fingerprint the class of the exception and the method of the application in
	 * which it was thrown, such as
	 * {@code java.net.ConnectException at com.acme.Smtp.send}
	 * @param dead whether they are dead; others are retried, or run again
	 * @param count their number; it is capped if as many were read as may be, with those
	 * whose attempts an operator has reset
	 */
	record ErrorGroup(String queue, String fingerprint, boolean dead, JobCount count) {
	}

}
