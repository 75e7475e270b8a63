package io.jobqueue.internal.kafka.relay;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.kafka.record.TopicName;
import io.jobqueue.internal.relay.Relay;
import io.jobqueue.internal.relay.RelayConnector;
import io.jobqueue.internal.relay.RelayTarget;

/**
 * Connects relays to Kafka, each with a producer of its own that has the application's
 * settings: a record that the broker refuses fails the others of its producer batch.
 */
public final class KafkaConnector implements RelayConnector {

	private final ObjectProvider<ProducerFactory<?, ?>> factories;

	private final ObjectProvider<KafkaTemplate<?, ?>> templates;

	/**
	 * Create a connector.
	 * @param factories the application's producer factories
	 * @param templates its templates, whose factory is used if it has no other
	 */
	public KafkaConnector(ObjectProvider<ProducerFactory<?, ?>> factories,
			ObjectProvider<KafkaTemplate<?, ?>> templates) {
		this.factories = factories;
		this.templates = templates;
	}

	@Override
	public String kind() {
		return "kafka";
	}

	@Override
	public RelayTarget connect(Relay relay) {
		TopicName.check(relay.setting("topic"), relay.topic());
		ProducerFactory<?, ?> factory = factory(relay);
		RelayProducers producers = new RelayProducers(factory,
				ProducerSettings.of(factory.getConfigurationProperties(), relay));
		return new KafkaRelay(relay, producers);
	}

	private ProducerFactory<?, ?> factory(Relay relay) {
		ProducerFactory<?, ?> only = this.factories.getIfUnique();
		if (only != null) {
			return only;
		}
		List<? extends ProducerFactory<?, ?>> found = Stream
			.concat(this.factories.stream(), this.templates.stream().map(KafkaTemplate::getProducerFactory))
			.distinct()
			.toList();
		if (found.size() == 1) {
			return found.get(0);
		}
		throw found.isEmpty() ? new InvalidConfigurationException(
				"The setting '%s' is 'kafka', but the application has no ProducerFactory and no KafkaTemplate."
					.formatted(relay.setting("to")),
				"Add 'org.springframework.boot:spring-boot-starter-kafka' and set 'spring.kafka.bootstrap-servers', or define one of these beans.")
				: new InvalidConfigurationException(
						"The setting '%s' is 'kafka', but the application has %s producer factories and none of them is primary."
							.formatted(relay.setting("to"), found.size()),
						"Make one of them @Primary.");
	}

}
