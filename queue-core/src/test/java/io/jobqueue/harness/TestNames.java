package io.jobqueue.harness;

import java.util.function.Function;

import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;

import io.jobqueue.JobInterceptor;
import io.jobqueue.JobRequest;
import io.jobqueue.observation.Interceptors;
import io.jobqueue.observation.JobNames;

/**
 * Names as a node knows them, whose declared queues and types are those of mails.
 *
 * @param queues returns the queue of a request
 * @param types returns the type of a request
 */
public record TestNames(Function<JobRequest, String> queues, Function<JobRequest, String> types) implements JobNames {

	/**
	 * Create interceptors that observe nothing.
	 * @param beans the interceptors
	 * @return the chain
	 */
	public static Interceptors unobserved(ObjectProvider<JobInterceptor> beans) {
		return new Interceptors(beans, ObservationRegistry.NOOP, new TestNames(String::valueOf, String::valueOf), null,
				null);
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
