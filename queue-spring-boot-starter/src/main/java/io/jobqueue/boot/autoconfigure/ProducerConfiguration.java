package io.jobqueue.boot.autoconfigure;

import java.time.Clock;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.validation.SmartValidator;

import io.jobqueue.JobQueue;
import io.jobqueue.boot.autoconfigure.DatabaseConfiguration.QueueTransactions;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.properties.WorkerProperties.WakeUp;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.context.CallerContext;
import io.jobqueue.internal.dependency.DependencyResolver;
import io.jobqueue.internal.dependency.DependencyThread;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.outbox.CallerTransaction;
import io.jobqueue.internal.outbox.EnqueueListener;
import io.jobqueue.internal.outbox.JobIds;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.outbox.PayloadEncoder;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.signal.RemoteSignals;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.topic.TopicFanOut;
import io.jobqueue.internal.workflow.WorkflowFollower;
import io.jobqueue.observation.Interceptors;

/**
 * Enqueues jobs, and publishes their signals and events.
 */
@Configuration(proxyBeanMethods = false)
class ProducerConfiguration {

	private static final int MAX_SUBSCRIPTIONS = 10_000;

	@Bean
	JobSignals jobQueueSignals() {
		return new JobSignals();
	}

	@Bean
	@Lazy(false)
	RemoteSignals jobQueueRemoteSignals(JobSignals signals, PostgresStores stores, JobQueueProperties properties,
			NodeSettings settings) {
		boolean listens = properties.worker().enabled() && properties.worker().wakeUp() == WakeUp.AUTO;
		return new RemoteSignals(signals, stores.signals(), listens, settings.worker().name());
	}

	@Bean
	PayloadEncoder jobQueuePayloadEncoder(PayloadCodecs codecs, ObjectProvider<SmartValidator> validator,
			JobQueueProperties properties, PostgresStores stores) {
		return new PayloadEncoder(codecs, validator.getIfUnique(), properties.producer().maxPayloadSize().toBytes(),
				stores.encoding());
	}

	@Bean
	RequestReader jobQueueRequestReader(JobTypes types, JobHandlers handlers, NodeSettings settings,
			PayloadEncoder encoder, CallerContext context, ObjectProvider<Clock> clock, JobQueueProperties properties) {
		Clock own = clock.getIfUnique(Clock::systemUTC);
		return new RequestReader(types, handlers::queueOfOnlyHandler, settings.queues()::defaultPriority, encoder,
				context, new JobIds(own), own, properties.producer().staleAfter());
	}

	@Bean
	EnqueuedQueueCheck jobQueueEnqueuedQueueCheck(NodeSettings settings, JobHandlers handlers, JobTypes types,
			PostgresStores stores) {
		return new EnqueuedQueueCheck(() -> settings.named(handlers, types), () -> served(stores),
				stores.obstacles()::types);
	}

	private static Set<String> served(PostgresStores stores) {
		Set<String> queues = new TreeSet<>(stores.monitoring().servedQueues());
		stores.subscriptions().subscriptions(MAX_SUBSCRIPTIONS).forEach((each) -> queues.add(each.queue()));
		return queues;
	}

	@Bean
	CallerTransaction jobQueueCallerTransaction(QueueTransactions transactions, PostgresStores stores,
			JobQueueProperties properties) {
		return new CallerTransaction(transactions.manager(), stores.transactions(),
				properties.producer().requireTransaction());
	}

	@Bean
	DependencyResolver jobQueueDependencyResolver(PostgresStores stores, WorkflowFollower workflows, JobSignals signals,
			JobEvents events, NodeSettings settings, ObjectProvider<FailedJobListener> listeners) {
		return new DependencyResolver(stores.dependencies(), workflows, signals, events,
				(queue) -> settings.queues().settings(queue).keepDead(),
				(job) -> listeners.forEach((listener) -> listener.onFailed(job)));
	}

	@Bean
	@Lazy(false)
	DependencyThread jobQueueDependencyThread(DependencyResolver resolver, JobSignals signals, NodeSettings settings) {
		return new DependencyThread(resolver, signals, settings.worker().name());
	}

	@Bean
	@ConditionalOnMissingBean(JobQueue.class)
	Outbox jobQueue(Interceptors interceptors, RequestReader reader, CallerTransaction transaction,
			PostgresStores stores, JobSignals signals, JobEvents events, ObjectProvider<EnqueueListener> listeners) {
		return new Outbox(interceptors, reader, transaction, stores.jobs(), stores.batches(),
				new TopicFanOut(stores.subscriptions(), reader), signals, events, listeners.orderedStream().toList());
	}

	/**
	 * Called for each job that failed with a predecessor. Like
	 * {@code ReapedJobsListener}, it is no {@code Consumer}.
	 */
	@FunctionalInterface
	interface FailedJobListener {

		void onFailed(EndedJob job);

	}

}
