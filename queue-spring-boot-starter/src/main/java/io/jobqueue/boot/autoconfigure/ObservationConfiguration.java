package io.jobqueue.boot.autoconfigure;

import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.observation.EnqueueObservationConvention;
import io.jobqueue.observation.JobObserver;
import io.jobqueue.observation.RunObservationConvention;
import io.jobqueue.outbox.RequestReader;

/**
 * Observations, where there is a registry for them.
 */
@Configuration(proxyBeanMethods = false)
class ObservationConfiguration {

	@Bean
	@ConditionalOnMissingBean
	JobObserver jobQueueObserver(ObjectProvider<ObservationRegistry> registry, ObjectProvider<RequestReader> reader,
			ObjectProvider<NodeNames> names, ObjectProvider<EnqueueObservationConvention> enqueueConvention,
			ObjectProvider<RunObservationConvention> runConvention) {
		return new JobObserver(registry.getIfUnique(() -> ObservationRegistry.NOOP), new ObservedNames(reader, names),
				enqueueConvention.getIfUnique(), runConvention.getIfUnique());
	}

}
