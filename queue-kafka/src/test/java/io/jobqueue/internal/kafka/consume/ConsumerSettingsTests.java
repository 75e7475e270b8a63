package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.kafka.consume.KafkaProperties.Consume;
import io.jobqueue.internal.kafka.consume.KafkaProperties.GroupType;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Mode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a consumer takes over from the application.
 */
class ConsumerSettingsTests {

	private static final ConsumedTopic TOPIC = ConsumedTopic.of("orders",
			new Consume("inbox", Mode.DIRECT, null, false, "shop", GroupType.CONSUMER, Duration.ofDays(1)), () -> null);

	/**
	 * Members with the same id exclude each other.
	 */
	@Test
	void staticMembersOfSeveralTopicsHaveIdsOfTheirOwn() {
		assertThat(new ConsumerSettings(TOPIC, Map.of("group.instance.id", "one")).properties())
			.containsEntry("group.instance.id", "one-orders")
			.containsEntry("client.id", "jobqueue-direct-orders");
		assertThat(new ConsumerSettings(TOPIC, Map.of()).properties()).doesNotContainKey("group.instance.id");
	}

	/**
	 * Spring Boot sets a level in each application.
	 */
	@Test
	void recordsThatWereRolledBackAreSkipped() {
		Map<String, Object> application = new org.springframework.boot.kafka.autoconfigure.KafkaProperties()
			.buildConsumerProperties();
		assertThat(application).containsEntry("isolation.level", "read_uncommitted");
		assertThat(new ConsumerSettings(TOPIC, application).properties())
			.containsEntry("isolation.level", "read_committed")
			.containsEntry("auto.offset.reset", "earliest");
	}

}
