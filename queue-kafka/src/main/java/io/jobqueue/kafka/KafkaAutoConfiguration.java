package io.jobqueue.kafka;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

import io.jobqueue.boot.autoconfigure.JobQueueAutoConfiguration;
import io.jobqueue.internal.kafka.relay.KafkaConnector;
import io.jobqueue.internal.relay.RelayConnector;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the relay to Kafka.
 */
@AutoConfiguration(before = JobQueueAutoConfiguration.class)
public final class KafkaAutoConfiguration {

	@Bean
	RelayConnector jobQueueKafkaConnector(ObjectProvider<ProducerFactory<?, ?>> factories,
			ObjectProvider<KafkaTemplate<?, ?>> templates) {
		return new KafkaConnector(factories, templates);
	}

}
