package io.jobqueue.boot.autoconfigure;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.jobqueue.boot.metrics.DeclaredNames;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.payload.QueueNames;

/**
 * The names in the settings and handlers of this node.
 */
record NodeNames(NodeSettings settings, JobHandlers handlers) implements DeclaredNames {

	@Override
	public Set<String> queues() {
		Set<String> queues = new TreeSet<>(this.handlers.queues());
		if (this.settings.served() != null) {
			queues.addAll(this.settings.served());
		}
		queues.addAll(this.settings.queues().namesBeyond(queues));
		if (queues.isEmpty()) {
			queues.add(QueueNames.DEFAULT);
		}
		return queues;
	}

	@Override
	public Map<String, Set<String>> typesByQueue() {
		return this.handlers.typesByQueue();
	}

}
