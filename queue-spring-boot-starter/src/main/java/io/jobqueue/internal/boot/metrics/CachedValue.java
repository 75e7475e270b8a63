package io.jobqueue.internal.boot.metrics;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.logging.FailureLog;

/**
 * A value read from the database, cached for an interval. The first call after the
 * interval starts a refresh on a thread of its own; there is one refresh at a time. Calls
 * wait until half a second after its start at most.
 *
 * @param <T> the type of the value
 */
public final class CachedValue<T> {

	/**
	 * A scrape or a health check that waits for two values takes a second at most.
	 */
	private static final Duration MAX_WAIT = Duration.ofMillis(500);

	/**
	 * Number of intervals after which a value is outdated.
	 */
	private static final int KNOWN_INTERVALS = 3;

	private static final Logger logger = LoggerFactory.getLogger(CachedValue.class);

	private final FailureLog failures;

	private final Supplier<T> source;

	private final Factory settings;

	private @Nullable Refresh refresh;

	private volatile @Nullable Cached<T> last;

	CachedValue(String what, Supplier<T> source, Factory settings) {
		this.failures = new FailureLog(logger, "Could not read " + what
				+ " from the database; the last values become outdated. Check that the database answers and that its pool has free connections",
				"Reading " + what + " from the database works again");
		this.source = source;
		this.settings = settings;
	}

	/**
	 * Return the value, however old it is.
	 * @return the value, {@code null} if it has not been read yet
	 */
	public @Nullable T latest() {
		refresh().await();
		Cached<T> cached = this.last;
		return (cached != null) ? cached.value() : null;
	}

	/**
	 * Return the value unless it is older than three intervals.
	 * @return the value, {@code null} if it is unknown
	 */
	public @Nullable T current() {
		refresh().await();
		Cached<T> cached = this.last;
		return (cached != null && !isOver(cached.at(), KNOWN_INTERVALS)) ? cached.value() : null;
	}

	private synchronized Refresh refresh() {
		Refresh current = this.refresh;
		if (current == null || (current.isDone() && isOver(current.begun(), 1))) {
			Refresh next = new Refresh(this.settings.clock().instant());
			this.settings.threads().execute(() -> refresh(next));
			this.refresh = next;
			return next;
		}
		return current;
	}

	/**
	 * A clock that was set back must not stop the refresh.
	 */
	private boolean isOver(Instant since, int intervals) {
		Duration age = Duration.between(since, this.settings.clock().instant());
		return age.isNegative() || age.compareTo(this.settings.interval().multipliedBy(intervals)) >= 0;
	}

	private void refresh(Refresh refresh) {
		try {
			this.last = new Cached<>(this.source.get(), this.settings.clock().instant());
			this.failures.succeeded();
		}
		catch (Throwable ex) {
			Duration unused = this.failures.failed(ex);
		}
		finally {
			refresh.end();
		}
	}

	private record Cached<T>(T value, Instant at) {
	}

	private record Refresh(Instant begun, long deadline, CountDownLatch done) {

		Refresh(Instant begun) {
			this(begun, System.nanoTime() + MAX_WAIT.toNanos(), new CountDownLatch(1));
		}

		void await() {
			try {
				boolean unused = this.done.await(this.deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		boolean isDone() {
			return this.done.getCount() == 0;
		}

		void end() {
			this.done.countDown();
		}

	}

	/**
	 * Creates cached values with the same settings.
	 *
	 * @param clock measures their age
	 * @param interval the time after which they are read again
	 * @param threads runs the refreshes
	 */
	public record Factory(Clock clock, Duration interval, Executor threads) {

		/**
		 * Create a factory of values that are refreshed by a daemon thread for each
		 * refresh.
		 * @param clock measures their age
		 * @param interval the time after which they are read again
		 * @return the factory
		 */
		public static Factory of(Clock clock, Duration interval) {
			ThreadFactory threads = NamedThreads.daemons("jobqueue-reading-");
			return new Factory(clock, interval, (task) -> threads.newThread(task).start());
		}

		/**
		 * Create a value that has not been read yet.
		 * @param <T> its type
		 * @param what the name of the value, for the log: a plural
		 * @param source reads the value
		 * @return the value
		 */
		public <T> CachedValue<T> create(String what, Supplier<T> source) {
			return new CachedValue<>(what, source, this);
		}

	}

}
