package io.jobqueue.internal.dashboard.view;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.springframework.dao.QueryTimeoutException;

import io.jobqueue.internal.concurrent.NamedThreads;

/**
 * Reads for pages in threads of its own, so that a page waits for a limited time also if
 * the pool or the server does not answer. Without pages there is no thread.
 */
public final class PageReads {

	/**
	 * More than the statement timeout of 5 s, after which a page shows what it has
	 * without counts.
	 */
	static final Duration MAX_WAIT = Duration.ofSeconds(8);

	private static final int MAX_THREADS = 20;

	private static final int MAX_WAITING = 200;

	private static final ThreadPoolExecutor THREADS = threads();

	private PageReads() {
	}

	private static ThreadPoolExecutor threads() {
		ThreadPoolExecutor threads = new ThreadPoolExecutor(MAX_THREADS, MAX_THREADS, 10, TimeUnit.SECONDS,
				new ArrayBlockingQueue<>(MAX_WAITING), NamedThreads.daemons("jobqueue-dashboard-read-"));
		threads.allowCoreThreadTimeOut(true);
		return threads;
	}

	/**
	 * Read something that is not cached.
	 * @param <V> the type of the value
	 * @param reader reads it
	 * @return the value
	 * @throws QueryTimeoutException if that takes longer than 8 seconds
	 * @throws RuntimeException what the reader has thrown
	 */
	public static <V> V read(Supplier<V> reader) {
		return read(reader, MAX_WAIT);
	}

	/**
	 * Read something that is not cached.
	 * @param <V> the type of the value
	 * @param reader reads it
	 * @param atMost the time to wait for it
	 * @return the value
	 * @throws QueryTimeoutException if that takes longer
	 * @throws RuntimeException what the reader has thrown
	 */
	public static <V> V read(Supplier<V> reader, Duration atMost) {
		FutureTask<V> reading = new FutureTask<>(reader::get);
		start(reading);
		return await(reading, atMost);
	}

	static void start(FutureTask<?> reading) {
		try {
			THREADS.execute(reading);
		}
		catch (RejectedExecutionException ex) {
			throw new QueryTimeoutException(
					"The database has not answered %s readings of pages".formatted(MAX_THREADS + MAX_WAITING), ex);
		}
	}

	/**
	 * Wait for a reading, and end it if it takes too long. A thread that waits for a
	 * connection of the pool is free at once, one that waits for the server when the
	 * driver gives up.
	 */
	static <V> V await(FutureTask<V> reading, Duration atMost) {
		try {
			return reading.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException | CancellationException ex) {
			reading.cancel(true);
			throw new QueryTimeoutException("The database did not answer within %s ms".formatted(atMost.toMillis()),
					ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException failure) ? failure
					: new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while a page was read", ex);
		}
	}

}
