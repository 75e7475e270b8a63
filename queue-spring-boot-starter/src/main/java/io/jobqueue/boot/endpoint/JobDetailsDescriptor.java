package io.jobqueue.boot.endpoint;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobDetails;
import io.jobqueue.JobDetails.Progress;
import io.jobqueue.JobInfo;
import io.jobqueue.JobPayload;

/**
 * What is shown of a single job only.
 *
 * @param headers its headers
 * @param payload the beginning of its payload, if it was still there
 * @param error its last error with the stack trace
 * @param expectedFailures how many attempts have failed as expected
 * @param orderingKey its ordering key, if it has one
 * @param limitKey its limit key, if it has one
 * @param progress how far it has come, as its handler said
 * @param ancestor the id of the job that it is a replay of, if it is one
 */
record JobDetailsDescriptor(Map<String, String> headers, @Nullable JobPayload payload, @Nullable String error,
		int expectedFailures, @Nullable String orderingKey, @Nullable String limitKey, @Nullable Progress progress,
		@Nullable UUID ancestor) {

	static JobDetailsDescriptor of(JobInfo job, @Nullable JobPayload payload, Values values) {
		JobDetails details = Objects.requireNonNull(job.details());
		return new JobDetailsDescriptor(values.headers(job.headers()),
				(payload != null) ? values.payload(payload) : null, values.error(details.error()),
				details.expectedFailures(), values.text(details.orderingKey()), values.text(details.limitKey()),
				progress(details.progress(), values), details.ancestor());
	}

	private static @Nullable Progress progress(@Nullable Progress progress, Values values) {
		return (progress != null)
				? new Progress(progress.percent(), Objects.requireNonNull(values.text(progress.message()))) : null;
	}

}
