package io.jobqueue.boot.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.Assert;

import io.jobqueue.JobOperations;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.Workflows;
import io.jobqueue.boot.autoconfigure.DatabaseConfiguration.QueueTransactions;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.operations.CurrentUser;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.workflow.DefaultWorkflows;
import io.jobqueue.internal.workflow.StoredResults;
import io.jobqueue.internal.workflow.WorkflowCatalog;
import io.jobqueue.internal.workflow.WorkflowFollower;

/**
 * Workflows.
 */
@Configuration(proxyBeanMethods = false)
class WorkflowConfiguration {

	@Bean
	@Lazy(false) // it refuses two definitions of one name
	WorkflowCatalog jobQueueWorkflowCatalog(ObjectProvider<WorkflowDefinition<?>> definitions) {
		return new WorkflowCatalog(definitions.stream().toList());
	}

	@Bean
	WorkflowFollower jobQueueWorkflowFollower(PostgresStores stores, JobSignals signals,
			ObjectProvider<JobOperations> operations) {
		return new WorkflowFollower(stores.workflows(), signals, operations::getObject);
	}

	@Bean
	StoredResults jobQueueStepResults(PostgresStores stores, PayloadCodecs codecs, JobQueueProperties properties) {
		return new StoredResults(stores.workflows(), codecs, properties.producer().maxPayloadSize().toBytes());
	}

	@Bean
	@ConditionalOnMissingBean(Workflows.class)
	DefaultWorkflows jobQueueWorkflows(WorkflowCatalog catalog, EnqueuedQueueCheck check, JobHandlers handlers,
			ObjectProvider<Outbox> outbox, ObjectProvider<JobOperations> operations, RequestReader reader,
			PostgresStores stores, WorkflowFollower follower, ObjectProvider<CurrentUser> user,
			QueueTransactions transactions) {
		return new DefaultWorkflows(catalog,
				(workflow, steps) -> check.started(workflow, steps, handlers::typesByQueue), () -> required(outbox),
				operations::getObject, reader, stores.workflows(), follower, user.getIfAvailable(() -> () -> null),
				transactions.manager());
	}

	/**
	 * An application may replace the queue, for example in a test, and start with
	 * definitions of workflows nevertheless.
	 */
	private static Outbox required(ObjectProvider<Outbox> outbox) {
		Outbox found = outbox.getIfAvailable();
		Assert.state(found != null,
				"The workflow cannot start: a bean of type JobQueue replaces or wraps the queue that would enqueue its steps. Remove this bean, and declare a JobInterceptor for what it adds");
		return found;
	}

}
