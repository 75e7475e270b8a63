package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Consume;
import io.jobqueue.internal.kafka.consume.KafkaProperties.GroupType;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Mode;
import io.jobqueue.internal.outbox.Outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * The end of consumers without a broker.
 */
class ConsumerStopTests {

	private static final Map<String, Object> NO_BROKER = Map.of("bootstrap.servers", "no-broker.invalid:9092");

	private final DirectWorker worker = mock(DirectWorker.class);

	/**
	 * During an outage, that takes up to 12.8 s.
	 */
	@ParameterizedTest
	@CsvSource({ "DIRECT, CONSUMER", "DIRECT, SHARE", "INBOX, CONSUMER" })
	@Timeout(5)
	void stopDoesNotWaitForTheNextTry(Mode mode, GroupType type) {
		given(this.worker.shutdownTimeout()).willReturn(Duration.ofMinutes(1));
		TopicConsumer consumer = consumer(mode, type);
		ConsumerHealth health = Objects
			.requireNonNull((ConsumerHealth) ReflectionTestUtils.getField(consumer, "health"));
		IntStream.range(0, 10).forEach((number) -> health.failed(new IllegalStateException("failed before")));
		consumer.start();
		await().until(() -> threads(consumer).stream().anyMatch(ConsumerStopTests::waits));
		consumer.stop();
		assertThat(threads(consumer)).isEmpty();
	}

	private TopicConsumer consumer(Mode mode, GroupType type) {
		ConsumedTopic topic = ConsumedTopic.of("orders",
				new Consume("inbox", mode, null, false, "shop", type, Duration.ofDays(1)), () -> null);
		ConsumerSettings settings = new ConsumerSettings(topic, NO_BROKER);
		RecordReader reader = mock(RecordReader.class);
		given(reader.cluster()).willReturn(new ClusterId());
		RecordCounts counts = new RecordCounts();
		if (type == GroupType.SHARE) {
			return new ShareGroupConsumer(topic, settings, this.worker, reader, counts);
		}
		return new PollingConsumer(topic,
				(mode == Mode.DIRECT) ? new DirectPolling(topic, settings, this.worker, reader, counts)
						: new InboxPolling(topic, settings, reader, mock(Outbox.class), counts));
	}

	private static List<Thread> threads(TopicConsumer consumer) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("jobqueue-%s-orders-".formatted(consumer.topic().kind())))
			.toList();
	}

	private static boolean waits(Thread thread) {
		return thread.getState() == Thread.State.TIMED_WAITING;
	}

	/**
	 * Topics are stopped one after the other.
	 */
	@Test
	@Timeout(5)
	void handlersOfAllTopicsHaveTheSameTimeToEnd() throws InterruptedException {
		CountDownLatch interrupted = new CountDownLatch(1);
		willAnswer((call) -> {
			interrupted.countDown();
			return null;
		}).given(this.worker).interrupt(any());
		ShareGroupConsumer consumer = (ShareGroupConsumer) consumer(Mode.DIRECT, GroupType.SHARE);
		consumer.start();
		ReflectionTestUtils.invokeMethod(consumer, "startThread", (Runnable) () -> awaitUninterrupted(interrupted));
		given(this.worker.shutdownTimeout()).willReturn(Duration.ZERO);
		consumer.beginStop();
		given(this.worker.shutdownTimeout()).willReturn(Duration.ofMinutes(1));
		consumer.stop();
		assertThat(interrupted.await(1, TimeUnit.SECONDS)).isTrue();
	}

	private static void awaitUninterrupted(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
