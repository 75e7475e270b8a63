package io.jobqueue.boot.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class CachedReadingTests {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private static final Duration MOMENT = Duration.ofMillis(1);

	private final TestClock clock = new TestClock();

	private final AtomicInteger readings = new AtomicInteger();

	private final CachedReading<Reading> cached = new CachedReading<>(this::next, Reading.UNKNOWN, this.clock,
			INTERVAL);

	private boolean databaseIsDown;

	@Test
	void nothingIsReadUnasked() {
		assertThat(this.readings).hasValue(0);
	}

	@Test
	void readingIsGoodForTheInterval() {
		assertThat(number(this.cached.get())).isEqualTo(1);
		this.clock.move(INTERVAL.minus(MOMENT));
		assertThat(number(this.cached.get())).isEqualTo(1);
		this.clock.move(MOMENT);
		assertThat(number(this.cached.get())).isEqualTo(2);
	}

	@Test
	void clockThatIsPutBackStopsNothing() {
		this.cached.get();
		this.clock.move(Duration.ofDays(-1));
		assertThat(number(this.cached.get())).isEqualTo(2);
	}

	@Test
	void failureMakesItUnknownUntilTheNextReading() {
		this.cached.get();
		this.clock.move(INTERVAL);
		this.databaseIsDown = true;
		assertThat(this.cached.get()).isSameAs(Reading.UNKNOWN);
		this.databaseIsDown = false;
		assertThat(this.cached.get()).isSameAs(Reading.UNKNOWN);
		this.clock.move(INTERVAL);
		assertThat(number(this.cached.get())).isEqualTo(2);
	}

	@Test
	void onlyOneThreadReads() {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch mayEnd = new CountDownLatch(1);
		CachedReading<Reading> slow = new CachedReading<>(() -> {
			begun.countDown();
			await(mayEnd);
			return next();
		}, Reading.UNKNOWN, this.clock, INTERVAL);
		CompletableFuture<Reading> first = CompletableFuture.supplyAsync(slow::get);
		await(begun);
		assertThat(slow.get()).isSameAs(Reading.UNKNOWN);
		mayEnd.countDown();
		assertThat(number(first.join())).isEqualTo(1);
		assertThat(slow.get()).isSameAs(first.join());
	}

	@Test
	void othersGetThePreviousReadingUntilTheNextOneIsLate() {
		CountDownLatch begun = new CountDownLatch(2);
		CountDownLatch mayEnd = new CountDownLatch(1);
		CachedReading<Reading> slow = new CachedReading<>(() -> {
			begun.countDown();
			if (begun.getCount() == 0) {
				await(mayEnd);
			}
			return next();
		}, Reading.UNKNOWN, this.clock, INTERVAL);
		assertThat(number(slow.get())).isEqualTo(1);
		this.clock.move(INTERVAL);
		CompletableFuture<Reading> second = CompletableFuture.supplyAsync(slow::get);
		await(begun);
		assertThat(number(slow.get())).isEqualTo(1);
		this.clock.move(INTERVAL);
		assertThat(slow.get()).isSameAs(Reading.UNKNOWN);
		mayEnd.countDown();
		second.join();
		assertThat(this.readings).hasValue(2);
	}

	private Reading next() {
		if (this.databaseIsDown) {
			throw new IllegalStateException("The database is down");
		}
		double number = this.readings.incrementAndGet();
		return new Reading(Map.of(), new TierTotals(number, 0, Map.of()));
	}

	private static double number(Reading reading) {
		return reading.absent().maxAttempts();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
