package io.jobqueue.boot.metrics;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reading that is taken at most once per interval, when somebody asks for it, and by
 * one thread at a time. Meanwhile, others get the previous one; they learn that nothing
 * is known once a reading takes longer than the interval.
 *
 * @param <T> the type of a reading
 */
final class CachedReading<T> {

	private static final Logger logger = LoggerFactory.getLogger(CachedReading.class);

	private final Supplier<T> source;

	private final T unknown;

	private final Clock clock;

	private final Duration interval;

	private final AtomicReference<@Nullable Instant> begun = new AtomicReference<>();

	private volatile T current;

	private volatile boolean reading;

	private volatile boolean failing;

	CachedReading(Supplier<T> source, T unknown, Clock clock, Duration interval) {
		this.source = source;
		this.unknown = unknown;
		this.current = unknown;
		this.clock = clock;
		this.interval = interval;
	}

	T get() {
		Instant now = this.clock.instant();
		Instant last = this.begun.get();
		if (!isOver(last, now)) {
			return this.current;
		}
		if (this.reading) {
			return this.unknown;
		}
		if (this.begun.compareAndSet(last, now)) {
			refresh();
		}
		return this.current;
	}

	/**
	 * A clock that was put back must not stop the refreshing.
	 */
	private boolean isOver(@Nullable Instant last, Instant now) {
		return last == null || now.isBefore(last) || !now.minus(this.interval).isBefore(last);
	}

	private void refresh() {
		this.reading = true;
		try {
			this.current = this.source.get();
			this.failing = false;
		}
		catch (RuntimeException ex) {
			this.current = this.unknown;
			report(ex);
		}
		finally {
			this.reading = false;
		}
	}

	private void report(RuntimeException ex) {
		if (!this.failing) {
			logger.warn("The gauges cannot be read and are NaN until they can", ex);
		}
		this.failing = true;
	}

}
