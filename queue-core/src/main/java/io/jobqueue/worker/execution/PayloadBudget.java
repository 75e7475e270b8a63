package io.jobqueue.worker.execution;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the payloads and headers that a worker keeps in memory: those of jobs that wait
 * for a handler and of jobs that run. One queue may use all of it while the others hold
 * nothing; each queue that holds jobs may use an equal share, whatever the others hold.
 */
public final class PayloadBudget {

	/**
	 * Beside the payload that is kept, there are the answer of the database, the decoded
	 * payload and what the handler makes of it.
	 */
	private static final int PART_OF_HEAP = 16;

	private final long limit;

	private final AtomicLong held = new AtomicLong();

	private final AtomicInteger holders = new AtomicInteger();

	/**
	 * Create a budget.
	 * @param limit the number of bytes
	 */
	PayloadBudget(long limit) {
		this.limit = limit;
	}

	/**
	 * Create a budget from the size of the heap.
	 * @return the budget
	 */
	public static PayloadBudget ofHeap() {
		return new PayloadBudget(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
	}

	/**
	 * What one queue holds. Guarded by its executor.
	 */
	final class Share {

		private long bytes;

		private int jobs;

		void add(Collection<BufferedJob> added) {
			if (this.jobs == 0 && !added.isEmpty()) {
				PayloadBudget.this.holders.incrementAndGet();
			}
			added.forEach((held) -> count(1, held.size()));
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
		 * Return how many bytes the queue may add: less than zero if it has too many.
		 */
		long left() {
			int sharing = PayloadBudget.this.holders.get() + ((this.jobs == 0) ? 1 : 0);
			long own = PayloadBudget.this.limit / Math.max(1, sharing) - this.bytes;
			return Math.max(own, PayloadBudget.this.limit - PayloadBudget.this.held.get());
		}

		/**
		 * Return how many jobs the queue may add, if they are like those that it holds:
		 * any number if it holds none.
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
