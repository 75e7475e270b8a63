package io.jobqueue.boot.autoconfigure;

import java.time.Clock;
import java.util.Map;

import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

import io.jobqueue.boot.autoconfigure.ProducerConfiguration.FailedJobListener;
import io.jobqueue.boot.autoconfigure.WorkerConfiguration.ReapedJobsListener;
import io.jobqueue.internal.boot.alert.Alerts;
import io.jobqueue.internal.boot.metrics.CachedValue;
import io.jobqueue.internal.boot.metrics.DatabaseGauges;
import io.jobqueue.internal.boot.metrics.JobGauges;
import io.jobqueue.internal.boot.metrics.JobMeters;
import io.jobqueue.internal.boot.metrics.ObservationTimerFilter;
import io.jobqueue.internal.boot.metrics.RecurringGauge;
import io.jobqueue.internal.boot.metrics.TagValues;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.pull.DefaultJobPuller;
import io.jobqueue.internal.recurring.RecurringTicker;
import io.jobqueue.internal.relay.RelayWorker;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.worker.JobWorker;

/**
 * Meters, if Micrometer is on the class path.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterBinder.class)
class MetricsConfiguration {

	@Bean
	static ObservationTimerFilter jobQueueObservationTimerFilter(Environment environment) {
		return new ObservationTimerFilter(Binder.get(environment)
			.bind("management.metrics.enable", Bindable.mapOf(String.class, Boolean.class))
			.orElseGet(Map::of));
	}

	@Bean
	TagValues jobQueueTagValues(NodeNames names, JobHandlers handlers) {
		TagValues tags = new TagValues(names);
		handlers.onChange(tags::refresh);
		return tags;
	}

	@Bean
	@Lazy(false)
	JobGauges jobQueueGauges(PostgresStores stores, TagValues tags, ObjectProvider<Clock> clock,
			JobQueueProperties properties, ObjectProvider<JobWorker> worker, ObjectProvider<DefaultJobPuller> puller,
			ObjectProvider<RelayWorker> relays, ObjectProvider<DirectWorker> direct, Alerts alerts) {
		return new JobGauges(stores.monitoring(), stores.pauses()::pauses, tags, cache(clock, properties),
				PullConfiguration.running(worker, puller, relays, direct), alerts::percent);
	}

	@Bean
	@Lazy(false)
	DatabaseGauges jobQueueDatabaseGauges(PostgresStores stores, ObjectProvider<Clock> clock,
			JobQueueProperties properties) {
		MonitoringStore monitoring = stores.monitoring();
		return new DatabaseGauges(monitoring.tables(), monitoring::cleanup, cache(clock, properties));
	}

	private static CachedValue.Factory cache(ObjectProvider<Clock> clock, JobQueueProperties properties) {
		return CachedValue.Factory.of(clock.getIfUnique(Clock::systemUTC), properties.metrics().refreshInterval());
	}

	@Bean
	@Lazy(false)
	JobMeters jobQueueMeters(TagValues tags) {
		return new JobMeters(tags);
	}

	/**
	 * Only a worker ticks schedules.
	 */
	@Bean
	@Lazy(false)
	@ConditionalOnSwitch(value = "jobqueue.worker.enabled", byDefault = true)
	RecurringGauge jobQueueRecurringGauge(RecurringTicker ticker) {
		return new RecurringGauge(ticker::lateness);
	}

	@Bean
	ReapedJobsListener jobQueueReapedJobsListener(JobMeters meters) {
		return meters::reaped;
	}

	@Bean
	FailedJobListener jobQueueFailedJobListener(JobMeters meters) {
		return meters::failed;
	}

}
