package io.jobqueue.performance;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.TestNodeSettings;

/**
 * What a thousand handlers at a time that wait need: claims, threads and connections. All
 * of them have to run at the same time before the first ends.
 */
@Tag("slow") // a thousand handlers at a time
class WaitingGateTests extends GateTestBase {

	private static final int CONCURRENCY = 1_000;

	private static final int WAVES = 5;

	private static final boolean VIRTUAL = Runtime.version().feature() >= 21;

	/**
	 * Threads of the worker, the pool, the driver and the carriers of virtual threads.
	 */
	private static final int OTHER_THREADS = 60;

	private final CyclicBarrier barrier = new CyclicBarrier(CONCURRENCY);

	@Test
	void claimsAndThreadsAreFew() {
		enqueue(WAVES * CONCURRENCY);
		endSessions();
		this.figures.reset();
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		threads.resetPeakThreadCount();
		int before = threads.getThreadCount();
		drain(waiting(), WAVES * CONCURRENCY);
		int more = threads.getPeakThreadCount() - before;
		endSessions();
		Gate.atMost(60, this.figures.calls("AS due_jobs") / (double) WAVES,
				"Claims per 1,000 jobs whose handlers wait");
		Gate.atMost(VIRTUAL ? OTHER_THREADS : CONCURRENCY + OTHER_THREADS, more,
				"Threads of the platform for 1,000 handlers that wait");
	}

	private TestNodeSettings waiting() {
		TestNodeSettings settings = settings(this.pool).defaults()
			.keepSucceeded(Duration.ZERO)
			.concurrency(CONCURRENCY)
			.handler((mail, job) -> {
				this.barrier.await(1, TimeUnit.MINUTES);
				this.handled.incrementAndGet();
			});
		return VIRTUAL ? settings.virtualThreads() : settings;
	}

}
