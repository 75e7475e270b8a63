package io.jobqueue.store;

import java.time.Duration;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

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

}
