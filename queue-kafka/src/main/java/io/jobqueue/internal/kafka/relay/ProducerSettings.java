package io.jobqueue.internal.kafka.relay;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;

import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.relay.Relay;

/**
 * The settings of the producer of a relay: those of the application, where they keep its
 * promise.
 *
 * @param properties the properties of the producer
 * @param buffer the size of its buffer, in bytes
 */
record ProducerSettings(Map<String, Object> properties, long buffer) {

	/**
	 * The time for which a call waits for metadata. It delays neither the application nor
	 * a stop, but the report of an outage.
	 */
	private static final Duration MAX_BLOCK = Duration.ofSeconds(2);

	private static final int MAX_IN_FLIGHT = 5;

	/**
	 * Check the application's settings and complete them.
	 * @throws InvalidConfigurationException if they contradict the promise of the relay
	 */
	static ProducerSettings of(Map<String, Object> application, Relay relay) {
		return new Checked(relay, application, parsed(application, relay)).settings();
	}

	private static Map<String, Object> parsed(Map<String, Object> application, Relay relay) {
		try {
			Map<String, Object> complete = new HashMap<>(application);
			complete.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, RelayProducers.SERIALIZER);
			complete.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, RelayProducers.SERIALIZER);
			return ProducerConfig.configDef().parse(complete);
		}
		catch (ConfigException ex) {
			throw new InvalidConfigurationException(
					"The relay of queue '%s' cannot use the application's producer settings: %s.".formatted(
							relay.queue(), StringUtils.trimTrailingCharacter(String.valueOf(ex.getMessage()), '.')),
					"Correct the setting under 'spring.kafka.producer' or of the ProducerFactory.", ex);
		}
	}

	/**
	 * The settings of the application with their default values.
	 *
	 * @param relay the relay
	 * @param application the properties of the application
	 * @param parsed the values of all properties
	 */
	private record Checked(Relay relay, Map<String, Object> application, Map<String, Object> parsed) {

		ProducerSettings settings() {
			String acks = Objects.toString(this.parsed.get(ProducerConfig.ACKS_CONFIG));
			check(Set.of("all", "-1").contains(acks), ProducerConfig.ACKS_CONFIG,
					"a broker that fails could lose jobs that have succeeded", "Set it to 'all', or remove it.");
			check(Boolean.TRUE.equals(this.parsed.get(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG)),
					ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "retries could change the order of records",
					"Set it to 'true', or remove it.");
			check(number(ProducerConfig.RETRIES_CONFIG) > 0, ProducerConfig.RETRIES_CONFIG,
					"an idempotent producer has to retry", "Remove it.");
			check(number(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION) <= MAX_IN_FLIGHT,
					ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "retries could change the order of records",
					"Set at most %s, or remove it.".formatted(MAX_IN_FLIGHT));
			return new ProducerSettings(properties(), number(ProducerConfig.BUFFER_MEMORY_CONFIG));
		}

		private void check(boolean valid, String property, String why, String remedy) {
			if (!valid) {
				throw new InvalidConfigurationException(
						"The producer property '%s' of the application, such as 'spring.kafka.producer.%s', is '%s', but queue '%s' is relayed with the application's settings: %s."
							.formatted(property,
									property.equals("acks") || property.equals("retries") ? property
											: "properties." + property,
									this.parsed.get(property), this.relay.queue(), why),
						remedy);
			}
		}

		private long number(String property) {
			return ((Number) Objects.requireNonNull(this.parsed.get(property))).longValue();
		}

		/**
		 * A transaction of the producer would span jobs that have nothing in common.
		 */
		private Map<String, Object> properties() {
			Map<String, Object> properties = new HashMap<>(this.application);
			properties.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
			properties.put(ProducerConfig.ACKS_CONFIG, "all");
			properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
			properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG,
					Math.min(number(ProducerConfig.MAX_BLOCK_MS_CONFIG), MAX_BLOCK.toMillis()));
			properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryTimeout());
			String client = Objects.toString(this.parsed.get(ProducerConfig.CLIENT_ID_CONFIG), "");
			properties.put(ProducerConfig.CLIENT_ID_CONFIG,
					(client.isEmpty() ? "jobqueue" : client) + "-relay-" + this.relay.queue());
			return properties;
		}

		/**
		 * The producer gives up a record before the lease of its job ends, so that the
		 * job is not sent again before.
		 */
		private int deliveryTimeout() {
			long least = number(ProducerConfig.LINGER_MS_CONFIG) + number(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
			long lease = this.relay.maxRunTime().toMillis();
			if (lease < least) {
				throw new InvalidConfigurationException(
						"The maximum run time of queue '%s' is %s ms, less than the producer properties 'linger.ms' and 'request.timeout.ms' together, which are %s ms: a job would be sent again before its first record can be acknowledged."
							.formatted(this.relay.queue(), lease, least),
						"Raise 'jobqueue.queues.%s.max-run-time', or lower 'spring.kafka.producer.properties.request.timeout.ms'."
							.formatted(this.relay.queue()));
			}
			return (int) Math.min(number(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG), lease);
		}

	}

}
