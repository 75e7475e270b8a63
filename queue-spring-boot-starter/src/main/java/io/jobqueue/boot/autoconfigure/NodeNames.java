package io.jobqueue.boot.autoconfigure;

import java.util.Map;
import java.util.Set;

import io.jobqueue.internal.boot.metrics.DeclaredNames;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.QueueNames;

/**
 * {@link DeclaredNames} of the settings, handlers and payloads of this node.
 */
record NodeNames(NodeSettings settings, JobHandlers handlers, JobTypes types) implements DeclaredNames {

	@Override
	public Set<String> queues() {
		Set<String> queues = this.settings.named(this.handlers, this.types);
		if (queues.isEmpty()) {
			queues.add(QueueNames.DEFAULT);
		}
		return queues;
	}

	@Override
	public Set<String> queuesOfPayloads() {
		return this.types.queues();
	}

	@Override
	public Map<String, Set<String>> typesByQueue() {
		return this.handlers.typesByQueue();
	}

}
