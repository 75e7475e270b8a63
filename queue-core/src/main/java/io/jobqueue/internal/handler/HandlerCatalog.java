package io.jobqueue.internal.handler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.QueueNames;

/**
 * The handlers by queue and type, at most one for each. Immutable.
 */
final class HandlerCatalog {

	private static final Logger logger = LoggerFactory.getLogger(HandlerCatalog.class);

	static final HandlerCatalog EMPTY = new HandlerCatalog(List.of());

	private final List<Entry> entries;

	private final Map<Key, Entry> byKey = new LinkedHashMap<>();

	private final Map<List<String>, HandlerDefinition> bySubscription = new HashMap<>();

	private final Map<String, List<String>> queuesByType = new HashMap<>();

	private final boolean batches;

	private HandlerCatalog(List<Entry> entries) {
		this.entries = entries;
		this.batches = entries.stream().anyMatch((entry) -> entry.definition().batch() != null);
		entries.forEach(this::add);
	}

	private void add(Entry entry) {
		HandlerDefinition definition = entry.definition();
		for (String type : definition.types()) {
			if (definition.subscription() != null) {
				add(definition.subscription(), type, definition);
			}
			Entry other = this.byKey.putIfAbsent(new Key(definition.queue(), type), entry);
			if (other != null) {
				throw ambiguous(type, other.definition(), definition);
			}
			if (definition.subscription() == null) {
				this.queuesByType.computeIfAbsent(type, (absent) -> new ArrayList<>()).add(definition.queue());
			}
		}
	}

	private void add(TopicAttributes subscription, String type, HandlerDefinition definition) {
		HandlerDefinition other = this.bySubscription
			.putIfAbsent(List.of(subscription.topic(), subscription.subscriber(), type), definition);
		if (other != null) {
			throw new InvalidHandlerException(
					"The subscriber '%s' of topic '%s' has two handlers of type '%s': %s and %s".formatted(
							subscription.subscriber(), subscription.topic(), type, other.description(),
							definition.description()),
					"Remove one of them, or give it another subscriber");
		}
	}

	private static InvalidHandlerException ambiguous(String type, HandlerDefinition one, HandlerDefinition other) {
		if (one.target() instanceof RecurringMethod && other.target() instanceof RecurringMethod) {
			return new InvalidHandlerException(
					"Two schedules are named '%s': %s and %s".formatted(type, one.description(), other.description()),
					"Give one of them another name");
		}
		if (one.subscription() != null && other.subscription() != null) {
			return new InvalidHandlerException(
					"Two subscriptions have a handler of type '%s' in queue '%s': %s of subscriber '%s' and %s of subscriber '%s'"
						.formatted(type, one.queue(), one.description(), one.subscription().subscriber(),
								other.description(), other.subscription().subscriber()),
					"Set another queue on one of them: its default is the name of the subscriber, and a queue has one handler for each type");
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
		return and(further.stream().map((definition) -> new Entry(definition, null)));
	}

	/**
	 * Return a catalog of these and further handlers.
	 * @param invoker creates the invoker of a handler; not called if two handlers have
	 * the same queue and type
	 * @throws InvalidHandlerException if two handlers have the same queue and type
	 */
	HandlerCatalog with(List<HandlerDefinition> further, Function<HandlerDefinition, HandlerInvoker> invoker) {
		HandlerCatalog unused = with(further);
		return and(further.stream().map((definition) -> new Entry(definition, invoker.apply(definition))));
	}

	private HandlerCatalog and(Stream<Entry> further) {
		return new HandlerCatalog(Stream.concat(this.entries.stream(), further).toList());
	}

	HandlerCatalog without(HandlerDefinition definition) {
		return new HandlerCatalog(
				this.entries.stream().filter((entry) -> !entry.definition().equals(definition)).toList());
	}

	@Nullable HandlerInvoker find(String queue, String type) {
		Entry entry = this.byKey.get(new Key(queue, type));
		return (entry != null) ? entry.invoker() : null;
	}

	@Nullable HandlerDefinition definition(String queue, String type) {
		Entry entry = this.byKey.get(new Key(queue, type));
		return (entry != null) ? entry.definition() : null;
	}

	/**
	 * Return the limits of a call that takes several jobs, {@code null} if each call
	 * takes one.
	 */
	@Nullable BatchLimits batch(String queue, String type) {
		HandlerDefinition definition = this.batches ? definition(queue, type) : null;
		return (definition != null) ? definition.batch() : null;
	}

	Stream<HandlerDefinition> definitions() {
		return this.entries.stream().map(Entry::definition);
	}

	/**
	 * The queue of a subscriber is for what is published: a further subscriber must not
	 * redirect what is enqueued.
	 */
	@Nullable String queueOfOnlyHandler(String type) {
		List<String> queues = this.queuesByType.getOrDefault(type, List.of());
		return (queues.size() == 1) ? queues.get(0) : null;
	}

	/**
	 * Return the handlers of what is enqueued, without those of subscribers.
	 */
	private Stream<HandlerDefinition> enqueued() {
		return definitions().filter((definition) -> definition.subscription() == null);
	}

	void warnOfUnreachable() {
		enqueued().forEach((definition) -> {
			String destination = destination(definition);
			if (!destination.equals(definition.queue())) {
				logger.warn(
						"{} handles '{}' in queue '{}', but enqueue(payload) sends that type to queue '{}': "
								+ "name the queue when enqueueing, or with @JobType(queue = …)",
						definition.description(), definition.type(), definition.queue(), destination);
			}
		});
	}

	/**
	 * Return the queues of the handlers, and those to which their payloads are enqueued
	 * by default.
	 */
	Set<String> queues() {
		Set<String> queues = new TreeSet<>();
		definitions().map(HandlerDefinition::queue).forEach(queues::add);
		enqueued().map(this::destination).forEach(queues::add);
		return queues;
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
	private record Key(String queue, String type) {
	}

	/**
	 * A handler, which has an invoker once its bean is created.
	 */
	private record Entry(HandlerDefinition definition, @Nullable HandlerInvoker invoker) {
	}

}
