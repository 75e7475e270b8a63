package io.jobqueue.boot.endpoint;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.jobqueue.JobDetails;
import io.jobqueue.JobInfo;
import io.jobqueue.JobState;

/**
 * A job.
 *
 * @param id its id
 * @param queue its queue
 * @param type the name of its type
 * @param priority its priority
 * @param state its state
 * @param attempt how many attempts have begun
 * @param maxAttempts its own limit of attempts, if it has one
 * @param failures how many attempts have failed, but for expected failures
 * @param enqueuedAt when it was enqueued
 * @param runAt when it is due, or was
 * @param finishedAt when it finished, if it has
 * @param position its place in the order of enqueueing
 * @param key its unique key, if it has one
 * @param group its group, if it has one
 * @param worker the name of the worker that runs it, or of the last one that did
 * @param cancelRequested whether it runs, and is to be cancelled
 * @param error the first line of its last error
 * @param details the rest, where it is about one job
 */
record JobDescriptor(UUID id, String queue, String type, int priority, JobState state, int attempt,
		@Nullable Integer maxAttempts, int failures, Instant enqueuedAt, Instant runAt, @Nullable Instant finishedAt,
		long position, @Nullable String key, @Nullable String group, @Nullable String worker, boolean cancelRequested,
		@Nullable String error, @Nullable JobDetailsDescriptor details) implements OperationResponseBody {

	static JobDescriptor of(JobInfo job, Values values) {
		return of(job, null, values);
	}

	static JobDescriptor of(JobInfo job, @Nullable JobDetailsDescriptor more, Values values) {
		JobDetails details = Objects.requireNonNull(job.details());
		return new JobDescriptor(job.id(), job.queue(), job.type(), job.priority().value(), job.state(), job.attempt(),
				job.maxAttempts(), details.failures(), job.enqueuedAt(), job.runAt(), details.finishedAt(),
				details.position(), values.text(details.key()), values.text(details.group()), details.worker(),
				details.cancelRequested(), values.summary(details.error()), more);
	}

}
