package io.jobqueue.internal.worker.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * What a handler thread runs until it takes the next job: one job, several in one
 * transaction, or several in one call.
 */
public final class Turn {

	private final QueueExecutor executor;

	private final List<BufferedJob> jobs;

	private HandlerExecution execution;

	Turn(QueueExecutor executor, List<BufferedJob> jobs, HandlerExecution execution) {
		this.executor = executor;
		this.jobs = new ArrayList<>(jobs);
		this.execution = execution;
	}

	/**
	 * Return the current execution, which is the last one that has begun. Of several in
	 * one call, it is the one for which the call is monitored.
	 */
	HandlerExecution execution() {
		return this.execution;
	}

	/**
	 * Return the jobs that the thread has taken.
	 */
	List<BufferedJob> jobs() {
		return this.jobs;
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
		if (next != null) {
			this.jobs.add(next.buffered());
		}
		return become(next);
	}

	/**
	 * Begin jobs of this turn anew, in one call.
	 * @param next the jobs
	 * @param others further jobs of this turn, which wait for theirs
	 * @return {@code false} if they must not begin
	 */
	boolean begin(List<BufferedJob> next, List<HandlerExecution> others) {
		return become(this.executor.succeed(this.execution, next, others));
	}

	/**
	 * Let the call handle only some of its jobs, before it begins.
	 * @return {@code false} if it must not begin
	 */
	boolean restrict(List<HandlerExecution> remaining) {
		return become(this.executor.restrict(this.execution, remaining));
	}

	private boolean become(@Nullable HandlerExecution next) {
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
