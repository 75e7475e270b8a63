package io.jobqueue.kafka;

import java.util.Locale;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.kafka.core.ConsumerFactory;

import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.boot.autoconfigure.JobQueueAutoConfiguration;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.kafka.consume.KafkaProperties;
import io.jobqueue.internal.kafka.consume.RecordCounts;
import io.jobqueue.internal.kafka.consume.TopicConsumers;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.outbox.RequestReader;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the topics of Kafka whose records
 * are consumed.
 */
@AutoConfiguration(after = JobQueueAutoConfiguration.class)
@ConditionalOnBean(JobHandlerRegistry.class)
public final class KafkaInboxAutoConfiguration {

	/**
	 * Not on the public class: the settings are not part of the published Javadoc.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(KafkaProperties.class)
	static class SettingsConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "jobqueue.worker.enabled", matchIfMissing = true)
	static class ConsumerConfiguration {

		@Bean
		@Lazy(false) // it takes part in the start and stop of the application
		TopicConsumers jobQueueKafkaConsumers(KafkaProperties settings, ObjectProvider<ConsumerFactory<?, ?>> factory,
				@Value("${spring.application.name:#{null}}") @Nullable String name, RequestReader reader,
				ObjectProvider<Outbox> outbox, JobHandlerRegistry handlers, DirectWorker direct) {
			return new TopicConsumers(settings, factory.getIfUnique(), name, reader, outbox.getIfAvailable(), handlers,
					direct);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterBinder.class)
	static class MeterConfiguration {

		@Bean
		MeterBinder jobQueueKafkaMeters(ObjectProvider<TopicConsumers> consumers) {
			return (registry) -> consumers.ifAvailable((each) -> each.counts().forEach((topic, counts) -> {
				for (RecordCounts.Outcome outcome : RecordCounts.Outcome.values()) {
					FunctionCounter.builder("jobqueue.kafka.records", counts, (all) -> all.count(outcome))
						.description("Records of a consumed topic")
						.tag("topic", topic)
						.tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
						.register(registry);
				}
			}));
		}

	}

}
