package io.jobqueue.boot.autoconfigure;

import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.JobInterceptor;
import io.jobqueue.JobRequest;
import io.jobqueue.observation.EnqueueObservationConvention;
import io.jobqueue.observation.Interceptors;
import io.jobqueue.observation.JobNames;
import io.jobqueue.observation.RunObservationConvention;
import io.jobqueue.outbox.RequestReader;

/**
 * Interceptors and observations. Without a registry, nothing is observed.
 */
@Configuration(proxyBeanMethods = false)
class ObservationConfiguration {

	@Bean
	Interceptors jobQueueInterceptors(ObjectProvider<JobInterceptor> interceptors,
			ObjectProvider<ObservationRegistry> registry, ObjectProvider<RequestReader> reader,
			ObjectProvider<NodeNames> names, ObjectProvider<EnqueueObservationConvention> enqueueConvention,
			ObjectProvider<RunObservationConvention> runConvention) {
		return new Interceptors(interceptors, registry.getIfUnique(() -> ObservationRegistry.NOOP),
				new ObservedNames(reader, names), enqueueConvention.getIfUnique(), runConvention.getIfUnique());
	}

	/**
	 * The names in observations. The providers break a cycle: handlers are observed, too.
	 *
	 * @param reader determines the queue and type of a request
	 * @param names the names that this node declares
	 */
	record ObservedNames(ObjectProvider<RequestReader> reader, ObjectProvider<NodeNames> names) implements JobNames {

		@Override
		public String queue(JobRequest request) {
			return this.reader.getObject().queue(request, type(request));
		}

		@Override
		public String type(JobRequest request) {
			return this.reader.getObject().type(request);
		}

		@Override
		public boolean declaresQueue(String queue) {
			return this.names.getObject().queues().contains(queue);
		}

		@Override
		public boolean declaresType(String type) {
			return this.names.getObject().typesByQueue().values().stream().anyMatch((types) -> types.contains(type));
		}

	}

}
