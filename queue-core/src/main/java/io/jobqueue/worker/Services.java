package io.jobqueue.worker;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What workers have in common that serve the same queues, types and priorities.
 */
final class Services {

	private Services() {
	}

	static UUID id(Map<String, Set<String>> types, WorkerSettings settings) {
		String served = "%s %d-%d".formatted(new TreeMap<>(types), settings.minPriority(), settings.maxPriority());
		return UUID.nameUUIDFromBytes(served.getBytes(StandardCharsets.UTF_8));
	}

}
