package io.jobqueue.internal.worker.execution;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the bytes of payloads and headers that a worker keeps in memory, of waiting and
 * of running jobs. A queue may use whatever the others leave, and always its equal share
 * among the queues that hold jobs.
 */
public final class PayloadBudget {

	/**
	 * The budget is a small part of the heap, since the result set, the decoded payload
	 * and the objects of the handler need memory as well.
	 */
	private static final int PART_OF_HEAP = 16;

	private final long limit;

	private final AtomicLong held = new AtomicLong();

	private final AtomicInteger holders = new AtomicInteger();

	/**
	 * Create a budget.
	 * @param limit the budget in bytes
	 */
	PayloadBudget(long limit) {
		this.limit = limit;
	}

	/**
	 * Create a budget of 1/16 of the maximum heap size.
	 * @return the budget
	 */
	public static PayloadBudget ofHeap() {
		return new PayloadBudget(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
	}

	/**
	 * The part of the budget that one queue uses. Guarded by its executor.
	 */
	final class Share {

		private long bytes;

		private int jobs;

		void add(Collection<BufferedJob> added) {
			if (this.jobs == 0 && !added.isEmpty()) {
				PayloadBudget.this.holders.incrementAndGet();
			}
			for (BufferedJob job : added) {
				count(1, job.size());
			}
		}

		void remove(BufferedJob removed) {
			count(-1, -removed.size());
			if (this.jobs == 0) {
				PayloadBudget.this.holders.decrementAndGet();
			}
		}

		private void count(int job, long size) {
			this.jobs += job;
			this.bytes += size;
			PayloadBudget.this.held.addAndGet(size);
		}

		/**
		 * Return the number of bytes that the queue may add, negative if it exceeds its
		 * share.
		 */
		long left() {
			int sharing = PayloadBudget.this.holders.get() + ((this.jobs == 0) ? 1 : 0);
			long own = PayloadBudget.this.limit / Math.max(1, sharing) - this.bytes;
			return Math.max(own, PayloadBudget.this.limit - PayloadBudget.this.held.get());
		}

		/**
		 * Return the number of jobs that the queue may add, estimated from the average
		 * size of the jobs that it holds; unlimited if it holds none.
		 */
		int jobsLeft() {
			long left = left();
			if (this.jobs == 0 || this.bytes == 0) {
				return Integer.MAX_VALUE;
			}
			long fitting = left / Math.max(1, this.bytes / this.jobs);
			return (left > 0) ? (int) Math.min(Integer.MAX_VALUE, Math.max(1, fitting)) : 0;
		}

	}

}
