package io.jobqueue.boot.autoconfigure;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.JobOperations;
import io.jobqueue.RecurringJobs;
import io.jobqueue.Workflows;
import io.jobqueue.internal.boot.endpoint.JobQueueEndpoint;
import io.jobqueue.internal.boot.endpoint.JobQueueEndpointAdvisor;
import io.jobqueue.internal.boot.properties.EndpointProperties;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * The endpoint {@code /actuator/jobqueue}, if Actuator exposes it.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(endpoint = JobQueueEndpoint.class, exposure = EndpointExposure.WEB)
@EnableConfigurationProperties(EndpointProperties.class)
class EndpointConfiguration {

	@Bean
	@ConditionalOnMissingBean
	JobQueueEndpoint jobQueueEndpoint(JobOperations operations, RecurringJobs schedules, Workflows workflows,
			EndpointProperties properties, JobHandlers handlers, PostgresStores stores) {
		return new JobQueueEndpoint(operations, schedules, workflows, properties.showValues(), properties.roles(),
				(queue) -> handlers.typesByQueue().containsKey(queue)
						|| stores.monitoring().servedQueues().contains(queue));
	}

	@Bean
	@ConditionalOnMissingBean
	JobQueueEndpointAdvisor jobQueueEndpointRequests() {
		return new JobQueueEndpointAdvisor();
	}

}
