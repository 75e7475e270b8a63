package io.jobqueue.boot.health;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reading that is renewed by a thread of its own when somebody asks for it and it is
 * old. Whoever asks waits for a moment, and gets the previous one if that was not long
 * enough.
 */
final class LatestReading {

	/**
	 * Leaves something of the second that an answer may take.
	 */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	private static final Logger logger = LoggerFactory.getLogger(LatestReading.class);

	private final Supplier<HealthReading> source;

	private final Duration interval;

	private final Executor threads;

	private CompletableFuture<HealthReading> next = CompletableFuture.failedFuture(new IllegalStateException());

	private volatile @Nullable HealthReading last;

	private long readAt;

	LatestReading(Supplier<HealthReading> source, Duration interval, Executor threads) {
		this.source = source;
		this.interval = interval;
		this.threads = threads;
	}

	/**
	 * Return the latest reading.
	 * @return the reading, {@code null} if there has been none yet
	 */
	@Nullable HealthReading get() {
		try {
			return next().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			logger.debug("The details of health cannot be read at the moment", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return this.last;
	}

	/**
	 * One thread at a time, however many ask and however long the database takes.
	 */
	private synchronized CompletableFuture<HealthReading> next() {
		boolean fresh = this.last != null && System.nanoTime() - this.readAt < this.interval.toNanos();
		if (this.next.isDone() && (this.next.isCompletedExceptionally() || !fresh)) {
			this.next = CompletableFuture.supplyAsync(this::read, this.threads);
		}
		return this.next;
	}

	private HealthReading read() {
		HealthReading reading = this.source.get();
		taken(reading);
		return reading;
	}

	private synchronized void taken(HealthReading reading) {
		this.last = reading;
		this.readAt = System.nanoTime();
	}

}
