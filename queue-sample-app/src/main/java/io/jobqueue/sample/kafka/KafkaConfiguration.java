package io.jobqueue.sample.kafka;

import java.io.IOException;
import java.util.List;

import org.apache.kafka.clients.admin.NewTopic;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.kafka.config.TopicBuilder;

import io.jobqueue.sample.SampleProperties;

/**
 * Brings along a broker, and creates the topic.
 */
@Configuration(proxyBeanMethods = false)
@Profile("kafka")
class KafkaConfiguration {

	private static final int PARTITIONS = 3;

	@Bean
	EmbeddedBroker embeddedBroker(SampleProperties properties) throws IOException {
		return EmbeddedBroker.start(properties.dataFolder().resolve("kafka").toAbsolutePath());
	}

	@Bean
	KafkaConnectionDetails kafkaConnectionDetails(EmbeddedBroker broker) {
		return () -> List.of(broker.address());
	}

	@Bean
	NewTopic signedUp() {
		return TopicBuilder.name("signed-up").partitions(PARTITIONS).replicas(1).build();
	}

}
