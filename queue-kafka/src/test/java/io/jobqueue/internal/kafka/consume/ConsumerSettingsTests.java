package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Consume;
import io.jobqueue.internal.kafka.consume.KafkaProperties.GroupType;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
		assertThat(settings("group.instance.id", "one").properties()).containsEntry("group.instance.id", "one-orders")
			.containsEntry("client.id", "jobqueue-direct-orders");
		assertThat(settings("client.rack", "a").properties()).doesNotContainKey("group.instance.id");
	}

	@ParameterizedTest
	@CsvSource({ "auto.offset.reset, lates", "max.poll.records, 0", "max.poll.records, many" })
	void valueThatCannotWorkIsRefused(String name, String value) {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> settings(name, value))
			.withMessageContaining("The topic 'orders' cannot be consumed")
			.withMessageContaining(name)
			.withMessageContaining(value);
	}

	@Test
	void brokersHaveToBeNamed() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> new ConsumerSettings(TOPIC, Map.of()))
			.withMessageContaining("\"bootstrap.servers\" which has no default value. Correct the setting");
	}

	private static ConsumerSettings settings(String name, String value) {
		return new ConsumerSettings(TOPIC, Map.of("bootstrap.servers", "localhost:1", name, value));
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
