package io.jobqueue.internal.worker.execution;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The claimed jobs of a queue that wait for a handler, the most urgent one first. Guarded
 * by its executor.
 */
final class WaitingJobs {

	private Deque<BufferedJob> jobs = new ArrayDeque<>();

	boolean isEmpty() {
		return this.jobs.isEmpty();
	}

	int size() {
		return this.jobs.size();
	}

	/**
	 * Return the priority of the least urgent job. There must be one.
	 */
	int lastPriority() {
		return this.jobs.getLast().job().priority();
	}

	/**
	 * Add all jobs, or none if this throws. Where the jobs of a claim are in order and
	 * follow those that wait, sorting compares each one once.
	 */
	void add(List<BufferedJob> claimed) {
		List<BufferedJob> all = new ArrayList<>(this.jobs);
		all.addAll(claimed);
		all.sort(null);
		this.jobs = new ArrayDeque<>(all);
	}

	/**
	 * Remove the most urgent job.
	 * @return the job, {@code null} if none waits
	 */
	@Nullable BufferedJob poll() {
		return this.jobs.poll();
	}

	/**
	 * Remove the jobs that match.
	 * @return the removed jobs
	 */
	List<BufferedJob> removeIf(Predicate<BufferedJob> unwanted) {
		List<BufferedJob> removed = new ArrayList<>();
		this.jobs.removeIf((job) -> unwanted.test(job) && removed.add(job));
		return removed;
	}

}
