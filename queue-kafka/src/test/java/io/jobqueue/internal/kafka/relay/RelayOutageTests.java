package io.jobqueue.internal.kafka.relay;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.internal.kafka.KafkaTestBase;
import io.jobqueue.internal.relay.RelayWorker;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.DURATION;
import static org.awaitility.Awaitility.await;

/**
 * A broker that does not answer, or has no topic.
 */
@Tag("slow") // starts and kills a broker
class RelayOutageTests extends KafkaTestBase {

	/**
	 * A producer gives up a record after 2 s.
	 */
	private static final String[] HASTY = { "spring.kafka.producer.properties.request.timeout.ms=1500",
			"spring.kafka.producer.properties.delivery.timeout.ms=2000",
			"spring.kafka.producer.properties.linger.ms=0" };

	@Test
	void jobsWaitUnclaimedForTheirTopic() {
		String topic = "late-" + UUID.randomUUID();
		try (ConfigurableApplicationContext application = relay(topic)) {
			enqueue(application, order(1).orderedBy("key"), order(2).orderedBy("key"));
			RelayWorker relays = application.getBean(RelayWorker.class);
			await().untilAsserted(() -> assertThat(relays.problems()).singleElement()
				.asString()
				.contains("The relay of queue 'orders' to topic '" + topic + "' fails")
				.contains("does not host this topic-partition"));
			assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_claim").query(Long.class).single()).isZero();
			BROKER.create(topic, 3, Map.of());
			await().untilAsserted(() -> assertThat(values(topic)).containsExactly("\"1\"", "\"2\""));
			await().untilAsserted(() -> assertThat(succeeded()).isEqualTo(2));
			assertThat(relays.problems()).isEmpty();
			assertThat(attempts()).containsOnly(1);
		}
	}

	@Test
	void stopDoesNotWaitForTheTopic() {
		long begun;
		try (ConfigurableApplicationContext application = relay("missing")) {
			RelayWorker relays = application.getBean(RelayWorker.class);
			await().until(() -> !relays.problems().isEmpty());
			begun = System.nanoTime();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
	}

	/**
	 * What a suspended broker has received and not answered, it writes later.
	 */
	@Test
	void recordsWithoutAnAnswerAreSentAgainUncounted() {
		String topic = BROKER.topic(Map.of());
		try (ConfigurableApplicationContext application = relay(topic, HASTY)) {
			enqueue(application, order(0));
			await().untilAsserted(() -> assertThat(succeeded()).isOne());
			AtomicInteger others = new AtomicInteger();
			application.getBean(JobHandlerRegistry.class).register("others", Other.class, (payload, job) -> {
				others.incrementAndGet();
				return JobResult.success();
			});
			BROKER.freeze();
			try {
				enqueue(application, orders(1, 100));
				RelayWorker relays = application.getBean(RelayWorker.class);
				await().untilAsserted(() -> assertThat(relays.problems()).hasSize(1));
				enqueue(application, JobRequest.of("others", new Other(1)));
				await().untilAsserted(() -> assertThat(others).hasValue(1));
				await().untilAsserted(() -> assertThat(ages(application)).singleElement(DURATION)
					.isGreaterThan(Duration.ofSeconds(2)));
			}
			finally {
				BROKER.thaw();
			}
			await().untilAsserted(() -> assertThat(succeeded()).isEqualTo(102));
			assertThat(new HashSet<>(values(topic))).hasSize(101);
			assertThat(attempts()).containsOnly(1);
			assertThat(order(topic)).isSorted();
		}
	}

	/**
	 * Return how long jobs wait, of each priority.
	 */
	private static List<Duration> ages(ConfigurableApplicationContext application) {
		return application.getBean(PostgresStores.class)
			.monitoring()
			.read(Set.of())
			.tiers()
			.stream()
			.map(TierSnapshot::maxAge)
			.filter(Objects::nonNull)
			.toList();
	}

	/**
	 * The order of the key, as a consumer sees it that ignores what it has seen.
	 */
	private List<Integer> order(String topic) {
		return BROKER.records(topic)
			.stream()
			.filter((message) -> message.key() != null)
			.map((message) -> Integer.valueOf(value(message).replace("\"", "")))
			.distinct()
			.toList();
	}

	@Test
	void jobsGoOnAfterTheBrokerIsBack() {
		String topic = BROKER.topic(Map.of());
		try (ConfigurableApplicationContext application = relay(topic)) {
			enqueue(application, order(0));
			await().untilAsserted(() -> assertThat(succeeded()).isOne());
			BROKER.kill();
			enqueue(application, orders(1, 100));
			BROKER.start();
			await().untilAsserted(() -> assertThat(succeeded()).isEqualTo(101));
			assertThat(application.getBean(RelayWorker.class).problems()).isEmpty();
			assertThat(new HashSet<>(values(topic))).hasSize(101);
			assertThat(attempts()).containsOnly(1);
			assertThat(order(topic)).isSorted();
		}
	}

	@Test
	void stopReleasesWhatIsNotAcknowledged() {
		String topic = BROKER.topic(Map.of());
		long begun;
		try (ConfigurableApplicationContext application = relay(topic)) {
			enqueue(application, order(0));
			await().untilAsserted(() -> assertThat(succeeded()).isOne());
			BROKER.freeze();
			enqueue(application, orders(1, 100));
			await().untilAsserted(() -> assertThat(application.getBean(RelayWorker.class).problems()).hasSize(1));
			begun = System.nanoTime();
		}
		finally {
			BROKER.thaw();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
		assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_job WHERE locked_by IS NULL AND attempts = 0")
			.query(Long.class)
			.single()).isEqualTo(100);
	}

	/**
	 * Return orders, of which each tenth has the same key.
	 */
	private static JobRequest[] orders(int from, int to) {
		return IntStream.rangeClosed(from, to)
			.mapToObj((number) -> (number % 10 == 0) ? order(number).orderedBy("tens") : order(number))
			.toArray(JobRequest[]::new);
	}

	private List<Integer> attempts() {
		return this.sql.sql("SELECT attempts FROM jobqueue_archive").query(Integer.class).list();
	}

	record Other(int number) {
	}

}
