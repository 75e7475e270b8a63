package io.jobqueue.internal.worker.execution;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.jobqueue.internal.handler.BatchLimits;

/**
 * The jobs of one type that a handler thread collects for a call. Guarded by its
 * executor.
 */
final class Gathering {

	private final List<BufferedJob> jobs = new ArrayList<>();

	private final Set<String> orderingKeys = new HashSet<>();

	private final String type;

	private final int size;

	private final Predicate<BufferedJob> mayShare;

	private final long deadline;

	/**
	 * Begin with a job that may share its call.
	 * @param first the job
	 * @param limits the limits of the call
	 * @param mayShare tests whether a job may share its call with others
	 */
	Gathering(BufferedJob first, BatchLimits limits, Predicate<BufferedJob> mayShare) {
		this.type = first.job().type();
		this.size = limits.size();
		this.mayShare = mayShare;
		this.deadline = System.nanoTime() + limits.maxWait().toNanos();
		takeFrom(new ArrayList<>(List.of(first)));
	}

	/**
	 * Move the jobs that fit from a collection to the call.
	 */
	void takeFrom(Collection<BufferedJob> waiting) {
		Iterator<BufferedJob> each = waiting.iterator();
		while (room() > 0 && each.hasNext()) {
			BufferedJob job = each.next();
			if (fits(job)) {
				this.jobs.add(job);
				each.remove();
			}
		}
	}

	/**
	 * The order of a key allows one job at a time.
	 */
	private boolean fits(BufferedJob job) {
		String key = job.job().orderingKey();
		return job.job().type().equals(this.type) && this.mayShare.test(job)
				&& (key == null || this.orderingKeys.add(key));
	}

	/**
	 * Remove jobs before the call begins.
	 * @return the removed jobs
	 */
	List<BufferedJob> remove(Predicate<BufferedJob> unwanted) {
		List<BufferedJob> removed = new ArrayList<>();
		this.jobs.removeIf((job) -> unwanted.test(job) && removed.add(job));
		return removed;
	}

	/**
	 * Return the number of jobs that the call can still take.
	 */
	int room() {
		return this.size - this.jobs.size();
	}

	/**
	 * Return for how long to wait for further jobs, in milliseconds; 0 if the call is to
	 * begin.
	 */
	long millisLeft() {
		boolean complete = room() == 0 || this.jobs.isEmpty();
		long left = this.deadline - System.nanoTime();
		return complete ? 0 : Math.max(0, TimeUnit.NANOSECONDS.toMillis(left + TimeUnit.MILLISECONDS.toNanos(1) - 1));
	}

	List<BufferedJob> jobs() {
		return this.jobs;
	}

}
