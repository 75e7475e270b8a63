package io.jobqueue.harness;

import java.util.function.Function;

import io.micrometer.observation.ObservationRegistry;

import io.jobqueue.JobRequest;
import io.jobqueue.observation.JobNames;
import io.jobqueue.observation.JobObserver;

/**
 * Names as a node knows them, whose declared queues and types are those of mails.
 *
 * @param queues returns the queue of a request
 * @param types returns the type of a request
 */
public record TestNames(Function<JobRequest, String> queues, Function<JobRequest, String> types) implements JobNames {

	/**
	 * Create an observer of requests that name their queue.
	 * @param registry who wants to know
	 * @return the observer
	 */
	public static JobObserver observer(ObservationRegistry registry) {
		return new JobObserver(registry, new TestNames(String::valueOf, String::valueOf), null, null);
	}

	@Override
	public String queue(JobRequest request) {
		return this.queues.apply(request);
	}

	@Override
	public String type(JobRequest request) {
		return this.types.apply(request);
	}

	@Override
	public boolean declaresQueue(String queue) {
		return queue.equals("emails");
	}

	@Override
	public boolean declaresType(String type) {
		return "mail".equals(type);
	}

}
