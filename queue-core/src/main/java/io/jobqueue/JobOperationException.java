package io.jobqueue;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if an operation is not possible on a job. Nothing was changed, except that a job
 * which {@link JobOperations#runHere} could not admit is due now.
 */
@SuppressWarnings("serial")
public class JobOperationException extends JobQueueException {

	/**
	 * The id of the job.
	 */
	private final @Nullable UUID job;

	/**
	 * Why.
	 */
	private final Reason reason;

	/**
	 * Create an exception.
	 * @param job the id of the job, {@code null} if there is none
	 * @param reason why
	 * @param message what is wrong and what to do
	 */
	public JobOperationException(@Nullable UUID job, Reason reason, String message) {
		super(message);
		this.job = job;
		this.reason = reason;
	}

	/**
	 * Create an exception that says that there is no such job.
	 * @param job the id of the job
	 * @return the exception
	 */
	public static JobOperationException unknown(UUID job) {
		return new JobOperationException(job, Reason.UNKNOWN,
				"Job %s does not exist, or is no longer in the archive".formatted(job));
	}

	/**
	 * Return the job.
	 * @return its id, {@code null} if it was named by a unique key that no live job has
	 */
	public @Nullable UUID job() {
		return this.job;
	}

	/**
	 * Return why it cannot be done.
	 * @return the reason
	 */
	public Reason reason() {
		return this.reason;
	}

	/**
	 * Why something cannot be done to a job.
	 */
	public enum Reason {

		/**
		 * There is no such job: none was committed under this id, or the archive does not
		 * keep it any more.
		 */
		UNKNOWN,

		/**
		 * The job is claimed by a worker, or is to be cancelled.
		 */
		RUNNING,

		/**
		 * The job has finished.
		 */
		FINISHED,

		/**
		 * The job has not finished, or not even failed.
		 */
		UNFINISHED,

		/**
		 * Another job has its unique key.
		 */
		KEY_TAKEN,

		/**
		 * The job waits for others or for room within a limit, or another transaction has
		 * it locked: the message names which.
		 */
		BLOCKED,

		/**
		 * The schedule is declared by an annotation or a setting of this application.
		 */
		DECLARED,

		/**
		 * No handler of this application knows the queue and type of the job.
		 */
		UNHANDLED

	}

}
