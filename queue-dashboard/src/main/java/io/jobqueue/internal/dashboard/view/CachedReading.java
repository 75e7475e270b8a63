package io.jobqueue.internal.dashboard.view;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Reads values from the database, each of them at most once in a given time, and once
 * more after {@link #outdate()}. Requests for a value that is being read wait for it, for
 * 8 seconds at most. A failure is not cached: it ends the requests that wait, and the
 * next one reads again.
 *
 * @param <K> the type of the keys, which are compared by {@code equals}
 * @param <V> the type of the values, which are shared by threads
 */
public final class CachedReading<K, V> {

	private static final Duration MAX_AGE = Duration.ofSeconds(2);

	private static final int MAX_KEYS = 100;

	/**
	 * The number of times at which the database was found to have changed.
	 */
	private static final AtomicLong CHANGES = new AtomicLong();

	private final Function<K, V> reader;

	private final long maxAge;

	private final LongSupplier changes;

	private final LongSupplier nanoTime;

	private final Duration maxWait;

	private final Map<K, Reading> readings = new LinkedHashMap<>(16, 0.75F, true) {

		@Override
		protected boolean removeEldestEntry(Map.Entry<K, Reading> eldest) {
			return size() > MAX_KEYS;
		}

	};

	/**
	 * Create a cache for 100 values that are read at most once in two seconds, and after
	 * a change.
	 * @param reader reads the value of a key
	 */
	public CachedReading(Function<K, V> reader) {
		this(reader, System::nanoTime);
	}

	/**
	 * Create a cache for 100 values that changes do not outdate.
	 * @param reader reads the value of a key
	 * @param maxAge the time in which a value is read at most once
	 */
	public CachedReading(Function<K, V> reader, Duration maxAge) {
		this(reader, maxAge, () -> 0, System::nanoTime, PageReads.MAX_WAIT);
	}

	CachedReading(Function<K, V> reader, LongSupplier nanoTime) {
		this(reader, nanoTime, PageReads.MAX_WAIT);
	}

	CachedReading(Function<K, V> reader, LongSupplier nanoTime, Duration maxWait) {
		this(reader, MAX_AGE, CHANGES::get, nanoTime, maxWait);
	}

	private CachedReading(Function<K, V> reader, Duration maxAge, LongSupplier changes, LongSupplier nanoTime,
			Duration maxWait) {
		this.reader = reader;
		this.maxAge = maxAge.toNanos();
		this.changes = changes;
		this.nanoTime = nanoTime;
		this.maxWait = maxWait;
	}

	/**
	 * Let the next requests read what has changed, in all caches of this JVM that have no
	 * age of their own. A reading in progress is not repeated before it ends.
	 */
	public static void outdate() {
		CHANGES.incrementAndGet();
	}

	/**
	 * Return a value that was read in that time.
	 * @param key its key
	 * @return the value
	 * @throws org.springframework.dao.QueryTimeoutException if the value is not read
	 * within 8 seconds
	 * @throws RuntimeException what the reader has thrown
	 */
	public V get(K key) {
		return PageReads.await(reading(key), this.maxWait);
	}

	private synchronized Reading reading(K key) {
		Reading current = this.readings.get(key);
		if (current == null || current.isOver()) {
			current = new Reading(key);
			PageReads.start(current);
			this.readings.put(key, current);
		}
		return current;
	}

	private final class Reading extends FutureTask<V> {

		private final long change = CachedReading.this.changes.getAsLong();

		private volatile long end;

		private volatile boolean failed;

		Reading(K key) {
			super(() -> CachedReading.this.reader.apply(key));
		}

		@Override
		protected void set(V value) {
			this.end = CachedReading.this.nanoTime.getAsLong();
			super.set(value);
		}

		@Override
		protected void setException(Throwable failure) {
			this.failed = true;
			super.setException(failure);
		}

		boolean isOver() {
			return isDone() && (this.failed || isCancelled() || this.change != CachedReading.this.changes.getAsLong()
					|| CachedReading.this.nanoTime.getAsLong() - this.end >= CachedReading.this.maxAge);
		}

	}

}
