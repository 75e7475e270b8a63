package io.jobqueue.internal.pull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.jobqueue.internal.worker.execution.JobExecution;
import io.jobqueue.internal.worker.execution.RunningJob;

/**
 * The executions of jobs that were pulled and not ended.
 */
final class PulledExecutions {

	private final Set<PulledExecution> executions = new HashSet<>();

	private boolean closed;

	/**
	 * Add an execution.
	 * @return {@code false} after {@link #close}
	 */
	synchronized boolean add(PulledExecution execution) {
		return !this.closed && this.executions.add(execution);
	}

	synchronized void remove(PulledExecution execution) {
		this.executions.remove(execution);
		notifyAll();
	}

	synchronized List<PulledExecution> all() {
		return new ArrayList<>(this.executions);
	}

	List<RunningJob> running() {
		return all().stream().map(JobExecution::running).toList();
	}

	synchronized void close() {
		this.closed = true;
	}

	synchronized void awaitNone(Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		for (long left = atMost.toMillis(); !this.executions.isEmpty() && left > 0;) {
			wait(left);
			left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
		}
	}

}
