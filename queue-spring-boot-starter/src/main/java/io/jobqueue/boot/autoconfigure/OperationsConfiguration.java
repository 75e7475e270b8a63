package io.jobqueue.boot.autoconfigure;

import java.time.Clock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

import io.jobqueue.JobOperations;
import io.jobqueue.boot.autoconfigure.DatabaseConfiguration.QueueTransactions;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.operations.BulkSteps;
import io.jobqueue.internal.operations.CurrentUser;
import io.jobqueue.internal.operations.DefaultJobOperations;
import io.jobqueue.internal.operations.LocalQueues;
import io.jobqueue.internal.operations.LocalRunner;
import io.jobqueue.internal.operations.OperationServices;
import io.jobqueue.internal.outbox.JobIds;
import io.jobqueue.internal.pull.DefaultJobPuller;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * The operations on stored jobs.
 */
@Configuration(proxyBeanMethods = false)
class OperationsConfiguration {

	@Bean
	@ConditionalOnMissingBean(JobOperations.class)
	DefaultJobOperations jobQueueOperations(OperationServices services) {
		return new DefaultJobOperations(services);
	}

	@Bean
	BulkSteps jobQueueBulkSteps(OperationServices services) {
		return new BulkSteps(services);
	}

	@Bean
	OperationServices jobQueueOperationServices(PostgresStores stores, JobSignals signals, JobEvents events,
			ObjectProvider<DefaultJobPuller> puller, ObjectProvider<JobHandlers> handlers, ObjectProvider<Clock> clock,
			ObjectProvider<CurrentUser> user, NodeSettings settings, QueueTransactions transactions) {
		LocalRunner runner = (job, queue, type, keyed, begins) -> puller.getObject()
			.runHere(job, queue, type, keyed, begins);
		LocalQueues local = new LocalQueues(() -> handlers.getObject().typesByQueue(),
				(queue) -> settings.queues().settings(queue).concurrency(),
				(queue) -> settings.queues().settings(queue).limits());
		return new OperationServices(stores.operations(), stores.search(), stores.obstacles(), local, stores.batches(),
				stores.pauses(), stores.subscriptions(), stores.operatorLog(), stores.monitoring(), signals, events,
				runner, new JobIds(clock.getIfUnique(Clock::systemUTC)), settings.queues()::keepCancelled,
				user.getIfAvailable(() -> () -> null), transactions.manager());
	}

	/**
	 * The user that Spring Security has authenticated. A web user without a login is
	 * unknown.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SecurityContextHolder.class)
	static class SecurityConfiguration {

		@Bean
		@ConditionalOnMissingBean
		CurrentUser jobQueueCurrentUser() {
			return () -> {
				Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
				return (authentication == null || authentication instanceof AnonymousAuthenticationToken) ? null
						: authentication.getName();
			};
		}

	}

}
