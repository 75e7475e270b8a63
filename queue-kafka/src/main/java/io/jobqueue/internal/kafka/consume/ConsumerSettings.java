package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;

/**
 * The settings of a consumer: those of the application where they keep the promise.
 */
final class ConsumerSettings {

	private final Map<String, Object> properties = new LinkedHashMap<>();

	/**
	 * A group without offsets begins with the first record, unless the application says
	 * otherwise. Records of transactions that were rolled back are skipped: whether the
	 * application or Spring Boot has set the isolation level is not known. Static members
	 * of a group need ids of their own.
	 */
	ConsumerSettings(ConsumedTopic topic, Map<String, Object> application) {
		this.properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
		this.properties.putAll(application);
		this.properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
		this.properties.put(ConsumerConfig.GROUP_ID_CONFIG, topic.group());
		this.properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
		this.properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
		this.properties.put(ConsumerConfig.CLIENT_ID_CONFIG,
				"%s-%s-%s".formatted(this.properties.getOrDefault(ConsumerConfig.CLIENT_ID_CONFIG, "jobqueue"),
						topic.kind(), topic.topic()));
		this.properties.computeIfPresent(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
				(name, id) -> id + "-" + topic.topic());
		check(topic);
	}

	private void check(ConsumedTopic topic) {
		Map<String, Object> complete = new HashMap<>(this.properties);
		complete.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
		complete.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
		try {
			Map<String, Object> unused = ConsumerConfig.configDef().parse(complete);
		}
		catch (ConfigException ex) {
			throw new InvalidConfigurationException(
					"The topic '%s' cannot be consumed with the application's consumer settings: %s.".formatted(
							topic.topic(), StringUtils.trimTrailingCharacter(String.valueOf(ex.getMessage()), '.')),
					"Correct the setting under 'spring.kafka.consumer' or of the ConsumerFactory.", ex);
		}
	}

	DefaultKafkaConsumerFactory<byte[], byte[]> factory(ClusterId cluster) {
		return new DefaultKafkaConsumerFactory<>(this.properties, new ByteArrayDeserializer(), cluster);
	}

	Map<String, Object> properties() {
		return this.properties;
	}

	/**
	 * Return the maximum number of records of a poll.
	 */
	int maxPollRecords() {
		return (int) number(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, ConsumerConfig.DEFAULT_MAX_POLL_RECORDS);
	}

	Duration maxPollInterval() {
		return Duration.ofMillis(number(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 300_000));
	}

	private long number(String name, long otherwise) {
		Object value = this.properties.get(name);
		return (value != null) ? Long.parseLong(value.toString().strip()) : otherwise;
	}

}
