package io.jobqueue.concurrent;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.FailureLog;
import io.jobqueue.store.FailureText;

/**
 * Runs tasks at intervals on threads of its own, whether or not they fail. Failures of
 * the database are logged when the first one occurs and when the task succeeds again, all
 * others each time with their stack traces.
 */
public final class BackgroundTasks {

	private static final Logger logger = LoggerFactory.getLogger(BackgroundTasks.class);

	private final ScheduledExecutorService executor;

	/**
	 * Create an executor of tasks.
	 * @param threads the number of threads
	 * @param factory what makes the threads
	 */
	public BackgroundTasks(int threads, ThreadFactory factory) {
		this.executor = Executors.newScheduledThreadPool(threads, factory);
	}

	/**
	 * Run a task now, and again at a fixed rate.
	 * @param name what the log calls the task, at the beginning of a sentence
	 * @param task the task
	 * @param interval the time from one start to the next
	 */
	public void repeat(String name, Runnable task, Duration interval) {
		repeat(name, task, Duration.ZERO, interval);
	}

	/**
	 * Run a task after a delay, and then at a fixed rate.
	 * @param name what the log calls the task, at the beginning of a sentence
	 * @param task the task
	 * @param delay the time until the first start
	 * @param interval the time from one start to the next
	 */
	public void repeat(String name, Runnable task, Duration delay, Duration interval) {
		FailureLog failures = FailureLog.of(logger, name);
		Future<?> unused = this.executor.scheduleAtFixedRate(() -> run(name, task, failures), delay.toMillis(),
				interval.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * Run a task after an interval, and again an interval after each end.
	 * @param name what the log calls the task, at the beginning of a sentence
	 * @param task the task
	 * @param interval the time from the end of one run to the start of the next
	 */
	public void repeatAfter(String name, Runnable task, Duration interval) {
		FailureLog failures = FailureLog.of(logger, name);
		long millis = interval.toMillis();
		Future<?> unused = this.executor.scheduleWithFixedDelay(() -> run(name, task, failures), millis, millis,
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

	/**
	 * The executor does not repeat what throws.
	 */
	private static void run(String name, Runnable task, FailureLog failures) {
		try {
			task.run();
			failures.succeeded();
		}
		catch (Throwable ex) {
			if (FailureText.answer(ex) != null) {
				Duration unused = failures.failed(ex);
			}
			else {
				logger.error("{} failed; will retry", name, ex);
			}
		}
	}

	/**
	 * Start no further task, and interrupt those that run.
	 */
	public void shutdownNow() {
		this.executor.shutdownNow();
	}

	/**
	 * Start no further task, and wait for those that run.
	 * @param atMost how long to wait
	 * @return whether no task runs any more
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean shutdown(Duration atMost) throws InterruptedException {
		this.executor.shutdown();
		return this.executor.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS);
	}

}
