package io.jobqueue.internal.dashboard.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * How often pages read the database.
 */
class CachedReadingTests {

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);

	private final List<String> read = new ArrayList<>();

	private final CachedReading<String, String> reading = new CachedReading<>((key) -> {
		this.read.add(key);
		return key + this.read.size();
	}, this.now::get);

	@Test
	void valueIsReadOnceInTwoSeconds() {
		assertThat(this.reading.get("a")).isEqualTo("a1");
		pass(Duration.ofSeconds(2).minusNanos(1));
		assertThat(this.reading.get("a")).isEqualTo("a1");
		pass(Duration.ofNanos(1));
		assertThat(this.reading.get("a")).isEqualTo("a2");
	}

	@Test
	void valueIsReadAgainAfterAChange() {
		this.reading.get("a");
		this.reading.get("b");
		CachedReading.outdate();
		assertThat(this.reading.get("a")).isEqualTo("a3");
		assertThat(this.reading.get("a")).isEqualTo("a3");
		assertThat(this.reading.get("b")).isEqualTo("b4");
	}

	@Test
	void changeDuringAReadingOutdatesItsValue() {
		AtomicInteger calls = new AtomicInteger();
		CachedReading<String, Integer> changing = new CachedReading<>((key) -> {
			CachedReading.outdate();
			return calls.incrementAndGet();
		}, this.now::get);
		assertThat(changing.get("a")).isOne();
		assertThat(changing.get("a")).isEqualTo(2);
	}

	@Test
	void valueWithAnAgeOfItsOwnSurvivesChanges() {
		AtomicInteger calls = new AtomicInteger();
		CachedReading<String, Integer> slow = new CachedReading<>((key) -> calls.incrementAndGet(),
				Duration.ofHours(1));
		assertThat(slow.get("a")).isOne();
		CachedReading.outdate();
		assertThat(slow.get("a")).isOne();
	}

	@Test
	void keysHaveValuesOfTheirOwn() {
		assertThat(this.reading.get("a")).isEqualTo("a1");
		assertThat(this.reading.get("b")).isEqualTo("b2");
		assertThat(this.reading.get("a")).isEqualTo("a1");
	}

	@Test
	void numberOfValuesIsBounded() {
		for (int i = 0; i <= 100; i++) {
			this.reading.get("key" + i);
		}
		this.reading.get("key0");
		this.reading.get("key100");
		assertThat(this.read).hasSize(102).endsWith("key0");
	}

	@Test
	void failureIsThrownAndNotCached() {
		AtomicInteger calls = new AtomicInteger();
		CachedReading<String, Integer> failing = new CachedReading<>((key) -> {
			if (calls.incrementAndGet() == 1) {
				throw new IllegalStateException("down");
			}
			return calls.get();
		}, this.now::get);
		assertThatIllegalStateException().isThrownBy(() -> failing.get("a")).withMessage("down");
		assertThat(failing.get("a")).isEqualTo(2);
	}

	@Test
	void requestsForAValueThatIsBeingReadWaitForIt() {
		CountDownLatch gate = new CountDownLatch(1);
		AtomicInteger calls = new AtomicInteger();
		CachedReading<String, Integer> slow = new CachedReading<>((key) -> {
			await().until(() -> gate.getCount() == 0);
			return calls.incrementAndGet();
		}, this.now::get);
		ExecutorService threads = Executors.newFixedThreadPool(3);
		List<CompletableFuture<Integer>> answers = List.of("a", "a", "a")
			.stream()
			.map((key) -> CompletableFuture.supplyAsync(() -> slow.get(key), threads))
			.toList();
		gate.countDown();
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.join()).isOne());
		threads.shutdown();
	}

	/**
	 * As it waits for a connection of a pool whose server does not answer.
	 */
	@Test
	void readingThatHangsEndsWithItsRequestsAndIsBegunAgain() {
		CountDownLatch interrupted = new CountDownLatch(1);
		AtomicInteger calls = new AtomicInteger();
		CachedReading<String, Integer> hanging = new CachedReading<>((key) -> {
			if (calls.incrementAndGet() == 1) {
				awaitInterrupt();
				interrupted.countDown();
			}
			return calls.get();
		}, this.now::get, Duration.ofMillis(50));
		assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(() -> hanging.get("a"))
			.withMessageStartingWith("The database did not answer within 50 ms");
		await().until(() -> interrupted.getCount() == 0);
		assertThat(hanging.get("a")).isEqualTo(2);
	}

	private static void awaitInterrupt() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

}
