package io.jobqueue.handler;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.jobqueue.Delivery;
import io.jobqueue.interceptor.Interceptors;
import io.jobqueue.payload.JobTypes;
import io.jobqueue.payload.PayloadCodecs;

/**
 * The handlers of this JVM. Which ones there are is known from the beans' classes as soon
 * as somebody asks; the beans themselves are created, and checked, with the other
 * singletons.
 */
public final class JobHandlers implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final PayloadCodecs codecs;

	private final Interceptors interceptors;

	private final HandlerScanner scanner;

	private volatile @Nullable HandlerCatalog catalog;

	private Map<HandlerCatalog.Key, HandlerInvoker> invokers = Map.of();

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
		HandlerCatalog complete = this.catalog;
		return (complete != null) ? complete : new HandlerCatalog(this.scanner.scan());
	}

	private String resolvePlaceholders(String value) {
		String resolved = this.beanFactory.resolveEmbeddedValue(value);
		return (resolved != null) ? resolved : "";
	}

	@Override
	public void afterSingletonsInstantiated() {
		HandlerCatalog complete = catalog();
		this.invokers = complete.definitions()
			.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey,
					(entry) -> HandlerInvoker.of(entry.getValue(), this.beanFactory, this.codecs, this.interceptors)));
		this.catalog = complete;
		complete.warnOfUnreachable();
	}

	/**
	 * Return the handler of a job.
	 * @param queue the job's queue
	 * @param type the job's type
	 * @return the handler, or {@code null} if there is none here
	 */
	public @Nullable HandlerInvoker find(String queue, String type) {
		return this.invokers.get(new HandlerCatalog.Key(queue, type));
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
