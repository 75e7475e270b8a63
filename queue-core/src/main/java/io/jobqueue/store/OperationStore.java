package io.jobqueue.store;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;

/**
 * What operators ask of single jobs. Each call is a transaction of its own.
 */
public interface OperationStore {

	/**
	 * Look for a job.
	 * @param id the job's id
	 * @return where it is, {@code null} if there is none of that id
	 */
	@Nullable JobPlace find(UUID id);

	/**
	 * Ask to cancel a job. One that nobody runs is cancelled.
	 * @param id the job's id
	 * @param keep how long the archive keeps it, {@code null} for ever, zero for not at
	 * all
	 * @return what became of it
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps it locked
	 */
	Cancellation cancel(UUID id, @Nullable Duration keep);

	/**
	 * Count the jobs of a group, live and archived ones, at one moment.
	 * @param queue the queue
	 * @param group the group's name
	 * @return how many there are in each state that any of them is in
	 */
	Map<JobState, Long> countGroup(String queue, String group);

}
