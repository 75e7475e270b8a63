package io.jobqueue.internal.worker.execution;

import java.util.List;
import java.util.function.Predicate;

/**
 * What a handler thread runs until it takes the next job: one job, or several in one
 * transaction.
 */
public final class Turn {

	private final QueueExecutor executor;

	private HandlerExecution execution;

	Turn(QueueExecutor executor, HandlerExecution execution) {
		this.executor = executor;
		this.execution = execution;
	}

	/**
	 * Return the current execution, which is the last one that has begun.
	 */
	HandlerExecution execution() {
		return this.execution;
	}

	boolean hasNext() {
		return this.executor.hasWaiting();
	}

	/**
	 * Begin the next waiting job in the transaction of the current one, whose handler has
	 * ended.
	 * @param fits tests whether that job may follow
	 * @return {@code false} if no job follows
	 */
	boolean advance(Predicate<BufferedJob> fits) {
		HandlerExecution next = this.executor.follow(this.execution, fits);
		this.execution = (next != null) ? next : this.execution;
		return next != null;
	}

	/**
	 * Let jobs whose transaction was rolled back begin anew.
	 */
	void repeat(List<BufferedJob> jobs) {
		this.executor.takeBack(jobs);
	}

}
