package io.jobqueue.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.FailureText;

/**
 * Runs tasks at intervals on its own threads, and continues after failures. The first
 * failure and the next success are logged, and the first failure whose cause is not the
 * database at ERROR with its stack trace.
 */
public final class BackgroundTasks {

	private static final Logger logger = LoggerFactory.getLogger(BackgroundTasks.class);

	private final ScheduledExecutorService executor;

	/**
	 * Create an executor of tasks.
	 * @param threads the number of threads
	 * @param factory creates the threads
	 */
	public BackgroundTasks(int threads, ThreadFactory factory) {
		this.executor = Executors.newScheduledThreadPool(threads, factory);
	}

	/**
	 * Run a task at once, and then at a fixed rate.
	 * @param name the name of the task at the beginning of a log message
	 * @param task the task
	 * @param interval the time from one start to the next
	 */
	public void repeat(String name, Runnable task, Duration interval) {
		repeat(name, task, Duration.ZERO, interval);
	}

	/**
	 * Run a task after a delay, and then at a fixed rate.
	 * @param name the name of the task at the beginning of a log message
	 * @param task the task
	 * @param delay the time until the first start
	 * @param interval the time from one start to the next
	 */
	public void repeat(String name, Runnable task, Duration delay, Duration interval) {
		FailureLog failures = FailureLog.of(logger, name);
		Future<?> unused = this.executor.scheduleAtFixedRate(() -> run(task, failures), delay.toMillis(),
				interval.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * Run a task after an interval, and then with the same interval after each end.
	 * @param name the name of the task at the beginning of a log message
	 * @param task the task
	 * @param interval the time from the end of one run to the start of the next
	 */
	public void repeatAfter(String name, Runnable task, Duration interval) {
		FailureLog failures = FailureLog.of(logger, name);
		long millis = interval.toMillis();
		Future<?> unused = this.executor.scheduleWithFixedDelay(() -> run(task, failures), millis, millis,
				TimeUnit.MILLISECONDS);
	}

	/**
	 * Run a task once.
	 * @param task the task, which must not throw
	 * @param delay the time until its start
	 */
	public void once(Runnable task, Duration delay) {
		Future<?> unused = this.executor.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
	}

	private static void run(Runnable task, FailureLog failures) {
		try {
			task.run();
			failures.succeeded();
		}
		catch (Throwable ex) {
			failed(ex, failures);
		}
	}

	/**
	 * The executor stops repeating a task that throws, even if only the note of its
	 * failure throws, for example for lack of memory.
	 */
	private static void failed(Throwable failure, FailureLog failures) {
		try {
			Duration unused = (FailureText.answer(failure) != null) ? failures.failed(failure)
					: failures.failedUnexpectedly(failure);
		}
		catch (Throwable ex) {
			// the task runs again after its interval
		}
	}

	/**
	 * Start no further task and interrupt running ones, without waiting for their end.
	 */
	public void shutdownNow() {
		this.executor.shutdownNow();
	}

	/**
	 * Start no further task and wait for running ones.
	 * @param atMost the longest time to wait
	 * @return {@code true} if all tasks have ended
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean shutdown(Duration atMost) throws InterruptedException {
		this.executor.shutdown();
		return this.executor.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS);
	}

}
