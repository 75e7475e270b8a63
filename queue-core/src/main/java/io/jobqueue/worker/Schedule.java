package io.jobqueue.worker;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.FailureText;

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
		Outage outage = outage();
		Future<?> unused = this.executor.scheduleAtFixedRate(() -> doSafely(task, outage), 0, interval.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	void once(Runnable task, Duration delay) {
		Future<?> unused = this.executor.schedule(() -> doSafely(task, outage()), delay.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	private static Outage outage() {
		return new Outage(logger, "A task of the worker");
	}

	/**
	 * The executor does not repeat what throws. What the database refuses is logged once,
	 * anything else each time.
	 */
	private static void doSafely(Runnable task, Outage outage) {
		try {
			task.run();
			outage.over();
		}
		catch (Throwable ex) {
			if (FailureText.answer(ex) != null) {
				outage.failed(ex);
			}
			else {
				logger.error("A task of the worker failed and has another turn", ex);
			}
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
