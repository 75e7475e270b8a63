package io.jobqueue.benchmark.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.jobqueue.JobQueue;
import io.jobqueue.benchmark.timing.Rate;

/**
 * Enqueues jobs at a steady rate for a while, in small calls, and notes how many are not
 * done meanwhile.
 */
final class SteadyLoad {

	private static final long TICK_MILLIS = 10;

	private static final long NOTE_TICKS = 25;

	private final JobQueue queue;

	private final LongSupplier done;

	private final List<Long> backlog = new ArrayList<>();

	private long enqueued;

	/**
	 * Create a load.
	 * @param queue where to enqueue
	 * @param done returns how many jobs are done
	 */
	SteadyLoad(JobQueue queue, LongSupplier done) {
		this.queue = queue;
		this.done = done;
	}

	/**
	 * Enqueue for a while. What is late is made up for in the next call.
	 * @param rate jobs per second
	 * @param millis how long
	 * @return the rate that was reached
	 */
	double run(double rate, int millis) throws InterruptedException {
		long start = System.nanoTime();
		long ticks = Math.max(NOTE_TICKS, millis / TICK_MILLIS);
		for (long tick = 1; tick <= ticks; tick++) {
			TimeUnit.NANOSECONDS.sleep(start + TimeUnit.MILLISECONDS.toNanos(tick * TICK_MILLIS) - System.nanoTime());
			enqueueUpTo((long) (rate * tick * TICK_MILLIS / TimeUnit.SECONDS.toMillis(1)));
			if (tick % NOTE_TICKS == 0) {
				this.backlog.add(this.enqueued - this.done.getAsLong());
			}
		}
		return Rate.of(this.enqueued, start);
	}

	private void enqueueUpTo(long number) {
		if (number > this.enqueued) {
			this.queue.enqueueAll(MixedJobs.requests(this.enqueued, number));
			this.enqueued = number;
		}
	}

	long enqueued() {
		return this.enqueued;
	}

	/**
	 * Return how many jobs there were in a third of the time, on average.
	 * @param third the number of the third, from 0
	 */
	double meanBacklog(int third) {
		int size = this.backlog.size();
		return this.backlog.subList(size * third / 3, size * (third + 1) / 3)
			.stream()
			.mapToLong(Long::longValue)
			.average()
			.orElse(0);
	}

}
