package io.jobqueue.internal.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.jobqueue.Delivery;
import io.jobqueue.JobInterceptor;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.store.SubscriptionStore.Declaration;
import io.jobqueue.observation.Interceptors;

/**
 * The handlers of this JVM. Handlers of beans are found by the classes of the beans; the
 * beans are checked, and created where they are lazy, after the other singletons. Further
 * handlers can be registered and unregistered at any time.
 */
public final class JobHandlers implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final PayloadCodecs codecs;

	private final Interceptors interceptors;

	private final HandlerScanner scanner;

	private final List<HandlerDefinition> early = new CopyOnWriteArrayList<>();

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	private volatile @Nullable HandlerCatalog complete;

	/**
	 * Create the handlers of a context.
	 * @param beanFactory the factory of the beans
	 * @param types the known types
	 * @param codecs the codecs of payloads
	 * @param interceptors the interceptors around each handler
	 */
	public JobHandlers(ConfigurableListableBeanFactory beanFactory, JobTypes types, PayloadCodecs codecs,
			Interceptors interceptors) {
		this.beanFactory = beanFactory;
		this.codecs = codecs;
		this.interceptors = interceptors;
		this.scanner = new HandlerScanner(beanFactory, types, codecs.json());
	}

	/**
	 * Create the processor of beans that makes jobs of the calls of {@code @AsyncJob}
	 * methods.
	 * @return a new processor
	 */
	public static BeanPostProcessor asyncJobs() {
		return new AsyncJobPostProcessor();
	}

	/**
	 * Each call scans the beans until all are created: before that, the return type of a
	 * factory method may be less specific than the class of its bean.
	 */
	private HandlerCatalog catalog() {
		HandlerCatalog known = this.complete;
		return (known != null) ? known : HandlerCatalog.EMPTY.with(this.scanner.scan()).with(this.early);
	}

	/**
	 * Handlers that are registered while the beans with handlers are created are added
	 * afterwards.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		HandlerCatalog beans = HandlerCatalog.EMPTY.with(this.scanner.scan(), this::invoker);
		beans.definitions()
			.filter((handler) -> handler.batch() != null)
			.findFirst()
			.ifPresent(this::rejectInterceptors);
		synchronized (this) {
			this.complete = beans.with(this.early, this::invoker);
		}
		catalog().warnOfUnreachable();
	}

	/**
	 * An interceptor that only knows single jobs would not be called, and one job could
	 * run with what belongs to another.
	 */
	private void rejectInterceptors(HandlerDefinition handler) {
		JobInterceptor unaware = this.interceptors.withoutBatches();
		if (unaware != null) {
			throw new InvalidHandlerException(
					"%s takes several jobs in one call, but the interceptor %s overrides aroundRun and not aroundBatch: it would not be called"
						.formatted(handler.description(), AopUtils.getTargetClass(unaware).getName()),
					"Override aroundBatch as well, and let it handle jobs that differ in what aroundRun reads of them; or take a single job");
		}
	}

	private HandlerInvoker invoker(HandlerDefinition definition) {
		return HandlerInvoker.of(definition, this.beanFactory, this.codecs, this.interceptors);
	}

	/**
	 * Add a listener for handlers that are registered or unregistered from now on.
	 * @param listener called on the thread that makes the change
	 */
	public void onChange(Runnable listener) {
		this.listeners.add(listener);
	}

	void add(HandlerDefinition definition) {
		synchronized (this) {
			HandlerCatalog known = this.complete;
			if (known == null) {
				HandlerCatalog unused = HandlerCatalog.EMPTY.with(this.early).with(List.of(definition));
				this.early.add(definition);
			}
			else {
				this.complete = known.with(List.of(definition), this::invoker);
			}
		}
		this.listeners.forEach(Runnable::run);
	}

	/**
	 * Remove a registered handler.
	 * @return {@code true} if there was one
	 */
	boolean remove(String queue, String type) {
		synchronized (this) {
			HandlerCatalog known = this.complete;
			HandlerCatalog current = (known != null) ? known : HandlerCatalog.EMPTY.with(this.early);
			HandlerDefinition definition = current.definition(queue, type);
			if (definition == null || !definition.isRegistered()) {
				return false;
			}
			this.early.remove(definition);
			this.complete = (known != null) ? known.without(definition) : null;
		}
		this.listeners.forEach(Runnable::run);
		return true;
	}

	/**
	 * Return the handler of a job.
	 * @param queue the job's queue
	 * @param type the job's type
	 * @return the handler, or {@code null} if this JVM has none or has not created it yet
	 */
	public @Nullable HandlerInvoker find(String queue, String type) {
		HandlerCatalog known = this.complete;
		return (known != null) ? known.find(queue, type) : null;
	}

	/**
	 * Return the limits of a call of the handler of a job.
	 * @param queue the job's queue
	 * @param type the job's type
	 * @return the limits, {@code null} if each call takes one job, or this JVM has no
	 * such handler
	 */
	public @Nullable BatchLimits batch(String queue, String type) {
		HandlerCatalog known = this.complete;
		return (known != null) ? known.batch(queue, type) : null;
	}

	/**
	 * Return the number of jobs that each call of a queue's handlers can take.
	 * @param queue the queue
	 * @return the number, 1 if some of them take a single job
	 */
	public int jobsPerCall(String queue) {
		return catalog().definitions()
			.filter((definition) -> definition.queue().equals(queue))
			.map(HandlerDefinition::batch)
			.mapToInt((limits) -> (limits != null) ? limits.size() : 1)
			.min()
			.orElse(1);
	}

	/**
	 * Return the types that have handlers in this JVM.
	 * @return the names of the types for each queue
	 */
	public Map<String, Set<String>> typesByQueue() {
		Map<String, Set<String>> types = new TreeMap<>();
		catalog().definitions()
			.forEach((definition) -> types.computeIfAbsent(definition.queue(), (queue) -> new TreeSet<>())
				.addAll(definition.types()));
		return types;
	}

	/**
	 * Return the schedules that methods of beans declare, without those that are switched
	 * off.
	 * @return the schedules
	 */
	public List<RecurringMethod> schedules() {
		return catalog().definitions()
			.map(HandlerDefinition::target)
			.filter(RecurringMethod.class::isInstance)
			.map(RecurringMethod.class::cast)
			.filter((method) -> method.schedule() != null)
			.toList();
	}

	/**
	 * Return the subscriptions to topics that handlers declare.
	 * @return the subscriptions
	 */
	public List<Declaration> subscriptions() {
		return catalog().definitions()
			.flatMap((definition) -> Stream.ofNullable(definition.subscription())
				.map((subscription) -> declaration(definition, subscription)))
			.toList();
	}

	private static Declaration declaration(HandlerDefinition definition, TopicAttributes subscription) {
		return new Declaration(subscription.topic(), subscription.subscriber(), subscription.filter(),
				definition.queue(), definition.types());
	}

	/**
	 * Return the definition of a method whose calls become jobs.
	 * @param method the method that has the annotation
	 */
	@Nullable AsyncJobMethod asyncJob(Method method) {
		return catalog().definitions()
			.map(HandlerDefinition::target)
			.filter(AsyncJobMethod.class::isInstance)
			.map(AsyncJobMethod.class::cast)
			.filter((job) -> job.annotated().equals(method))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return the type that the payloads of jobs are decoded to.
	 * @param queue the queue
	 * @param type the name of the job type
	 * @return the type, {@code null} if this JVM has no such handler
	 */
	public @Nullable Type payloadType(String queue, String type) {
		HandlerDefinition definition = catalog().definition(queue, type);
		return (definition != null) ? definition.payloadType() : null;
	}

	/**
	 * Return the types of a queue whose handlers have the given delivery.
	 * @param queue the queue's name
	 * @param delivery the delivery
	 * @return the names of the types
	 */
	public Set<String> types(String queue, Delivery delivery) {
		Set<String> types = new TreeSet<>();
		ofQueue(queue).filter((definition) -> definition.delivery() == delivery)
			.forEach((definition) -> types.addAll(definition.types()));
		return types;
	}

	/**
	 * Return the attempt options of a queue's handlers.
	 * @param queue the queue's name
	 * @return the options by type, without empty ones
	 */
	public Map<String, AttemptOptions> options(String queue) {
		Map<String, AttemptOptions> options = new TreeMap<>();
		ofQueue(queue).filter((definition) -> !definition.options().equals(AttemptOptions.NONE))
			.forEach((definition) -> definition.types().forEach((type) -> options.put(type, definition.options())));
		return options;
	}

	private Stream<HandlerDefinition> ofQueue(String queue) {
		return catalog().definitions().filter((definition) -> definition.queue().equals(queue));
	}

	/**
	 * Return the queues that handlers of this JVM serve, and those to which their
	 * payloads are enqueued by default.
	 * @return the names of the queues
	 */
	public Set<String> queues() {
		return catalog().queues();
	}

	/**
	 * Return the queue of the type's only handler, subscribers to topics apart.
	 * @param type the name of the type
	 * @return the queue's name, or {@code null} if there is no handler or more than one
	 */
	public @Nullable String queueOfOnlyHandler(String type) {
		return catalog().queueOfOnlyHandler(type);
	}

}
