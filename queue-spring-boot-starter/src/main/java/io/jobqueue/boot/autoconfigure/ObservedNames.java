package io.jobqueue.boot.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;

import io.jobqueue.JobRequest;
import io.jobqueue.observation.JobNames;
import io.jobqueue.outbox.RequestReader;

/**
 * The names that observations show. Handlers are observed themselves, so they are asked
 * for late.
 *
 * @param reader what knows where requests lead
 * @param names the names that this node knows
 */
record ObservedNames(ObjectProvider<RequestReader> reader, ObjectProvider<NodeNames> names) implements JobNames {

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
		return this.names.getObject().queues().contains(queue);
	}

	@Override
	public boolean declaresType(String type) {
		return this.names.getObject().typesByQueue().values().stream().anyMatch((types) -> types.contains(type));
	}

}
