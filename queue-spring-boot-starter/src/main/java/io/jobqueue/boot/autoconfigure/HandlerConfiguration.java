package io.jobqueue.boot.autoconfigure;

import java.util.stream.Collectors;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.boot.settings.UnknownQueueCheck;
import io.jobqueue.internal.handler.HandlerRegistry;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.relay.Relay;
import io.jobqueue.observation.Interceptors;

/**
 * Handlers, payload types and the choice of codecs.
 */
@Configuration(proxyBeanMethods = false)
class HandlerConfiguration {

	@Bean
	JobTypes jobQueueTypes() {
		return new JobTypes();
	}

	@Bean
	PayloadCodecs jobQueueCodecs(NodeSettings settings, ListableBeanFactory beanFactory) {
		return ConfiguredCodecs.of(settings.queues(), beanFactory);
	}

	@Bean
	JobHandlers jobQueueHandlers(ConfigurableListableBeanFactory beanFactory, JobTypes types, PayloadCodecs codecs,
			Interceptors interceptors) {
		return new JobHandlers(beanFactory, types, codecs, interceptors);
	}

	/**
	 * It creates no other bean before a method is called.
	 */
	@Bean
	static BeanPostProcessor jobQueueAsyncJobs() {
		return JobHandlers.asyncJobs();
	}

	@Bean
	UnknownQueueCheck jobQueueUnknownQueueCheck(NodeSettings settings, JobHandlers handlers,
			ConfigurableEnvironment environment, JobQueueProperties properties) {
		return new UnknownQueueCheck(settings, handlers, environment, properties.worker().enabled());
	}

	@Bean
	NodeNames jobQueueNames(NodeSettings settings, JobHandlers handlers, JobTypes types) {
		return new NodeNames(settings, handlers, types);
	}

	@Bean
	HandlerRegistry jobQueueHandlerRegistry(JobHandlers handlers, JobTypes types, NodeSettings settings) {
		return new HandlerRegistry(handlers, types,
				settings.relays().stream().map(Relay::queue).collect(Collectors.toSet()));
	}

}
