package io.jobqueue.boot.autoconfigure;

import java.time.Clock;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.boot.alert.AlertLoop;
import io.jobqueue.boot.alert.Alerts;
import io.jobqueue.boot.alert.Look;
import io.jobqueue.event.JobEvents;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.store.jdbc.JdbcStores;
import io.jobqueue.worker.JobWorker;
import io.jobqueue.worker.Puller;
import io.jobqueue.worker.RunningJob;

/**
 * What tells that somebody should look at jobs.
 */
@Configuration(proxyBeanMethods = false)
class AlertConfiguration {

	@Bean
	static LazyInitializationExcludeFilter jobQueueAlertsAreNeverLazy() {
		return LazyInitializationExcludeFilter.forBeanTypes(AlertLoop.class);
	}

	@Bean
	Alerts jobQueueAlerts(JdbcStores stores, NodeSettings settings, JobHandlers handlers,
			ObjectProvider<JobWorker> worker, ObjectProvider<Puller> puller, JobEvents events,
			ObjectProvider<Clock> clock, QueueProperties properties) {
		AlertProperties alerts = properties.getAlerts();
		Supplier<Stream<RunningJob>> running = () -> Stream.concat(
				worker.stream().flatMap((each) -> each.running().stream()),
				puller.stream().flatMap((each) -> each.running().stream()));
		Look look = new Look(stores.gauges(), new NodeNames(settings, handlers)::queues, running,
				ConfiguredAlerts.thresholds(alerts));
		return new Alerts(look, clock.getIfUnique(Clock::systemUTC), alerts.getInterval(), alerts.getLooks(),
				events::publish);
	}

	@Bean
	AlertLoop jobQueueAlertLoop(Alerts alerts, NodeSettings settings) {
		return new AlertLoop(alerts, settings.worker().name());
	}

}
