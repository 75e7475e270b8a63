package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import io.jobqueue.internal.kafka.KafkaApplication;
import io.jobqueue.internal.kafka.consume.DirectApplication.Run;
import io.jobqueue.internal.kafka.consume.RecordCounts.Outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Records that run before they are jobs, on nodes that come and go.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow") // starts a broker
class DirectHandoverTests extends ConsumeTestBase {

	@BeforeEach
	void forget() {
		DirectApplication.RUNS.clear();
	}

	/**
	 * Handlers that do not end in time are interrupted, and their records are jobs before
	 * the next node has the partition. Those behind them are left to it.
	 */
	@Test
	void stopStoresWhatHasNotEnded(CapturedOutput output) {
		String[] settings = settings("jobqueue.worker.shutdown-timeout=200ms", "jobqueue.queues.inbox.concurrency=2");
		try (ConfigurableApplicationContext application = consume(settings)) {
			assertThat(application.isRunning()).isTrue();
			send(List.of(order("a", 1, "wait"), order("a", 2, null), order("a", 3, null)));
			await().untilAsserted(() -> assertThat(numbers()).containsExactly(1));
		}
		assertThat(jobs()).isOne();
		assertThat(output).doesNotContain("did not end when interrupted");
		DirectApplication.open(1);
		try (ConfigurableApplicationContext application = consume(settings)) {
			await().untilAsserted(() -> assertThat(numbers()).containsExactly(1, 1, 2, 3));
			assertThat(DirectApplication.RUNS).extracting((run) -> run.job().attempt()).containsOnly(1);
			assertThat(count(application, Outcome.REDELIVERED)).isZero();
			assertThat(count(application, Outcome.DUPLICATE)).isZero();
		}
	}

	/**
	 * Partitions change their owner while records arrive, and each handler runs once:
	 * directly, or as a job that a hand-over has stored.
	 */
	@Test
	void rebalancesRepeatNothing() {
		AtomicInteger sent = new AtomicInteger();
		try (ConfigurableApplicationContext one = consume()) {
			sendNext(500, sent);
			try (ConfigurableApplicationContext two = consume()) {
				await().until(() -> {
					sendNext(500, sent);
					return count(two, Outcome.SUCCEEDED) > 0;
				});
			}
			await().until(() -> committed() == sent.get() && jobs() == 0);
			assertThat(count(one, Outcome.REDELIVERED)).isZero();
		}
		assertThat(numbers()).hasSize(sent.get()).doesNotHaveDuplicates();
		for (int key = 0; key < 50; key++) {
			int remainder = key;
			assertThat(numbers().stream().filter((number) -> number % 50 == remainder)).isSorted();
		}
	}

	private void sendNext(int count, AtomicInteger sent) {
		int from = sent.getAndAdd(count);
		send(IntStream.range(from, from + count)
			.mapToObj((number) -> order("key-" + number % 50, number, null))
			.toList());
	}

	@Test
	void handlerMayTakeLongerThanThePollInterval() {
		try (ConfigurableApplicationContext application = consume(
				"spring.kafka.consumer.properties.max.poll.interval.ms=1000")) {
			send(List.of(order("a", 71, "wait"), order("a", 72, null)));
			await().until(() -> numbers().contains(71));
			int others = consumeFor(Duration.ofMillis(1_500));
			assertThat(numbers()).doesNotContain(72);
			DirectApplication.open(71);
			await().until(() -> committed() == 2 + others);
			assertThat(numbers()).hasSize(2 + others).endsWith(72).doesNotHaveDuplicates();
			assertThat(count(application, Outcome.SUCCEEDED)).isEqualTo(2 + others);
		}
	}

	/**
	 * Send a record after the other, each once the one before it has run.
	 */
	private int consumeFor(Duration time) {
		Instant end = Instant.now().plus(time);
		int others = 0;
		while (Instant.now().isBefore(end)) {
			int number = 100 + others++;
			send(List.of(order("b", number, null)));
			await().until(() -> numbers().contains(number));
		}
		return others;
	}

	private ConfigurableApplicationContext consume(String... settings) {
		return KafkaApplication.run(DirectApplication.class, withServers(settings(settings)));
	}

	private String[] settings(String... more) {
		String[] own = { setting("queue=inbox"), setting("group=" + this.group),
				"spring.kafka.consumer.properties.session.timeout.ms=2000",
				"spring.kafka.consumer.properties.heartbeat.interval.ms=500" };
		return Stream.of(own, more).flatMap(Arrays::stream).toArray(String[]::new);
	}

	private static List<Integer> numbers() {
		return DirectApplication.RUNS.stream().map(Run::number).toList();
	}

	private long count(ConfigurableApplicationContext application, Outcome outcome) {
		return Objects.requireNonNull(application.getBean(TopicConsumers.class).counts().get(this.topic))
			.count(outcome);
	}

}
