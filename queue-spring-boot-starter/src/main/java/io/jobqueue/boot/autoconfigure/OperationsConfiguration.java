package io.jobqueue.boot.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.JobOperations;
import io.jobqueue.event.JobEvents;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.operations.OperationParts;
import io.jobqueue.operations.Operations;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.jdbc.JdbcStores;

/**
 * What can be done about jobs that are there.
 */
@Configuration(proxyBeanMethods = false)
class OperationsConfiguration {

	@Bean
	@ConditionalOnMissingBean(JobOperations.class)
	Operations jobQueueOperations(JdbcStores stores, JobSignals signals, JobEvents events, JobHandlers handlers,
			NodeSettings settings, QueueTransactions transactions) {
		OperationParts parts = new OperationParts(stores.operations(), stores.search(), stores.gauges(), signals,
				events, (queue) -> settings.queues().keepCancelled(queue, () -> settings.known(handlers)),
				transactions.manager());
		return new Operations(parts);
	}

}
