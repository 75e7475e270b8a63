package io.jobqueue.boot.autoconfigure;

import java.util.Set;

import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.context.CallerContext;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.observation.EnqueueObservationConvention;
import io.jobqueue.observation.Interceptors;
import io.jobqueue.observation.JobNames;
import io.jobqueue.observation.RunObservationConvention;

/**
 * Extension points: events, interceptors, observations and the context that travels with
 * a job.
 */
@Configuration(proxyBeanMethods = false)
class HooksConfiguration {

	private static final String CONTEXT_REGISTRY = "io.micrometer.context.ContextRegistry";

	@Bean
	@Lazy(false)
	JobEvents jobQueueEvents(ApplicationContext context, NodeSettings settings) {
		return new JobEvents(context, settings.worker().name());
	}

	/**
	 * Without a registry, nothing is observed.
	 */
	@Bean
	Interceptors jobQueueInterceptors(ObjectProvider<JobInterceptor> interceptors,
			ObjectProvider<ObservationRegistry> registry, ObjectProvider<RequestReader> reader,
			ObjectProvider<NodeNames> names, ObjectProvider<EnqueueObservationConvention> enqueueConvention,
			ObjectProvider<RunObservationConvention> runConvention) {
		return new Interceptors(interceptors, registry.getIfUnique(() -> ObservationRegistry.NOOP),
				new ObservedNames(reader, names), enqueueConvention.getIfUnique(), runConvention.getIfUnique());
	}

	@Bean
	CallerContext jobQueueCallerContext(JobQueueProperties properties, ResourceLoader resources) {
		Set<String> mdcKeys = properties.producer().mdcKeys();
		Set<String> contextKeys = properties.producer().contextKeys();
		if (!contextKeys.isEmpty() && !ClassUtils.isPresent(CONTEXT_REGISTRY, resources.getClassLoader())) {
			throw new InvalidConfigurationException(
					"The setting 'jobqueue.producer.context-keys' requires io.micrometer:context-propagation, which is not on the class path.",
					"Add that dependency, or remove the setting.");
		}
		return new CallerContext(mdcKeys, contextKeys);
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
