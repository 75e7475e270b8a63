package io.jobqueue.internal.workflow;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

import io.jobqueue.JobQueueException;
import io.jobqueue.JobResult;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.UnreadablePayloadException;
import io.jobqueue.internal.payload.Headers;
import io.jobqueue.internal.payload.JsonFailureException;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.StepResult;
import io.jobqueue.internal.store.StorableText;
import io.jobqueue.internal.store.WorkflowStore;
import io.jobqueue.internal.store.WorkflowStore.StoredResult;
import io.jobqueue.internal.worker.execution.StepResults;

/**
 * Results that are stored with their steps, encoded by the codec of the queue of each
 * step.
 */
public final class StoredResults implements StepResults {

	private final WorkflowStore store;

	private final PayloadCodecs codecs;

	private final long maxSize;

	/**
	 * Create the results.
	 * @param store reads results
	 * @param codecs the codecs of the queues
	 * @param maxSize the maximum size of an encoded result, in bytes
	 */
	public StoredResults(WorkflowStore store, PayloadCodecs codecs, long maxSize) {
		this.store = store;
		this.codecs = codecs;
		this.maxSize = maxSize;
	}

	@Override
	public JobResult encode(ClaimedJob job, JobResult result) {
		if (!(result instanceof JobResult.Success success) || (success.value() == null && success.branch() == null)
				|| Headers.workflow(job.headers()) == null) {
			return result;
		}
		Encoded value = (success.value() != null) ? encode(job, success.value()) : null;
		return new JobResult.Success(success.window(), new StepResult(value, success.branch()), success.branch());
	}

	private Encoded encode(ClaimedJob job, Object value) {
		Encoded encoded;
		try {
			encoded = this.codecs.of(job.queue()).encode(value);
		}
		catch (RuntimeException | StackOverflowError ex) {
			String reason = (ex instanceof JsonFailureException failure) ? ": " + failure.reason() : "";
			throw new JobQueueException(
					"The result of %s, a %s, cannot be serialized%s".formatted(job, value.getClass().getName(), reason),
					ex);
		}
		check(job, encoded);
		return encoded;
	}

	private void check(ClaimedJob job, Encoded encoded) {
		String text = encoded.text();
		byte[] bytes = encoded.bytes();
		if (text != null && !StorableText.isStorable(text)) {
			throw new JobQueueException(
					"The result of %s contains the character NUL or an unpaired surrogate, which databases cannot store"
						.formatted(job));
		}
		long size = (text != null) ? text.getBytes(StandardCharsets.UTF_8).length : 0;
		size += (bytes != null) ? bytes.length : 0;
		if (size > this.maxSize) {
			throw new JobQueueException(
					"The result of %s has %s bytes, more than the %s that jobqueue.producer.max-payload-size allows: store it elsewhere, and return its id"
						.formatted(job, size, this.maxSize));
		}
	}

	@Override
	public <T> @Nullable T read(ClaimedJob job, String step, Class<T> type) {
		UUID workflow = Headers.workflow(job.headers());
		if (workflow == null) {
			throw new IllegalStateException("%s is no step of a workflow and has no results of others".formatted(job));
		}
		StoredResult result = this.store.result(workflow, step);
		if (result == null) {
			throw new IllegalArgumentException(
					"The workflow of %s has no step '%s', or its instance %s is not kept any more".formatted(job, step,
							workflow));
		}
		return (result.value() != null) ? decode(result, result.value(), type) : null;
	}

	private <T> T decode(StoredResult result, Encoded value, Class<T> type) {
		try {
			return boxed(type).cast(this.codecs.of(result.queue()).decode(value, type));
		}
		catch (RuntimeException | StackOverflowError ex) {
			String reason = (ex instanceof JsonFailureException failure) ? failure.reason() : "";
			throw new UnreadablePayloadException(result.type(),
					"its result is no %s. %s".formatted(type.getName(), reason), ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static <T> Class<T> boxed(Class<T> type) {
		return (Class<T>) ClassUtils.resolvePrimitiveIfNecessary(type);
	}

}
