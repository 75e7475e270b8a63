package io.jobqueue.boot.metrics;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.jobqueue.logging.FailureLog;

/**
 * What was read last. Once that is older than an interval, the next call renews it, on a
 * thread of its own and one at a time. The caller waits for that half a second at most,
 * counted from when it began: of many that ask one after the other, only the first ones
 * wait.
 *
 * @param <T> the type of a reading
 */
public final class CachedValue<T> {

	/**
	 * Two readings may be waited for within the second that an answer may take.
	 */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	/**
	 * What is older than so many intervals is not known any more.
	 */
	private static final int KNOWN_INTERVALS = 3;

	private static final Logger logger = LoggerFactory.getLogger(CachedValue.class);

	private final FailureLog failures;

	private final Supplier<T> source;

	private final Factory readings;

	private @Nullable Renewal renewal;

	private volatile @Nullable Taken<T> last;

	CachedValue(String what, Supplier<T> source, Factory readings) {
		this.failures = new FailureLog(logger, "Could not read " + what
				+ " from the database; the last values become outdated. Check that the database answers and that its pool has free connections",
				"Reading " + what + " from the database works again");
		this.source = source;
		this.readings = readings;
	}

	/**
	 * Return what was read last, however old it is.
	 * @return the reading, {@code null} if there has been none yet
	 */
	public @Nullable T latest() {
		renewal().await();
		Taken<T> taken = this.last;
		return (taken != null) ? taken.reading() : null;
	}

	/**
	 * Return what was read last, unless that is three intervals old.
	 * @return the reading, {@code null} if nothing is known
	 */
	public @Nullable T current() {
		renewal().await();
		Taken<T> taken = this.last;
		return (taken != null && !isOver(taken.at(), KNOWN_INTERVALS)) ? taken.reading() : null;
	}

	private synchronized Renewal renewal() {
		Renewal current = this.renewal;
		if (current == null || (current.isDone() && isOver(current.begun(), 1))) {
			Renewal next = new Renewal(this.readings.clock().instant());
			this.readings.threads().execute(() -> renew(next));
			this.renewal = next;
			return next;
		}
		return current;
	}

	/**
	 * A clock that was put back must not stop the renewal.
	 */
	private boolean isOver(Instant since, int intervals) {
		Duration age = Duration.between(since, this.readings.clock().instant());
		return age.isNegative() || age.compareTo(this.readings.interval().multipliedBy(intervals)) >= 0;
	}

	private void renew(Renewal renewal) {
		try {
			this.last = new Taken<>(this.source.get(), this.readings.clock().instant());
			this.failures.succeeded();
		}
		catch (Throwable ex) {
			Duration unused = this.failures.failed(ex);
		}
		finally {
			renewal.end();
		}
	}

	private record Taken<T>(T reading, Instant at) {
	}

	private record Renewal(Instant begun, long deadline, CountDownLatch done) {

		Renewal(Instant begun) {
			this(begun, System.nanoTime() + PATIENCE.toNanos(), new CountDownLatch(1));
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
	 * How readings are taken.
	 *
	 * @param clock measures their age
	 * @param interval how long a reading is good for
	 * @param threads what takes them
	 */
	public record Factory(Clock clock, Duration interval, Executor threads) {

		/**
		 * Have readings taken by daemon threads that end with them.
		 * @param clock measures their age
		 * @param interval how long a reading is good for
		 * @return how readings are taken
		 */
		public static Factory of(Clock clock, Duration interval) {
			CustomizableThreadFactory factory = new CustomizableThreadFactory("jobqueue-reading-");
			factory.setDaemon(true);
			return new Factory(clock, interval, (task) -> factory.newThread(task).start());
		}

		/**
		 * Create a reading that has not been taken yet.
		 * @param <T> its type
		 * @param what what is read, for the log: the beginning of a sentence in the
		 * plural
		 * @param source what reads
		 * @return the reading
		 */
		public <T> CachedValue<T> read(String what, Supplier<T> source) {
			return new CachedValue<>(what, source, this);
		}

	}

}
