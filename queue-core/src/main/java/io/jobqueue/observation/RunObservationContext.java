package io.jobqueue.observation;

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
 * The context of an attempt of a job. Its carrier are the headers of the job.
 */
public final class RunObservationContext extends ReceiverContext<Map<String, String>> {

	private static final Logger logger = LoggerFactory.getLogger(RunObservationContext.class);

	private final JobContext job;

	private final String queueTag;

	private @Nullable JobResult result;

	RunObservationContext(JobContext job, JobNames names) {
		super(Map::get, Kind.CONSUMER);
		setCarrier(headers(job));
		this.job = job;
		this.queueTag = EnqueueObservationContext.queueTag(job.queue(), names);
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
	 * @return the job
	 */
	public JobContext getJob() {
		return this.job;
	}

	/**
	 * Return the result of the handler.
	 * @return the result, {@code null} while the handler runs or if it threw an exception
	 */
	public @Nullable JobResult getResult() {
		return this.result;
	}

	void setResult(JobResult result) {
		this.result = result;
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
	 * {@code none} while the handler runs
	 */
	public String getOutcome() {
		if (getError() != null || this.result instanceof JobResult.Fail) {
			return "failed";
		}
		if (this.result instanceof JobResult.RetryIn) {
			return "retry_in";
		}
		if (this.result instanceof JobResult.Snooze) {
			return "snoozed";
		}
		return (this.result != null) ? "succeeded" : KeyValue.NONE_VALUE;
	}

}
