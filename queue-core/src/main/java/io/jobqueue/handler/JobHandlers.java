package io.jobqueue.handler;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.jobqueue.Delivery;
import io.jobqueue.observation.Interceptors;
import io.jobqueue.payload.JobTypes;
import io.jobqueue.payload.PayloadCodecs;
import io.jobqueue.policy.AttemptOptions;

/**
 * The handlers of this JVM. Which ones there are is known from the beans' classes as soon
 * as somebody asks; the beans themselves are created, and checked, with the other
 * singletons. Others are registered and taken away at any time.
 */
public final class JobHandlers implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final PayloadCodecs codecs;

	private final Interceptors interceptors;

	private final HandlerScanner scanner;

	private final List<HandlerDefinition> early = new CopyOnWriteArrayList<>();

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	private volatile @Nullable HandlerTable table;

	/**
	 * Create the handlers of a context.
	 * @param beanFactory the factory of the beans
	 * @param types the known types
	 * @param codecs what decodes payloads
	 * @param interceptors what stands around the handlers
	 */
	public JobHandlers(ConfigurableListableBeanFactory beanFactory, JobTypes types, PayloadCodecs codecs,
			Interceptors interceptors) {
		this.beanFactory = beanFactory;
		this.codecs = codecs;
		this.interceptors = interceptors;
		this.scanner = new HandlerScanner(beanFactory, new HandlerSignature(types, this::resolvePlaceholders));
	}

	/**
	 * Before all beans are there, some hide their class behind their factory method's
	 * return type: nothing that is found by then is final.
	 */
	private HandlerCatalog catalog() {
		HandlerTable complete = this.table;
		return (complete != null) ? complete.catalog() : new HandlerCatalog(this.scanner.scan()).with(this.early);
	}

	private String resolvePlaceholders(String value) {
		String resolved = this.beanFactory.resolveEmbeddedValue(value);
		return (resolved != null) ? resolved : "";
	}

	/**
	 * A bean that is created for its handlers may register others.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		HandlerTable beans = HandlerTable.EMPTY.with(this.scanner.scan(), this::invoker);
		synchronized (this) {
			this.table = beans.with(this.early, this::invoker);
		}
		catalog().warnOfUnreachable();
	}

	private HandlerInvoker invoker(HandlerDefinition definition) {
		return HandlerInvoker.of(definition, this.beanFactory, this.codecs, this.interceptors);
	}

	/**
	 * Have somebody told of handlers that come and go from now on.
	 * @param listener what to call, on the thread that changes them
	 */
	public void onChange(Runnable listener) {
		this.listeners.add(listener);
	}

	void add(HandlerDefinition definition) {
		synchronized (this) {
			HandlerTable complete = this.table;
			if (complete == null) {
				new HandlerCatalog(this.early).with(List.of(definition));
				this.early.add(definition);
			}
			else {
				this.table = complete.with(List.of(definition), this::invoker);
			}
		}
		this.listeners.forEach(Runnable::run);
	}

	/**
	 * Take away a handler that was registered.
	 * @return whether there was one
	 */
	boolean remove(String queue, String type) {
		synchronized (this) {
			HandlerTable complete = this.table;
			HandlerCatalog current = (complete != null) ? complete.catalog() : new HandlerCatalog(this.early);
			HandlerDefinition definition = current.definitions().get(new HandlerCatalog.Key(queue, type));
			if (definition == null || !definition.isRegistered()) {
				return false;
			}
			this.early.remove(definition);
			this.table = (complete != null) ? complete.without(definition) : null;
		}
		this.listeners.forEach(Runnable::run);
		return true;
	}

	/**
	 * Return the handler of a job.
	 * @param queue the job's queue
	 * @param type the job's type
	 * @return the handler, or {@code null} if there is none here
	 */
	public @Nullable HandlerInvoker find(String queue, String type) {
		HandlerTable complete = this.table;
		return (complete != null) ? complete.find(queue, type) : null;
	}

	/**
	 * Return the types that are handled here.
	 * @return the names of the types for each queue
	 */
	public Map<String, Set<String>> typesByQueue() {
		Map<String, Set<String>> types = new TreeMap<>();
		catalog().definitions()
			.keySet()
			.forEach((key) -> types.computeIfAbsent(key.queue(), (queue) -> new TreeSet<>()).add(key.type()));
		return types;
	}

	/**
	 * Return the types of a queue whose handlers are promised the given delivery.
	 * @param queue the queue's name
	 * @param delivery the promise
	 * @return the names of the types
	 */
	public Set<String> types(String queue, Delivery delivery) {
		return catalog().types(queue, delivery);
	}

	/**
	 * Return what the annotations of a queue's handlers say of the attempts of their
	 * jobs.
	 * @param queue the queue's name
	 * @return the options of types that have some
	 */
	public Map<String, AttemptOptions> options(String queue) {
		return catalog().options(queue);
	}

	/**
	 * Return the queues that the handlers of this JVM and the classes of their payloads
	 * name.
	 * @return names of queues
	 */
	public Set<String> queues() {
		return catalog().queues();
	}

	/**
	 * Return the queue of the type's only handler.
	 * @param type the name of the type
	 * @return the queue's name, or {@code null} if there is no handler or more than one
	 */
	public @Nullable String queueOfOnlyHandler(String type) {
		return catalog().queueOfOnlyHandler(type);
	}

}
