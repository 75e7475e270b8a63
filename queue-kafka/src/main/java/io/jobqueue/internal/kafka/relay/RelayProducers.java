package io.jobqueue.internal.kafka.relay;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import org.springframework.kafka.core.ProducerFactory;

/**
 * Creates the producers of a relay. The listeners of the application's factory, such as
 * those for its meters, get them.
 */
final class RelayProducers {

	static final Class<?> SERIALIZER = ByteArraySerializer.class;

	private final ProducerFactory<byte[], byte[]> application;

	private final ProducerSettings settings;

	/**
	 * Listeners use neither keys nor values.
	 */
	@SuppressWarnings("unchecked")
	RelayProducers(ProducerFactory<?, ?> application, ProducerSettings settings) {
		this.application = (ProducerFactory<byte[], byte[]>) application;
		this.settings = settings;
	}

	ProducerSettings settings() {
		return this.settings;
	}

	/**
	 * Create a producer. This does not connect it.
	 */
	Producer<byte[], byte[]> create() {
		Producer<byte[], byte[]> producer = new KafkaProducer<>(this.settings.properties(), new ByteArraySerializer(),
				new ByteArraySerializer());
		this.application.getListeners().forEach((listener) -> listener.producerAdded(id(), producer));
		return producer;
	}

	/**
	 * Note that a producer is about to be closed.
	 */
	void closing(Producer<byte[], byte[]> producer) {
		this.application.getListeners().forEach((listener) -> listener.producerRemoved(id(), producer));
	}

	private String id() {
		return String.valueOf(this.settings.properties().get("client.id"));
	}

}
