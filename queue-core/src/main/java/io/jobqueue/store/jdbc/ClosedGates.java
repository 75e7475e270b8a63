package io.jobqueue.store.jdbc;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Queues whose gate somebody kept closed a moment ago, for longer than anybody should:
 * whoever has waited for it in vain does not wait again.
 */
final class ClosedGates {

	private static final Duration MOMENT = Duration.ofSeconds(30);

	private final Map<String, Long> found = new ConcurrentHashMap<>();

	boolean haveAnyOf(Collection<String> queues) {
		long now = System.nanoTime();
		this.found.values().removeIf((time) -> now - time > MOMENT.toNanos());
		return queues.stream().anyMatch(this.found::containsKey);
	}

	void add(Collection<String> queues) {
		queues.forEach((queue) -> this.found.put(queue, System.nanoTime()));
	}

	/**
	 * Return whether any of the queues was closed.
	 */
	boolean remove(Collection<String> queues) {
		return this.found.keySet().removeAll(queues);
	}

}
