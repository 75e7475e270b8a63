package io.jobqueue.boot.autoconfigure;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import io.jobqueue.JobPuller;
import io.jobqueue.boot.autoconfigure.DatabaseConfiguration.QueueTransactions;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.properties.WorkerProperties.WakeUp;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.context.CallerContext;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.pull.DefaultJobPuller;
import io.jobqueue.internal.pull.PullerServices;
import io.jobqueue.internal.recurring.RecurringTicker;
import io.jobqueue.internal.relay.RelayWorker;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.signal.RemoteSignals;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.topic.DeclaredSubscriptions;
import io.jobqueue.internal.worker.JobWorker;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.internal.worker.completion.WorkListener;
import io.jobqueue.internal.worker.execution.RunningJob;
import io.jobqueue.internal.workflow.StoredResults;
import io.jobqueue.observation.Interceptors;

/**
 * Jobs that threads of the application pull, and the services that a puller and a worker
 * share.
 */
@Configuration(proxyBeanMethods = false)
class PullConfiguration {

	@Bean
	WorkerServices jobQueueWorkerServices(PostgresStores stores, JobHandlers handlers, QueueTransactions transactions,
			JobSignals signals, JobEvents events, CallerContext context, RecurringTicker ticker,
			DeclaredSubscriptions subscriptions, StoredResults results, RemoteSignals remoteSignals,
			ObjectProvider<WorkListener> times) {
		return new WorkerServices(stores.jobs(), stores.batches(), stores.workers(), stores.statistics(), handlers,
				transactions.manager(), stores.transactions(), signals, events, context, ticker, subscriptions, results,
				remoteSignals::isConnected, times.getIfAvailable(() -> WorkListener.NONE));
	}

	@Bean
	DeclaredSubscriptions jobQueueDeclaredSubscriptions(JobHandlers handlers, PostgresStores stores) {
		return new DeclaredSubscriptions(handlers::subscriptions, stores.subscriptions(), System::nanoTime);
	}

	@Bean
	@Lazy(false) // it takes part in the start and stop of the application
	@ConditionalOnMissingBean(JobPuller.class)
	DefaultJobPuller jobQueuePuller(WorkerServices services, JobTypes types, PayloadCodecs codecs,
			Interceptors interceptors, RemoteSignals remoteSignals, JobQueueProperties properties,
			NodeSettings settings) {
		boolean listens = properties.worker().wakeUp() == WakeUp.AUTO;
		Runnable listen = listens ? remoteSignals::listen : () -> {
		};
		return new DefaultJobPuller(new PullerServices(services, types, codecs, interceptors, listen),
				settings.worker(), settings.queues()::settings);
	}

	/**
	 * Return a supplier of the jobs that run in this JVM: those of handlers, of pullers,
	 * of relays and of sources.
	 */
	static Supplier<Stream<RunningJob>> running(ObjectProvider<JobWorker> worker,
			ObjectProvider<DefaultJobPuller> puller, ObjectProvider<RelayWorker> relays,
			ObjectProvider<DirectWorker> direct) {
		return () -> Stream
			.of(worker.stream().map(JobWorker::running), puller.stream().map(DefaultJobPuller::running),
					relays.stream().map(RelayWorker::running), direct.stream().map(DirectWorker::running))
			.flatMap((each) -> each)
			.flatMap(List::stream);
	}

}
