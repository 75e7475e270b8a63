package io.jobqueue.boot.autoconfigure;

import java.time.Clock;
import java.util.function.Predicate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.boot.alert.AlertLoop;
import io.jobqueue.boot.alert.AlertMeasurement;
import io.jobqueue.boot.alert.Alerts;
import io.jobqueue.boot.properties.AlertProperties;
import io.jobqueue.boot.properties.AlertProperties.Queues;
import io.jobqueue.boot.properties.JobQueueProperties;
import io.jobqueue.boot.settings.ConfiguredAlerts;
import io.jobqueue.boot.settings.NodeSettings;
import io.jobqueue.event.JobEvents;
import io.jobqueue.pull.DefaultJobPuller;
import io.jobqueue.store.postgresql.PostgresStores;
import io.jobqueue.worker.JobWorker;

/**
 * Alerts for jobs that need attention.
 */
@Configuration(proxyBeanMethods = false)
class AlertConfiguration {

	@Bean
	static LazyInitializationExcludeFilter jobQueueAlertsAreNeverLazy() {
		return LazyInitializationExcludeFilter.forBeanTypes(AlertLoop.class);
	}

	@Bean
	Alerts jobQueueAlerts(PostgresStores stores, NodeNames names, ObjectProvider<JobWorker> worker,
			ObjectProvider<DefaultJobPuller> puller, JobEvents events, ObjectProvider<Clock> clock,
			JobQueueProperties properties) {
		AlertProperties alerts = properties.alerts();
		AlertMeasurement measurement = new AlertMeasurement(stores.monitoring(), names::queues,
				new RunningJobs(worker, puller)::stream, ConfiguredAlerts.thresholds(alerts));
		Predicate<String> queues = (alerts.queues() == Queues.DECLARED) ? (queue) -> names.queues().contains(queue)
				: (queue) -> true;
		return new Alerts(measurement, queues, clock.getIfUnique(Clock::systemUTC), alerts.interval(), alerts.looks(),
				events::publish);
	}

	@Bean
	AlertLoop jobQueueAlertLoop(Alerts alerts, NodeSettings settings) {
		return new AlertLoop(alerts, settings.worker().name());
	}

}
