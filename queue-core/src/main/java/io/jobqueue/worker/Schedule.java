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

	/**
	 * Repeat a task.
	 * @param name what the log calls it, at the beginning of a sentence
	 */
	void repeat(String name, Runnable task, Duration interval) {
		Outage outage = new Outage(logger, name);
		Future<?> unused = this.executor.scheduleAtFixedRate(() -> doSafely(name, task, outage), 0, interval.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	void once(Runnable task, Duration delay) {
		Future<?> unused = this.executor.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * The executor does not repeat what throws. What the database refuses is logged once,
	 * anything else each time.
	 */
	private static void doSafely(String name, Runnable task, Outage outage) {
		try {
			task.run();
			outage.over();
		}
		catch (Throwable ex) {
			if (FailureText.answer(ex) != null) {
				outage.failed(ex);
			}
			else {
				logger.error("{} failed and has another turn", name, ex);
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
