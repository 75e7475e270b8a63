package io.jobqueue.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Jobs that threads have pulled and not ended.
 */
final class PulledExecutions {

	private final Set<PulledExecution> runs = new HashSet<>();

	private boolean closed;

	/**
	 * Take in a job.
	 * @return whether there are to be any more
	 */
	synchronized boolean add(PulledExecution run) {
		return !this.closed && this.runs.add(run);
	}

	synchronized void remove(PulledExecution run) {
		this.runs.remove(run);
		notifyAll();
	}

	synchronized List<PulledExecution> all() {
		return new ArrayList<>(this.runs);
	}

	List<RunningJob> running() {
		return all().stream().map(JobExecution::running).toList();
	}

	synchronized void close() {
		this.closed = true;
	}

	synchronized boolean awaitNone(Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		for (long left = atMost.toMillis(); !this.runs.isEmpty() && left > 0;) {
			wait(left);
			left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
		}
		return this.runs.isEmpty();
	}

}
