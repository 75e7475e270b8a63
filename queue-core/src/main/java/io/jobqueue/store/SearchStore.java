package io.jobqueue.store;

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
 * Shows what is in the tables. Each call is a transaction of its own that changes
 * nothing.
 */
public interface SearchStore {

	/**
	 * Look for a job, live or archived.
	 * @param id the job's id
	 * @return the job, {@code null} if there is none of that id
	 */
	@Nullable FoundJob find(UUID id);

	/**
	 * Read the payload of a job, live or archived.
	 * @param id the job's id
	 * @param atMost how many of its characters or bytes
	 * @return the beginning of the payload, {@code null} if there is no such job
	 */
	@Nullable JobPayload payload(UUID id, int atMost);

	/**
	 * Look for the live job that has a unique key: the first one, where another follows.
	 * @param queue the queue
	 * @param key the key
	 * @return the job, {@code null} if none has the key
	 */
	@Nullable FoundJob findByKey(String queue, String key);

	/**
	 * Look for jobs in portions, until a page is full or the time is over.
	 * @param query what to look for
	 * @param time how long to go on
	 * @return the page
	 * @throws IllegalArgumentException if the query begins at a place that is none
	 * @throws org.springframework.dao.DataAccessException if the database fails, or a
	 * single portion took too long
	 */
	SearchResult search(JobQuery query, Duration time);

	/**
	 * Look for archived jobs like {@link #search}, the oldest id first.
	 * @param query what to look for
	 * @param time how long to go on
	 * @return the page
	 */
	SearchResult searchArchive(JobQuery query, Duration time);

	/**
	 * Return the time on the database's clock.
	 * @return the time
	 */
	Instant now();

	/**
	 * Count archived jobs, or estimate their number where there are many.
	 * @return how many there are of each queue and state
	 */
	List<ArchiveCount> countFinished();

	/**
	 * Count the jobs of a group, live and archived ones, at one moment.
	 * @param queue the queue
	 * @param group the group's name
	 * @return how many there are in each state that any of them is in
	 */
	Map<JobState, Long> countGroup(String queue, String group);

	/**
	 * Count the jobs of a group over all queues, live and archived ones, at one moment.
	 * @param group the group's name
	 * @return how many there are in each state that any of them is in
	 */
	Map<JobState, Long> countGroup(String group);

	/**
	 * A page of jobs.
	 *
	 * @param jobs the jobs
	 * @param next where to go on, {@code null} at the end
	 * @param partial whether the search took too long
	 */
	record SearchResult(List<FoundJob> jobs, @Nullable String next, boolean partial) {
	}

	/**
	 * How many archived jobs of a queue are in a state.
	 *
	 * @param queue the queue
	 * @param state the state
	 * @param count the number
	 */
	record ArchiveCount(String queue, JobState state, JobCount count) {
	}

	/**
	 * A job as the tables hold it, but for its payload.
	 *
	 * @param id the job's id
	 * @param tier its queue and priority
	 * @param type the name of its type
	 * @param state its state
	 * @param attempts how many attempts have begun
	 * @param maxAttempts its own limit of attempts, if it has one
	 * @param createdAt when it was enqueued
	 * @param runAt when it is due, or was
	 * @param headers its encoded headers
	 * @param details the rest
	 */
	record FoundJob(UUID id, Tier tier, String type, JobState state, int attempts, @Nullable Integer maxAttempts,
			Instant createdAt, Instant runAt, @Nullable String headers, JobDetails details) {
	}

}
