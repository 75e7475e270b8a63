package io.jobqueue.handler;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.Delivery;
import io.jobqueue.payload.JobTypes;
import io.jobqueue.payload.QueueNames;

/**
 * Which method handles which queue and type: one each.
 */
final class HandlerCatalog {

	private static final Logger logger = LoggerFactory.getLogger(HandlerCatalog.class);

	private final Map<Key, HandlerDefinition> definitions = new LinkedHashMap<>();

	private final Map<String, Set<String>> queuesByType = new HashMap<>();

	HandlerCatalog(List<HandlerDefinition> definitions) {
		definitions.forEach(this::add);
	}

	private void add(HandlerDefinition definition) {
		HandlerDefinition other = this.definitions.putIfAbsent(new Key(definition.queue(), definition.type()),
				definition);
		if (other != null) {
			throw new InvalidHandlerException(
					"Jobs of type '%s' in queue '%s' have two handlers: %s and %s".formatted(definition.type(),
							definition.queue(), other.description(), definition.description()),
					"Remove one of them, or give it another queue");
		}
		this.queuesByType.computeIfAbsent(definition.type(), (type) -> new TreeSet<>()).add(definition.queue());
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
			queues.add(destination(key.type(), definition));
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

	void warnOfUnreachable() {
		this.definitions.forEach((key, definition) -> {
			String destination = destination(key.type(), definition);
			if (!destination.equals(key.queue())) {
				logger.warn(
						"{} handles '{}' in queue '{}', but enqueue(payload) sends that type to queue '{}': "
								+ "name the queue when enqueueing, or with @JobType(queue = …)",
						definition.description(), key.type(), key.queue(), destination);
			}
		});
	}

	private String destination(String type, HandlerDefinition definition) {
		String queue = (definition.payloadType() instanceof Class<?> payloadClass) ? JobTypes.queue(payloadClass)
				: null;
		if (queue == null) {
			queue = queueOfOnlyHandler(type);
		}
		return (queue != null) ? queue : QueueNames.DEFAULT;
	}

	/**
	 * What one method handles.
	 */
	record Key(String queue, String type) {
	}

}
