package io.jobqueue.boot.autoconfigure;

import java.time.Clock;
import java.util.function.Predicate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import io.jobqueue.internal.boot.alert.AlertLoop;
import io.jobqueue.internal.boot.alert.AlertMeasurement;
import io.jobqueue.internal.boot.alert.Alerts;
import io.jobqueue.internal.boot.properties.AlertProperties;
import io.jobqueue.internal.boot.properties.AlertProperties.Queues;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.settings.ConfiguredAlerts;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.pull.DefaultJobPuller;
import io.jobqueue.internal.relay.RelayWorker;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.worker.JobWorker;

/**
 * Alerts for jobs that need attention.
 */
@Configuration(proxyBeanMethods = false)
class AlertConfiguration {

	@Bean
	Alerts jobQueueAlerts(PostgresStores stores, NodeNames names, ObjectProvider<JobWorker> worker,
			ObjectProvider<DefaultJobPuller> puller, ObjectProvider<RelayWorker> relays,
			ObjectProvider<DirectWorker> direct, JobEvents events, JobSignals signals, ObjectProvider<Clock> clock,
			JobQueueProperties properties) {
		AlertProperties alerts = properties.alerts();
		AlertMeasurement measurement = new AlertMeasurement(stores.monitoring(), names::queues,
				PullConfiguration.running(worker, puller, relays, direct), ConfiguredAlerts.thresholds(alerts),
				() -> signals.tables().areEmpty(alerts.interval()));
		Predicate<String> queues = (alerts.queues() == Queues.DECLARED) ? (queue) -> names.queues().contains(queue)
				: (queue) -> true;
		return new Alerts(measurement, queues, clock.getIfUnique(Clock::systemUTC), alerts.interval(), alerts.looks(),
				events::publish);
	}

	@Bean
	@Lazy(false)
	AlertLoop jobQueueAlertLoop(Alerts alerts, NodeSettings settings) {
		return new AlertLoop(alerts, settings.worker().name());
	}

}
