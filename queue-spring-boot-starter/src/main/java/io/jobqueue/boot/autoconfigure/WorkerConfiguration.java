package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import io.jobqueue.boot.autoconfigure.DatabaseConfiguration.QueueDatabase;
import io.jobqueue.internal.boot.datasource.PoolSize;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.dependency.DependencyResolver;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.maintenance.AgeRecorder;
import io.jobqueue.internal.maintenance.MaintenanceLoop;
import io.jobqueue.internal.maintenance.MaintenanceLoop.Task;
import io.jobqueue.internal.maintenance.Purge;
import io.jobqueue.internal.maintenance.Reaper;
import io.jobqueue.internal.maintenance.SizeMonitor;
import io.jobqueue.internal.maintenance.SnapshotMonitor;
import io.jobqueue.internal.maintenance.SubscriptionRetention;
import io.jobqueue.internal.maintenance.UnservedQueues;
import io.jobqueue.internal.maintenance.WorkflowRetention;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.internal.worker.JobWorker;
import io.jobqueue.internal.worker.WorkerServices;

/**
 * The worker, and the maintenance of the database.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSwitch(value = "jobqueue.worker.enabled", byDefault = true)
class WorkerConfiguration {

	private static final Duration MONITOR_INTERVAL = Duration.ofMinutes(1);

	private static final Duration SUBSCRIPTION_INTERVAL = Duration.ofHours(1);

	private static final Duration WORKFLOW_INTERVAL = Duration.ofMinutes(10);

	@Bean
	ConnectionBudget jobQueueConnectionBudget(QueueDatabase database, SchemaMigration migration, JobHandlers handlers,
			NodeSettings settings, JobQueueProperties properties) {
		return new ConnectionBudget(PoolSize.of(database.dataSource()), properties.worker().transactionalShare(),
				migration.timeouts(), handlers, settings.served(), settings.queues()::settings);
	}

	@Bean
	@Lazy(false)
	JobWorker jobQueueWorker(WorkerServices services, NodeSettings settings, ConnectionBudget budget) {
		return new JobWorker(services, settings.worker(), budget::settings, settings.served());
	}

	@Bean
	@Lazy(false)
	WorkerLifecycle jobQueueWorkerLifecycle(JobWorker worker, ConfigurableApplicationContext context,
			ConnectionBudget budget, WorkerServices services, NodeSettings settings, JobQueueProperties properties) {
		SharedTransactionCheck transactions = new SharedTransactionCheck(services.transactionManager(),
				services.handlers(), settings.served(), settings.queues()::settings);
		return new WorkerLifecycle(worker, context, () -> {
			budget.check();
			transactions.check();
		}, properties.worker().start(), LateStart.of(NamedThreads.daemons(settings.worker().name(), "start")));
	}

	@Bean
	@ConditionalOnSwitch(value = "jobqueue.worker.run-and-exit", byDefault = false)
	RunAndExit jobQueueRunAndExit(JobWorker worker, WorkerLifecycle lifecycle, ApplicationContext context) {
		return new RunAndExit(worker, lifecycle, context);
	}

	@Bean
	Reaper jobQueueReaper(PostgresStores stores, JobSignals signals, JobEvents events, DependencyResolver dependencies,
			ObjectProvider<ReapedJobsListener> listeners, NodeSettings settings) {
		return new Reaper(stores.maintenance(), signals,
				(reaped) -> listeners.forEach((listener) -> listener.onReaped(reaped)), events, dependencies,
				settings.queues()::keepCancelled);
	}

	@Bean
	Purge jobQueuePurge(PostgresStores stores) {
		return new Purge(stores.maintenance());
	}

	@Bean
	SizeMonitor jobQueueSizeMonitor(PostgresStores stores, JobQueueProperties properties) {
		return new SizeMonitor(stores.monitoring(), properties.warnings().jobs(), System::nanoTime);
	}

	@Bean
	SnapshotMonitor jobQueueSnapshotMonitor(PostgresStores stores, JobQueueProperties properties) {
		return new SnapshotMonitor(stores.monitoring()::cleanup, properties.warnings().snapshotAge(), System::nanoTime);
	}

	@Bean
	AgeRecorder jobQueueAgeRecorder(PostgresStores stores) {
		return new AgeRecorder(stores.monitoring(), stores.statistics());
	}

	@Bean
	SubscriptionRetention jobQueueSubscriptionRetention(PostgresStores stores, JobQueueProperties properties) {
		return new SubscriptionRetention(stores.subscriptions(), properties.topics().subscriptionRetention());
	}

	@Bean
	WorkflowRetention jobQueueWorkflowRetention(PostgresStores stores, JobQueueProperties properties) {
		return new WorkflowRetention(stores.workflows(), properties.workflows().retention());
	}

	@Bean
	@Lazy(false)
	MaintenanceLoop jobQueueMaintenance(Reaper reaper, Purge purge, UnservedQueues unserved, SizeMonitor sizes,
			SnapshotMonitor snapshots, AgeRecorder ages, SubscriptionRetention subscriptions,
			WorkflowRetention workflows, JobSignals signals, JobQueueProperties properties, NodeSettings settings) {
		return new MaintenanceLoop(
				List.of(new Task("The reaper", reaper::runOnce, properties.reaper().interval(), true),
						new Task("The purge", purge::runOnce, properties.reaper().purgeInterval(), true),
						new Task("The search for unserved queues", unserved::runOnce, MONITOR_INTERVAL, true),
						new Task("The size monitor", sizes::runOnce, MONITOR_INTERVAL, true),
						new Task("The recording of ages", ages::runOnce, MONITOR_INTERVAL, true),
						new Task("The snapshot monitor", snapshots::runOnce, MONITOR_INTERVAL, false),
						new Task("The retention of subscriptions", subscriptions::runOnce, SUBSCRIPTION_INTERVAL,
								false),
						new Task("The retention of workflows", workflows::runOnce, WORKFLOW_INTERVAL, false)),
				signals.tables(), settings.worker().name());
	}

	/**
	 * Is called with the jobs that the reaper of this node has reaped. It is no
	 * {@code Consumer}, since Spring Cloud Function would publish such a bean as a
	 * function of the application.
	 */
	@FunctionalInterface
	interface ReapedJobsListener {

		void onReaped(ReapedJobs jobs);

	}

}
