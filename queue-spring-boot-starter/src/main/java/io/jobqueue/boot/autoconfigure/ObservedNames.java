package io.jobqueue.boot.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;

import io.jobqueue.JobRequest;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.observation.JobNames;
import io.jobqueue.outbox.RequestReader;

/**
 * The names that observations show. Handlers are observed themselves, so they are asked
 * for late.
 *
 * @param reader what knows where requests lead
 * @param handlers the handlers of this node
 * @param settings the settings of this node
 */
record ObservedNames(ObjectProvider<RequestReader> reader, ObjectProvider<JobHandlers> handlers,
		NodeSettings settings) implements JobNames {

	@Override
	public String queue(JobRequest request) {
		return this.reader.getObject().queue(request, type(request));
	}

	@Override
	public String type(JobRequest request) {
		return this.reader.getObject().type(request);
	}

	@Override
	public boolean declaresQueue(String queue) {
		return new NodeNames(this.settings, this.handlers.getObject()).queues().contains(queue);
	}

	@Override
	public boolean declaresType(String type) {
		return this.handlers.getObject().typesByQueue().values().stream().anyMatch((types) -> types.contains(type));
	}

}
