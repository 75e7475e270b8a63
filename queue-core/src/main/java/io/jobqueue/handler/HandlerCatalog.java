package io.jobqueue.handler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.Delivery;
import io.jobqueue.payload.JobTypes;
import io.jobqueue.payload.QueueNames;
import io.jobqueue.policy.AttemptOptions;

/**
 * The handlers by queue and type, at most one for each. Immutable.
 */
final class HandlerCatalog {

	private static final Logger logger = LoggerFactory.getLogger(HandlerCatalog.class);

	static final HandlerCatalog EMPTY = new HandlerCatalog(List.of());

	private final Map<Key, HandlerDefinition> definitions = new LinkedHashMap<>();

	private final Map<HandlerDefinition, HandlerInvoker> invokers;

	private final Map<String, Map<String, HandlerInvoker>> invokersByQueue = new HashMap<>();

	private final Map<String, List<String>> queuesByType = new HashMap<>();

	/**
	 * Create a catalog of handlers that cannot be called yet.
	 */
	HandlerCatalog(Collection<HandlerDefinition> definitions) {
		this(definitions, Map.of());
	}

	private HandlerCatalog(Collection<HandlerDefinition> definitions, Map<HandlerDefinition, HandlerInvoker> invokers) {
		this.invokers = invokers;
		definitions.forEach(this::add);
	}

	private void add(HandlerDefinition definition) {
		HandlerInvoker invoker = this.invokers.get(definition);
		for (String type : definition.types()) {
			Key key = new Key(definition.queue(), type);
			HandlerDefinition other = this.definitions.putIfAbsent(key, definition);
			if (other != null) {
				throw ambiguous(type, other, definition);
			}
			if (invoker != null) {
				this.invokersByQueue.computeIfAbsent(key.queue(), (absent) -> new HashMap<>()).put(type, invoker);
			}
			this.queuesByType.computeIfAbsent(type, (absent) -> new ArrayList<>()).add(definition.queue());
		}
	}

	private static InvalidHandlerException ambiguous(String type, HandlerDefinition one, HandlerDefinition other) {
		if (one.target() instanceof RecurringMethod && other.target() instanceof RecurringMethod) {
			return new InvalidHandlerException(
					"Two schedules are named '%s': %s and %s".formatted(type, one.description(), other.description()),
					"Give one of them another name");
		}
		boolean alias = one.aliases().contains(type) || other.aliases().contains(type);
		return new InvalidHandlerException(
				"Jobs of type '%s' in queue '%s' have two handlers: %s and %s".formatted(type, one.queue(),
						one.description(), other.description()),
				alias ? "Remove the alias '%s' from the @JobType, or one of the handlers".formatted(type)
						: "Remove one of them, or move it to another queue");
	}

	/**
	 * Return a catalog of these and further handlers; the further ones cannot be called
	 * yet.
	 * @throws InvalidHandlerException if two handlers have the same queue and type
	 */
	HandlerCatalog with(List<HandlerDefinition> further) {
		List<HandlerDefinition> all = new ArrayList<>(new LinkedHashSet<>(this.definitions.values()));
		all.addAll(further);
		return new HandlerCatalog(all, this.invokers);
	}

	/**
	 * Return a catalog of these and further handlers.
	 * @param invoker creates the invoker of a handler; not called if two handlers have
	 * the same queue and type
	 * @throws InvalidHandlerException if two handlers have the same queue and type
	 */
	HandlerCatalog with(List<HandlerDefinition> further, Function<HandlerDefinition, HandlerInvoker> invoker) {
		HandlerCatalog extended = with(further);
		Map<HandlerDefinition, HandlerInvoker> all = new LinkedHashMap<>(this.invokers);
		further.forEach((definition) -> all.put(definition, invoker.apply(definition)));
		return new HandlerCatalog(new LinkedHashSet<>(extended.definitions.values()), all);
	}

	HandlerCatalog without(HandlerDefinition definition) {
		Map<HandlerDefinition, HandlerInvoker> rest = new LinkedHashMap<>(this.invokers);
		rest.remove(definition);
		return new HandlerCatalog(rest.keySet(), rest);
	}

	@Nullable HandlerInvoker find(String queue, String type) {
		return this.invokersByQueue.getOrDefault(queue, Map.of()).get(type);
	}

	Map<Key, HandlerDefinition> definitions() {
		return this.definitions;
	}

	@Nullable String queueOfOnlyHandler(String type) {
		List<String> queues = this.queuesByType.getOrDefault(type, List.of());
		return (queues.size() == 1) ? queues.get(0) : null;
	}

	/**
	 * Return the queues that handlers serve, and those to which their payloads are
	 * enqueued by default.
	 */
	Set<String> queues() {
		Set<String> queues = new TreeSet<>();
		this.definitions.forEach((key, definition) -> {
			queues.add(key.queue());
			queues.add(destination(definition));
		});
		return queues;
	}

	Set<String> types(String queue, Delivery delivery) {
		Set<String> types = new TreeSet<>();
		this.definitions.forEach((key, definition) -> {
			if (key.queue().equals(queue) && definition.delivery() == delivery) {
				types.add(key.type());
			}
		});
		return types;
	}

	/**
	 * Return the attempt options of a queue's handlers, by type, without empty ones.
	 */
	Map<String, AttemptOptions> options(String queue) {
		Map<String, AttemptOptions> options = new TreeMap<>();
		this.definitions.forEach((key, definition) -> {
			if (key.queue().equals(queue) && !definition.options().equals(AttemptOptions.NONE)) {
				options.put(key.type(), definition.options());
			}
		});
		return options;
	}

	void warnOfUnreachable() {
		new LinkedHashSet<>(this.definitions.values()).forEach((definition) -> {
			String destination = destination(definition);
			if (!destination.equals(definition.queue())) {
				logger.warn(
						"{} handles '{}' in queue '{}', but enqueue(payload) sends that type to queue '{}': "
								+ "name the queue when enqueueing, or with @JobType(queue = …)",
						definition.description(), definition.type(), definition.queue(), destination);
			}
		});
	}

	private String destination(HandlerDefinition definition) {
		String queue = (definition.payloadType() instanceof Class<?> payloadClass) ? JobTypes.queue(payloadClass)
				: null;
		if (queue == null) {
			queue = queueOfOnlyHandler(definition.type());
		}
		return (queue != null) ? queue : QueueNames.DEFAULT;
	}

	/**
	 * A queue and one of the names of a type.
	 */
	record Key(String queue, String type) {
	}

}
