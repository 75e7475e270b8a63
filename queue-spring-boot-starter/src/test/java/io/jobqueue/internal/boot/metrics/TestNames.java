package io.jobqueue.internal.boot.metrics;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A node with handlers and payloads.
 */
class TestNames implements DeclaredNames {

	final Map<String, Set<String>> handled = new HashMap<>(Map.of("emails", Set.of("Mail")));

	final Set<String> ofPayloads = new HashSet<>();

	@Override
	public Set<String> queues() {
		Set<String> queues = new HashSet<>(this.handled.keySet());
		queues.addAll(this.ofPayloads);
		return queues;
	}

	@Override
	public Set<String> queuesOfPayloads() {
		return this.ofPayloads;
	}

	@Override
	public Map<String, Set<String>> typesByQueue() {
		return this.handled;
	}

}
