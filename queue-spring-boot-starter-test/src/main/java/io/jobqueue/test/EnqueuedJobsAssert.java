package io.jobqueue.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on the jobs that were enqueued, in any state. Each method fails if no job
 * matches it and all methods before it; the message lists all jobs, with their payloads.
 */
public final class EnqueuedJobsAssert extends AbstractAssert<EnqueuedJobsAssert, List<?>> {

	private final List<EnqueuedJob> all;

	private final List<EnqueuedJob> left;

	private final Function<Class<?>, String> types;

	private final List<String> conditions = new ArrayList<>();

	EnqueuedJobsAssert(List<EnqueuedJob> jobs, Function<Class<?>, String> types) {
		super(jobs, EnqueuedJobsAssert.class);
		this.all = jobs;
		this.left = new ArrayList<>(jobs);
		this.types = types;
	}

	/**
	 * Verify that one of the jobs has a payload of this class.
	 * @param payload the class
	 * @return this assertion on the jobs that match
	 */
	public EnqueuedJobsAssert enqueued(Class<?> payload) {
		return enqueued(this.types.apply(payload));
	}

	/**
	 * Verify that one of the jobs has this type.
	 * @param type the name of the type
	 * @return this assertion on the jobs that match
	 */
	public EnqueuedJobsAssert enqueued(String type) {
		return keep("of type '%s'".formatted(type), (job) -> job.type().equals(type));
	}

	/**
	 * Verify that one of the jobs has this payload: it is equal, or its encoded form is.
	 * @param payload the payload
	 * @return this assertion on the jobs that match
	 */
	public EnqueuedJobsAssert withPayload(Object payload) {
		return keep("with payload <%s>".formatted(payload), (job) -> job.matches().test(payload));
	}

	/**
	 * Verify that one of the jobs is in this queue.
	 * @param queue the name of the queue
	 * @return this assertion on the jobs that match
	 */
	public EnqueuedJobsAssert onQueue(String queue) {
		return keep("in queue '%s'".formatted(queue), (job) -> job.queue().equals(queue));
	}

	/**
	 * Verify that one of the jobs is due this time after it was enqueued. A retry changes
	 * that time.
	 * @param delay the time, to the microsecond
	 * @return this assertion on the jobs that match
	 */
	public EnqueuedJobsAssert after(Duration delay) {
		return keep("due %s after the enqueueing".formatted(delay), (job) -> delay.equals(job.delay()));
	}

	/**
	 * Verify that exactly one job matches.
	 * @return this assertion
	 */
	public EnqueuedJobsAssert once() {
		return times(1);
	}

	/**
	 * Verify how many jobs match.
	 * @param jobs the number of jobs
	 * @return this assertion
	 */
	public EnqueuedJobsAssert times(int jobs) {
		if (this.left.size() != jobs) {
			failWithMessage("Expected %s, but %s were enqueued: jobs %s.%n%s", jobs, this.left.size(),
					String.join(" ", this.conditions), EnqueuedJob.list(this.all));
		}
		return this;
	}

	/**
	 * Verify that there is no job.
	 * @return this assertion
	 */
	public EnqueuedJobsAssert nothingEnqueued() {
		if (!this.all.isEmpty()) {
			failWithMessage("Expected no job to be enqueued.%n%s", EnqueuedJob.list(this.all));
		}
		return this;
	}

	private EnqueuedJobsAssert keep(String condition, Predicate<EnqueuedJob> matching) {
		this.conditions.add(condition);
		this.left.removeIf(matching.negate());
		if (this.left.isEmpty()) {
			failWithMessage("Expected a job %s.%n%s", String.join(" ", this.conditions), EnqueuedJob.list(this.all));
		}
		return this;
	}

}
