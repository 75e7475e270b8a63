package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.kafka.consume.PollingConsumer.Polling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whatever a consumer fails with, it is opened again.
 */
class PollingConsumerTests {

	private final FailingPolling polling = new FailingPolling();

	private final PollingConsumer consumer = new PollingConsumer(new ConsumedTopic("orders", KafkaProperties.Mode.INBOX,
			"inbox", null, false, "group", KafkaProperties.GroupType.CONSUMER, Duration.ofDays(1)), this.polling);

	@AfterEach
	void stop() {
		this.consumer.stop();
	}

	@Test
	void consumerIsOpenedAgainAfterAFailure() {
		this.consumer.start();
		await().untilAtomic(this.polling.opened, (count) -> assertThat(count).isEqualTo(3));
		assertThat(this.consumer.problem()).contains("The consumer of topic 'orders' fails",
				"IllegalStateException: thrown by the test");
		ConsumerHealth health = (ConsumerHealth) ReflectionTestUtils.getField(this.consumer, "health");
		health.polled();
		assertThat(this.consumer.problem()).as("It may fail again").isNotEqualTo("database");
		((Deadline) ReflectionTestUtils.getField(health, "trial")).reset(Duration.ZERO);
		health.polled();
		assertThat(this.consumer.problem()).isEqualTo("database");
	}

	@Test
	void stopEndsTheThread() {
		this.consumer.start();
		await().untilAtomic(this.polling.opened, (count) -> assertThat(count).isEqualTo(3));
		assertThat(this.consumer.isRunning()).isTrue();
		this.consumer.stop();
		assertThat(this.consumer.isRunning()).isFalse();
		assertThat(this.polling.thread.isAlive()).isFalse();
	}

	@Test
	@Timeout(5)
	void consumerThatIgnoresTheStopIsInterrupted() {
		this.polling.ignoresStop = true;
		this.consumer.start();
		await().untilAtomic(this.polling.opened, (count) -> assertThat(count).isEqualTo(3));
		this.consumer.stop();
		await().untilTrue(this.polling.interrupted);
	}

	/**
	 * Topics are stopped one after the other.
	 */
	@Test
	@Timeout(5)
	void timeToEndBeginsWithTheStopOfAllTopics() {
		this.polling.ignoresStop = true;
		this.consumer.start();
		await().untilAtomic(this.polling.opened, (count) -> assertThat(count).isEqualTo(3));
		this.consumer.beginStop();
		this.polling.ignoresStop = false;
		this.consumer.stop();
		await().untilTrue(this.polling.interrupted);
	}

	@Test
	void consumerStartsAgainAfterAStop() {
		this.consumer.start();
		await().untilAtomic(this.polling.opened, (count) -> assertThat(count).isEqualTo(3));
		this.consumer.stop();
		this.consumer.start();
		await().untilAtomic(this.polling.opened, (count) -> assertThat(count).isEqualTo(4));
		assertThat(this.polling.thread.isAlive()).isTrue();
	}

	/**
	 * Fails twice.
	 */
	private static final class FailingPolling implements Polling {

		private final AtomicInteger opened = new AtomicInteger();

		private final AtomicBoolean interrupted = new AtomicBoolean();

		private volatile boolean ignoresStop;

		private volatile Thread thread;

		@Override
		public void run(ConsumerHealth health, BooleanSupplier stopping) throws InterruptedException {
			this.thread = Thread.currentThread();
			switch (this.opened.incrementAndGet()) {
				case 1 -> throw new OutOfMemoryError("thrown by the test");
				case 2 -> throw new IllegalStateException("thrown by the test");
				default -> awaitEnd(stopping);
			}
		}

		private void awaitEnd(BooleanSupplier stopping) throws InterruptedException {
			if (!this.ignoresStop) {
				await().until(stopping::getAsBoolean);
				return;
			}
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				this.interrupted.set(true);
				throw ex;
			}
		}

		/**
		 * With the 5 s for leaving the group, 100 ms if the stop is ignored.
		 */
		@Override
		public Duration timeToEnd() {
			return this.ignoresStop ? Duration.ofMillis(-4_900) : Duration.ZERO;
		}

		@Override
		public @Nullable String problem() {
			return "database";
		}

	}

}
