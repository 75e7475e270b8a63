package io.jobqueue.boot.autoconfigure;

import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.JobAlert;
import io.jobqueue.internal.boot.alert.Alerts;
import io.jobqueue.internal.boot.health.AlertStatus;
import io.jobqueue.internal.boot.health.HealthReader;
import io.jobqueue.internal.boot.health.NodeHealth;
import io.jobqueue.internal.boot.health.QueueHealthIndicator;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.direct.Sources;
import io.jobqueue.internal.maintenance.UnservedQueues;
import io.jobqueue.internal.relay.RelayWorker;
import io.jobqueue.internal.signal.RemoteSignals;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.worker.JobWorker;

/**
 * Health, if Spring Boot's health is on the class path.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("jobqueue")
class HealthConfiguration {

	/**
	 * Beans of the application with this type do not replace it.
	 */
	@Bean
	@ConditionalOnMissingBean(name = "jobQueueAlertStatus")
	AlertStatus jobQueueAlertStatus(Alerts alerts) {
		return () -> alerts.current().stream().map(JobAlert::toString).toList();
	}

	@Bean
	@ConditionalOnMissingBean(name = { "jobqueueHealthIndicator", "jobqueueHealthContributor" })
	QueueHealthIndicator jobqueueHealthContributor(PostgresStores stores, ObjectProvider<JobWorker> worker,
			ObjectProvider<WorkerLifecycle> lifecycle, RemoteSignals signals, UnservedQueues unserved,
			NodeSettings node, JobQueueProperties properties, ObjectProvider<AlertStatus> alerts,
			ObjectProvider<RelayWorker> relays, ObjectProvider<Sources> sources) {
		JobQueueProperties.Health settings = properties.health();
		String name = node.worker().name();
		WorkerLifecycle start = lifecycle.getIfAvailable();
		BooleanSupplier overdue = () -> start != null && start.isOverdue(settings.startGrace());
		return new QueueHealthIndicator(new NodeHealth(name, worker.getIfAvailable(), overdue, signals::isConnected),
				new HealthReader(stores.monitoring(), stores.pauses(), unserved, name),
				() -> Stream
					.of(alerts.orderedStream().map(AlertStatus::crossed), relays.stream().map(RelayWorker::problems),
							sources.stream().map(Sources::problems))
					.flatMap((each) -> each)
					.flatMap(Collection::stream)
					.toList(),
				settings);
	}

}
