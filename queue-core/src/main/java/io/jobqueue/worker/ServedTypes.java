package io.jobqueue.worker;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;

import io.jobqueue.Delivery;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.store.Paused;

/**
 * The types that a worker has handlers for, at a time.
 *
 * @param all the names of the types for each queue
 * @param once those of them that are delivered at most once
 */
record ServedTypes(Map<String, Set<String>> all, Map<String, Set<String>> once) {

	static ServedTypes of(JobHandlers handlers, Predicate<String> queues) {
		Map<String, Set<String>> all = new TreeMap<>();
		Map<String, Set<String>> once = new TreeMap<>();
		handlers.typesByQueue().forEach((queue, types) -> {
			if (queues.test(queue)) {
				all.put(queue, types);
				Set<String> known = new TreeSet<>(handlers.types(queue, Delivery.AT_MOST_ONCE));
				known.retainAll(types);
				once.put(queue, known);
			}
		});
		return new ServedTypes(all, once);
	}

	/**
	 * Return the same without what is paused.
	 */
	ServedTypes without(Set<Paused> paused) {
		Map<String, Set<String>> rest = new TreeMap<>();
		this.all.forEach((queue, types) -> {
			Set<String> left = new TreeSet<>(types);
			left.removeIf((type) -> isPaused(paused, queue, type));
			if (!left.isEmpty()) {
				rest.put(queue, left);
			}
		});
		return new ServedTypes(rest, this.once);
	}

	static boolean isPaused(Set<Paused> paused, String queue, String type) {
		return paused.contains(new Paused(queue, null)) || paused.contains(new Paused(queue, type));
	}

	Set<String> queues() {
		return this.all.keySet();
	}

	boolean isEmpty() {
		return this.all.isEmpty();
	}

	/**
	 * Return what is the same for all workers that serve the same.
	 */
	UUID service(WorkerSettings settings) {
		String served = "%s %d-%d".formatted(this.all, settings.minPriority(), settings.maxPriority());
		return UUID.nameUUIDFromBytes(served.getBytes(StandardCharsets.UTF_8));
	}

}
