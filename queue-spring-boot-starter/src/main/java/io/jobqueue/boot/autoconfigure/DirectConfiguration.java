package io.jobqueue.boot.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.worker.JobWorker;
import io.jobqueue.internal.worker.WorkerServices;

/**
 * Runs jobs of sources outside the database, which other modules start.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSwitch(value = "jobqueue.worker.enabled", byDefault = true)
class DirectConfiguration {

	@Bean
	DirectWorker jobQueueDirectWorker(WorkerServices services, NodeSettings settings, JobWorker worker,
			ObjectProvider<Outbox> outbox, PostgresStores stores) {
		return new DirectWorker(services, settings.worker(), settings.queues()::settings,
				(queue) -> settings.served() == null || settings.served().contains(queue), worker::isRunning,
				outbox.getIfAvailable(), stores.sources());
	}

}
