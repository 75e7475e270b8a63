package io.jobqueue.worker;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a worker does now and then, beside its handlers.
 */
final class Schedule {

	private static final Logger logger = LoggerFactory.getLogger(Schedule.class);

	private final ScheduledExecutorService executor;

	Schedule(int threads, ThreadFactory factory) {
		this.executor = Executors.newScheduledThreadPool(threads, factory);
	}

	void repeat(Runnable task, Duration interval) {
		Future<?> unused = this.executor.scheduleAtFixedRate(() -> doSafely(task), 0, interval.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	void once(Runnable task, Duration delay) {
		Future<?> unused = this.executor.schedule(() -> doSafely(task), delay.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * What throws is not repeated.
	 */
	private static void doSafely(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			logger.error("A task of the worker failed and has another turn", ex);
		}
	}

	void end() {
		this.executor.shutdownNow();
	}

	/**
	 * Return whether no task is under way any more.
	 */
	boolean awaitEnd(Duration atMost) throws InterruptedException {
		return this.executor.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS);
	}

}
