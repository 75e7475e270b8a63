package io.jobqueue.boot.autoconfigure;

import java.util.Set;

import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.boot.properties.JobQueueProperties;
import io.jobqueue.boot.settings.NodeSettings;
import io.jobqueue.context.CallerContext;
import io.jobqueue.event.JobEvents;

/**
 * Extension points: events and the context that travels with a job.
 */
@Configuration(proxyBeanMethods = false)
class HooksConfiguration {

	private static final String CONTEXT_REGISTRY = "io.micrometer.context.ContextRegistry";

	@Bean
	@Lazy(false)
	JobEvents jobQueueEvents(ApplicationContext context, NodeSettings settings) {
		return new JobEvents(context, settings.worker().name());
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

}
