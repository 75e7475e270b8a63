package io.jobqueue.boot.autoconfigure;

import java.time.Clock;

import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.boot.alert.Alerts;
import io.jobqueue.boot.metrics.JobGauges;
import io.jobqueue.boot.metrics.ReapedJobsCounters;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.store.jdbc.JdbcStores;

/**
 * Meters, where Micrometer is there.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterBinder.class)
class MetricsConfiguration {

	@Bean
	static LazyInitializationExcludeFilter jobQueueMetersAreNeverLazy() {
		return LazyInitializationExcludeFilter.forBeanTypes(JobGauges.class, ReapedJobsCounters.class);
	}

	@Bean
	JobGauges jobQueueGauges(JdbcStores stores, NodeSettings settings, JobHandlers handlers,
			ObjectProvider<Clock> clock, QueueProperties properties, Alerts alerts) {
		return new JobGauges(stores.gauges(), new NodeNames(settings, handlers), clock.getIfUnique(Clock::systemUTC),
				properties.getMetrics().getRefreshInterval(), alerts::percent);
	}

	@Bean
	ReapedJobsCounters jobQueueReapedJobsCounters(NodeSettings settings, JobHandlers handlers) {
		return new ReapedJobsCounters(new NodeNames(settings, handlers));
	}

	@Bean
	ReapedJobsListener jobQueueReapedJobsListener(ReapedJobsCounters counters) {
		return counters::count;
	}

}
