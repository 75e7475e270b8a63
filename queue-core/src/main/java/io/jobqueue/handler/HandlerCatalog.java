package io.jobqueue.handler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.Delivery;
import io.jobqueue.payload.JobTypes;
import io.jobqueue.payload.QueueNames;
import io.jobqueue.policy.AttemptOptions;

/**
 * Who handles which queue and type: one handler each.
 */
final class HandlerCatalog {

	private static final Logger logger = LoggerFactory.getLogger(HandlerCatalog.class);

	private final Map<Key, HandlerDefinition> definitions = new LinkedHashMap<>();

	private final Map<String, Set<String>> queuesByType = new HashMap<>();

	HandlerCatalog(List<HandlerDefinition> definitions) {
		definitions.forEach(this::add);
	}

	private void add(HandlerDefinition definition) {
		for (String type : definition.types()) {
			HandlerDefinition other = this.definitions.putIfAbsent(new Key(definition.queue(), type), definition);
			if (other != null) {
				throw ambiguous(type, other, definition);
			}
			this.queuesByType.computeIfAbsent(type, (absent) -> new TreeSet<>()).add(definition.queue());
		}
	}

	private static InvalidHandlerException ambiguous(String type, HandlerDefinition one, HandlerDefinition other) {
		boolean alias = one.aliases().contains(type) || other.aliases().contains(type);
		return new InvalidHandlerException(
				"Jobs of type '%s' in queue '%s' have two handlers: %s and %s".formatted(type, one.queue(),
						one.description(), other.description()),
				alias ? "Remove the alias '%s' from the @JobType, or one of the handlers".formatted(type)
						: "Remove one of them, or move it to another queue");
	}

	/**
	 * Return a catalog of all these and further handlers.
	 */
	HandlerCatalog with(List<HandlerDefinition> further) {
		List<HandlerDefinition> all = new ArrayList<>(new LinkedHashSet<>(this.definitions.values()));
		all.addAll(further);
		return new HandlerCatalog(all);
	}

	Map<Key, HandlerDefinition> definitions() {
		return this.definitions;
	}

	@Nullable String queueOfOnlyHandler(String type) {
		Set<String> queues = this.queuesByType.getOrDefault(type, Set.of());
		return (queues.size() == 1) ? queues.iterator().next() : null;
	}

	/**
	 * Return the queues that jobs handled here are sent to: by a handler, or by the class
	 * of its payload.
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
	 * Return what the handlers of a queue say of the attempts of their jobs, where they
	 * say something.
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
	 * What one handler handles.
	 */
	record Key(String queue, String type) {
	}

}
