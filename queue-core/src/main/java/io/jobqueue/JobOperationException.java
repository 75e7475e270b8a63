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
	 * Create an exception for a job that does not exist.
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
	 * Return why the operation is not possible.
	 * @return the reason
	 */
	public Reason reason() {
		return this.reason;
	}

	/**
	 * Why an operation is not possible on a job.
	 */
	public enum Reason {

		/**
		 * There is no such job: no job with this id was committed, or it is no longer in
		 * the archive.
		 */
		UNKNOWN,

		/**
		 * The job is claimed by a worker, or its cancellation is requested.
		 */
		RUNNING,

		/**
		 * The job has finished.
		 */
		FINISHED,

		/**
		 * The job has not finished or, for a retry, has not failed.
		 */
		UNFINISHED,

		/**
		 * Another job has its unique key.
		 */
		KEY_TAKEN,

		/**
		 * The job waits for other jobs or for a slot within a limit, or another
		 * transaction has locked it: the message says which.
		 */
		BLOCKED,

		/**
		 * The schedule is declared by an annotation or a setting of this application.
		 */
		DECLARED,

		/**
		 * This application has no handler for the queue and type of the job.
		 */
		UNHANDLED

	}

}
