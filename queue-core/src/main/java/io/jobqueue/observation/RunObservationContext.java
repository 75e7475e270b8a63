package io.jobqueue.observation;

import java.util.List;
import java.util.Map;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobContext;
import io.jobqueue.JobResult;

/**
 * The context of an attempt of a job, or of a call that takes several jobs. Its carrier
 * are the headers of the job; that of several jobs is empty, so that their call starts a
 * new trace.
 */
public final class RunObservationContext extends ReceiverContext<Map<String, String>> {

	private static final Logger logger = LoggerFactory.getLogger(RunObservationContext.class);

	private final List<JobContext> jobs;

	private final String queueTag;

	private List<JobResult> results = List.of();

	RunObservationContext(List<JobContext> jobs, JobNames names) {
		super(Map::get, Kind.CONSUMER);
		this.jobs = jobs;
		setCarrier((jobs.size() == 1) ? headers(getJob()) : Map.of());
		this.queueTag = EnqueueObservationContext.queueTag(getJob().queue(), names);
	}

	/**
	 * Rows of other programs may have headers that cannot be read.
	 */
	private static Map<String, String> headers(JobContext job) {
		try {
			return job.headers();
		}
		catch (RuntimeException ex) {
			logger.warn("Could not read the headers of job {} of type {} in queue {}; its attempt starts a new trace",
					job.id(), job.type(), job.queue(), ex);
			return Map.of();
		}
	}

	/**
	 * Return the job that runs.
	 * @return the job; of several jobs, the first one
	 */
	public JobContext getJob() {
		return this.jobs.get(0);
	}

	/**
	 * Return all jobs of the call.
	 * @return the jobs, one unless the handler takes several
	 */
	public List<JobContext> getJobs() {
		return this.jobs;
	}

	/**
	 * Return the result of the handler.
	 * @return the result, of several jobs that of the first one; {@code null} while the
	 * handler runs or if it threw an exception
	 */
	public @Nullable JobResult getResult() {
		return this.results.isEmpty() ? null : this.results.get(0);
	}

	void setResults(List<JobResult> results) {
		this.results = results;
	}

	/**
	 * Return the job's queue, as a key of low cardinality.
	 * @return the queue's name, {@code (other)} if this node does not declare it
	 */
	public String getQueueTag() {
		return this.queueTag;
	}

	/**
	 * Return the outcome of the handler. The outcome of the job is decided afterwards and
	 * may differ.
	 * @return {@code succeeded}, {@code retry_in}, {@code snoozed} or {@code failed};
	 * {@code (several)} if the results of several jobs differ in that; {@code none} while
	 * the handler runs
	 */
	public String getOutcome() {
		if (getError() != null) {
			return "failed";
		}
		List<String> outcomes = this.results.stream().map(RunObservationContext::outcome).distinct().toList();
		if (outcomes.size() > 1) {
			return EnqueueObservationContext.SEVERAL;
		}
		return outcomes.isEmpty() ? KeyValue.NONE_VALUE : outcomes.get(0);
	}

	private static String outcome(JobResult result) {
		if (result instanceof JobResult.Fail) {
			return "failed";
		}
		if (result instanceof JobResult.RetryIn) {
			return "retry_in";
		}
		return (result instanceof JobResult.Snooze) ? "snoozed" : "succeeded";
	}

}
