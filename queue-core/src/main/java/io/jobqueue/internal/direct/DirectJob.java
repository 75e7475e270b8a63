package io.jobqueue.internal.direct;

import java.util.function.BiConsumer;

import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.SourceStore.Assignment;

/**
 * A job of a source outside the database, whose end the source awaits.
 */
public final class DirectJob {

	private final NewJob job;

	private final Assignment assignment;

	private final BiConsumer<DirectJob, Ending> ended;

	/**
	 * Create a job.
	 * @param job the job, with a unique key
	 * @param assignment the assignment of its source to this node
	 * @param ended called once after each start; it may start the next job
	 */
	public DirectJob(NewJob job, Assignment assignment, BiConsumer<DirectJob, Ending> ended) {
		this.job = job;
		this.assignment = assignment;
		this.ended = ended;
	}

	/**
	 * Return the job.
	 * @return the job
	 */
	public NewJob job() {
		return this.job;
	}

	/**
	 * Return the name of its source.
	 * @return the name
	 */
	public String source() {
		return this.assignment.source();
	}

	Assignment assignment() {
		return this.assignment;
	}

	void end(Ending ending) {
		this.ended.accept(this, ending);
	}

	/**
	 * How a job has ended for its source.
	 */
	public enum Ending {

		/**
		 * Its handler has succeeded, and nothing was written.
		 */
		SUCCEEDED,

		/**
		 * It is a row of the queue, or was one and is dead.
		 */
		STORED,

		/**
		 * Its unique key is taken by another job.
		 */
		DUPLICATE,

		/**
		 * Its handler has not begun.
		 */
		WITHDRAWN,

		/**
		 * It could not be stored because another node owns its source.
		 */
		LOST

	}

}
