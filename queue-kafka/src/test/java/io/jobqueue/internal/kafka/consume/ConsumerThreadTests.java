package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.internal.concurrent.Deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whatever a consumer fails with, it is opened again.
 */
class ConsumerThreadTests {

	private final ConsumerHealth health = new ConsumerHealth(LoggerFactory.getLogger(ConsumerThreadTests.class),
			"The consumer");

	private final AtomicInteger opened = new AtomicInteger();

	private final AtomicReference<Thread> last = new AtomicReference<>();

	private final ConsumerThread thread = new ConsumerThread("consumer-of-test-", this.health, this::consume);

	@AfterEach
	void stop() {
		this.thread.stop(Duration.ofSeconds(10));
	}

	private void consume(BooleanSupplier stopping) {
		this.last.set(Thread.currentThread());
		switch (this.opened.incrementAndGet()) {
			case 1 -> throw new OutOfMemoryError("thrown by the test");
			case 2 -> throw new IllegalStateException("thrown by the test");
			default -> await().until(stopping::getAsBoolean);
		}
	}

	@Test
	void consumerIsOpenedAgainAfterAFailure() {
		this.thread.start();
		await().untilAtomic(this.opened, (count) -> assertThat(count).isEqualTo(3));
		assertThat(this.health.problem()).contains("IllegalStateException: thrown by the test");
		this.health.polled();
		assertThat(this.health.problem()).as("It may fail again").isNotNull();
		((Deadline) ReflectionTestUtils.getField(this.health, "trial")).reset(Duration.ZERO);
		this.health.polled();
		assertThat(this.health.problem()).isNull();
	}

	@Test
	void stopEndsAPauseAndTheThread() {
		this.thread.start();
		await().untilAtomic(this.opened, (count) -> assertThat(count).isPositive());
		assertThat(this.thread.isRunning()).isTrue();
		this.thread.stop(Duration.ofSeconds(10));
		assertThat(this.thread.isRunning()).isFalse();
		assertThat(this.last.get().isAlive()).isFalse();
	}

	@Test
	void consumerThatIgnoresTheStopIsInterrupted() {
		AtomicReference<Boolean> interrupted = new AtomicReference<>();
		ConsumerThread stubborn = new ConsumerThread("consumer-of-test-", this.health, (stopping) -> {
			this.opened.incrementAndGet();
			try {
				Thread.sleep(Duration.ofMinutes(1).toMillis());
			}
			catch (InterruptedException ex) {
				interrupted.set(true);
				throw ex;
			}
		});
		stubborn.start();
		await().untilAtomic(this.opened, (count) -> assertThat(count).isOne());
		stubborn.stop(Duration.ofMillis(-4_900));
		await().untilAtomic(interrupted, (value) -> assertThat(value).isTrue());
	}

}
