package io.jobqueue.harness;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.DefaultEventListenerFactory;
import org.springframework.context.event.EventListenerMethodProcessor;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.env.PropertySource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.RecurringJobs;
import io.jobqueue.Workflows;
import io.jobqueue.internal.context.CallerContext;
import io.jobqueue.internal.dependency.DependencyResolver;
import io.jobqueue.internal.dependency.DependencyThread;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.handler.HandlerRegistry;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.maintenance.MaintenanceLoop;
import io.jobqueue.internal.maintenance.MaintenanceLoop.Task;
import io.jobqueue.internal.maintenance.Purge;
import io.jobqueue.internal.maintenance.Reaper;
import io.jobqueue.internal.maintenance.UnservedQueues;
import io.jobqueue.internal.operations.DefaultJobOperations;
import io.jobqueue.internal.operations.LocalQueues;
import io.jobqueue.internal.operations.OperationServices;
import io.jobqueue.internal.outbox.CallerTransaction;
import io.jobqueue.internal.outbox.JobIds;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.outbox.PayloadEncoder;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.pull.DefaultJobPuller;
import io.jobqueue.internal.pull.PullerServices;
import io.jobqueue.internal.recurring.DeclaredSchedules;
import io.jobqueue.internal.recurring.DeclaredSchedules.Declaration;
import io.jobqueue.internal.recurring.DefaultRecurringJobs;
import io.jobqueue.internal.recurring.RecurringTicker;
import io.jobqueue.internal.recurring.ScheduleReader;
import io.jobqueue.internal.recurring.TickWriter;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.signal.RemoteSignals;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.topic.DeclaredSubscriptions;
import io.jobqueue.internal.topic.TopicFanOut;
import io.jobqueue.internal.worker.JobWorker;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.workflow.DefaultWorkflows;
import io.jobqueue.internal.workflow.StoredResults;
import io.jobqueue.internal.workflow.WorkflowCatalog;
import io.jobqueue.internal.workflow.WorkflowFollower;
import io.jobqueue.observation.Interceptors;

import static org.springframework.beans.factory.support.BeanDefinitionReaderUtils.uniqueBeanName;

/**
 * A producer and a worker on one database, as an application would have them, wired by
 * hand.
 */
public final class QueueNode implements AutoCloseable {

	private final TestNodeSettings settings;

	private final WorkerSettings workerSettings;

	private final GenericApplicationContext context = new GenericApplicationContext();

	private final JobSignals signals = new JobSignals();

	private final PostgresStores stores;

	private final JobStore jobs;

	private final JobTypes types;

	private final JobHandlers handlers;

	private final RequestReader reader;

	private final Outbox queue;

	private final Workflows workflows;

	private final TransactionTemplate transaction;

	private final RemoteSignals remoteSignals;

	private final DependencyResolver resolver;

	private final DependencyThread dependencies;

	private final MaintenanceLoop maintenance;

	private final PlatformTransactionManager transactionManager;

	private final JobEvents events;

	private final CallerContext callerContext;

	private final WorkerServices workerServices;

	private final JobWorker worker;

	private final DefaultRecurringJobs recurring;

	private final RecurringTicker ticker;

	private final DefaultJobPuller puller;

	private final List<ReapedJobs> reaped = new CopyOnWriteArrayList<>();

	/**
	 * Wire a node.
	 * @param settings how
	 */
	public QueueNode(TestNodeSettings settings) {
		this.settings = settings;
		this.workerSettings = settings.worker.build();
		this.stores = PostgresStores.of(settings.dataSource, settings.unpooled, settings.schema);
		this.jobs = settings.applyTo(this.stores.jobs());
		this.types = new JobTypes();
		Interceptors interceptors = new Interceptors(
				this.context.getDefaultListableBeanFactory().getBeanProvider(JobInterceptor.class),
				settings.observations, new TestNames(this::queueOf, this::typeOf), null, null);
		this.handlers = handlers(this.types, interceptors);
		this.events = new JobEvents(this.context, this.workerSettings.name());
		this.callerContext = new CallerContext(settings.mdcKeys, settings.contextKeys);
		this.transactionManager = new JdbcTransactionManager(settings.dataSource);
		this.transaction = new TransactionTemplate(this.transactionManager);
		this.reader = new RequestReader(this.types, this.handlers::queueOfOnlyHandler, (name) -> Priority.USER_VISIBLE,
				new PayloadEncoder(settings.codecs, settings.validator, settings.maxPayloadSize,
						this.stores.encoding()),
				this.callerContext, new JobIds(settings.clock), settings.clock, settings.staleAfter);
		CallerTransaction caller = new CallerTransaction(this.transactionManager, this.stores.transactions(),
				settings.requireTransaction);
		this.queue = new Outbox(interceptors, this.reader, caller, this.jobs, this.stores.batches(),
				new TopicFanOut(this.stores.subscriptions(), this.reader), this.signals, this.events, List.of());
		WorkflowFollower follower = new WorkflowFollower(this.stores.workflows(), this.signals, this::operations);
		this.workflows = new DefaultWorkflows(new WorkflowCatalog(settings.workflows), (workflow, steps) -> {
		}, () -> this.queue, this::operations, this.reader, this.stores.workflows(), follower, () -> settings.user,
				this.transactionManager);
		ScheduleReader schedules = new ScheduleReader(this.reader, ZoneOffset.UTC);
		DeclaredSchedules declared = declared(schedules);
		TickWriter ticks = new TickWriter(this.stores.recurring(), this.signals, this.events,
				new JobIds(settings.clock), (queue) -> Priority.USER_VISIBLE.value());
		this.recurring = new DefaultRecurringJobs(this.stores.recurring(), schedules, declared, caller,
				this.transactionManager, ticks, this.signals, (queue, type) -> {
				}, () -> settings.user);
		this.ticker = new RecurringTicker(this.stores.recurring(), this.stores.operations(), declared, ticks,
				this.signals, settings.tickListeners);
		this.remoteSignals = new RemoteSignals(this.signals, this.stores.signals(), settings.listens,
				this.workerSettings.name());
		this.resolver = new DependencyResolver(this.stores.dependencies(), follower, this.signals, this.events,
				(name) -> queueSettings().keepDead(), (dead) -> {
				});
		this.dependencies = new DependencyThread(this.resolver, this.signals, this.workerSettings.name());
		this.maintenance = maintenance();
		this.workerServices = new WorkerServices(this.jobs, this.stores.batches(), this.stores.workers(),
				this.stores.statistics(), this.handlers, this.transactionManager, this.stores.transactions(),
				this.signals, this.events, this.callerContext, this.ticker,
				new DeclaredSubscriptions(this.handlers::subscriptions, this.stores.subscriptions(), System::nanoTime),
				new StoredResults(this.stores.workflows(), settings.codecs, settings.maxPayloadSize),
				this.remoteSignals::isConnected, settings.workListener);
		this.worker = new JobWorker(this.workerServices, this.workerSettings, (name) -> queueSettings(),
				settings.served);
		this.puller = new DefaultJobPuller(
				new PullerServices(this.workerServices, this.types, settings.codecs, interceptors, this::listen),
				this.workerSettings, (name) -> queueSettings());
	}

	private DeclaredSchedules declared(ScheduleReader schedules) {
		DeclaredSchedules declared = new DeclaredSchedules(
				() -> this.handlers.schedules()
					.stream()
					.map((method) -> new Declaration(Objects.requireNonNull(method.schedule()), method.description()))
					.toList(),
				schedules, this.stores.recurring(), this.transactionManager, this.workerSettings.application());
		declared.afterSingletonsInstantiated();
		return declared;
	}

	private String queueOf(JobRequest request) {
		return this.reader.queue(request, typeOf(request));
	}

	private String typeOf(JobRequest request) {
		return this.reader.type(request);
	}

	private JobHandlers handlers(JobTypes types, Interceptors interceptors) {
		this.context.getDefaultListableBeanFactory().setDependencyComparator(AnnotationAwareOrderComparator.INSTANCE);
		this.context.registerBean(EventListenerMethodProcessor.class);
		this.context.registerBean(DefaultEventListenerFactory.class);
		for (Object bean : this.settings.beans) {
			register(bean);
		}
		this.settings.placeholders.forEach(this::resolve);
		this.context.refresh();
		JobHandlers all = new JobHandlers(this.context.getBeanFactory(), types, this.settings.codecs, interceptors);
		all.afterSingletonsInstantiated();
		return all;
	}

	private void resolve(String placeholder, Supplier<String> value) {
		this.context.getEnvironment().getPropertySources().addFirst(new PropertySource<>(placeholder) {

			@Override
			public @Nullable Object getProperty(String name) {
				return name.equals(placeholder) ? value.get() : null;
			}

		});
	}

	private <T> void register(T bean) {
		@SuppressWarnings("unchecked")
		Class<T> type = (Class<T>) bean.getClass();
		String name = Character.toLowerCase(type.getSimpleName().charAt(0)) + type.getSimpleName().substring(1);
		AbstractBeanDefinition definition = BeanDefinitionBuilder.genericBeanDefinition(type, () -> bean)
			.getBeanDefinition();
		this.context.registerBeanDefinition(
				this.context.containsBeanDefinition(name) ? uniqueBeanName(name, this.context) : name, definition);
	}

	private MaintenanceLoop maintenance() {
		Reaper reaper = new Reaper(this.stores.maintenance(), this.signals, this.reaped::add, this.events,
				this.resolver, (queue) -> this.settings.keepCancelled);
		UnservedQueues unserved = new UnservedQueues(this.stores.monitoring(), this.stores.search(),
				this.stores.pauses(), this.workerSettings.timeout(), System::nanoTime);
		Duration minute = Duration.ofMinutes(1);
		return new MaintenanceLoop(
				List.of(new Task("The reaper", reaper::runOnce, this.settings.reaperInterval, true),
						new Task("The purge", new Purge(this.stores.maintenance())::runOnce, minute, true),
						new Task("The search for unserved queues", unserved::runOnce, minute, true)),
				this.signals.tables(), this.workerSettings.name());
	}

	private void listen() {
		if (this.settings.listens) {
			this.remoteSignals.listen();
		}
	}

	/**
	 * Create a runtime beside the node's own worker, which is not started.
	 * @param threads returns the thread factory for a role
	 */
	public WorkerRuntime workerRuntime(Function<String, ThreadFactory> threads) {
		return new WorkerRuntime(this.workerServices, this.workerSettings, (name) -> queueSettings(), threads);
	}

	public WorkerServices workerServices() {
		return this.workerServices;
	}

	public QueueSettings queueSettings() {
		return this.settings.queues.build();
	}

	/**
	 * Start everything, in the order of the phases.
	 * @return this
	 */
	public QueueNode start() {
		this.events.start();
		this.remoteSignals.start();
		this.maintenance.start();
		this.worker.start();
		this.puller.start();
		return this;
	}

	public JobQueue queue() {
		return this.queue;
	}

	public Workflows workflows() {
		return this.workflows;
	}

	public JobHandlerRegistry registry() {
		return new HandlerRegistry(this.handlers, this.types, Set.of());
	}

	public JobOperations operations() {
		return new DefaultJobOperations(operationServices());
	}

	public OperationServices operationServices() {
		return new OperationServices(this.stores.operations(), this.stores.search(), this.stores.obstacles(),
				new LocalQueues(this.handlers::typesByQueue, (queue) -> queueSettings().concurrency(),
						(queue) -> queueSettings().limits()),
				this.stores.batches(), this.stores.pauses(), this.stores.subscriptions(), this.stores.operatorLog(),
				this.stores.monitoring(), this.signals, this.events, this.puller::runHere,
				new JobIds(this.settings.clock), (name) -> this.settings.keepCancelled, () -> this.settings.user,
				this.transactionManager);
	}

	public RecurringJobs recurring() {
		return this.recurring;
	}

	public RecurringTicker ticker() {
		return this.ticker;
	}

	public TransactionTemplate transaction() {
		return this.transaction;
	}

	public PlatformTransactionManager transactionManager() {
		return this.transactionManager;
	}

	public DefaultJobPuller puller() {
		return this.puller;
	}

	public JobWorker jobWorker() {
		return this.worker;
	}

	public JobEvents events() {
		return this.events;
	}

	public ConfigurableApplicationContext context() {
		return this.context;
	}

	public RemoteSignals remoteSignals() {
		return this.remoteSignals;
	}

	public List<ReapedJobs> reaped() {
		return this.reaped;
	}

	@Override
	public void close() {
		this.puller.stop();
		this.worker.stop();
		this.maintenance.stop();
		this.remoteSignals.stop();
		this.dependencies.close();
		this.events.stop();
		this.stores.close();
		this.context.close();
	}

}
