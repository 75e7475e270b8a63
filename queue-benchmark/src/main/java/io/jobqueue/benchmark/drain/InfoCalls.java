package io.jobqueue.benchmark.drain;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.jobqueue.Batch;
import io.jobqueue.benchmark.timing.Histogram;
import io.jobqueue.benchmark.timing.Threads;

/**
 * Calls of {@link Batch#info}, the next one 200 ms after the end of the last. Those that
 * return a batch without unfinished members do not count.
 */
final class InfoCalls implements AutoCloseable {

	private static final int PAUSE_MILLIS = 200;

	private final Batch batch;

	private final Histogram durations;

	private final Threads threads = new Threads(1);

	private final CountDownLatch closed = new CountDownLatch(1);

	private InfoCalls(Batch batch, Histogram durations) {
		this.batch = batch;
		this.durations = durations;
	}

	/**
	 * Start to call.
	 * @param batch the batch
	 * @param durations receives how long calls take
	 * @return the calls, which end when closed
	 */
	static InfoCalls start(Batch batch, Histogram durations) {
		InfoCalls calls = new InfoCalls(batch, durations);
		calls.threads.start((thread) -> calls.repeat());
		return calls;
	}

	private void repeat() throws InterruptedException {
		do {
			call();
		}
		while (!this.closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
	}

	private void call() {
		long start = System.nanoTime();
		long unfinished = this.batch.info().unfinished();
		long nanos = System.nanoTime() - start;
		if (unfinished > 0) {
			this.durations.add(TimeUnit.NANOSECONDS.toMicros(nanos));
		}
	}

	@Override
	public void close() {
		this.closed.countDown();
		this.threads.close();
	}

}
