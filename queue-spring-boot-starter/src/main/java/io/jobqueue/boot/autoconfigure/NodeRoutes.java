package io.jobqueue.boot.autoconfigure;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Priority;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.outbox.Routes;

/**
 * Where jobs go, by the handlers and settings of this node.
 */
record NodeRoutes(JobHandlers handlers, NodeSettings settings) implements Routes {

	@Override
	public @Nullable String queueOfOnlyHandler(String type) {
		return this.handlers.queueOfOnlyHandler(type);
	}

	@Override
	public Priority defaultPriority(String queue) {
		return this.settings.queues().defaultPriority(queue, () -> this.settings.known(this.handlers));
	}

}
