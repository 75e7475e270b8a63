package io.jobqueue.internal.dashboard.jobs;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobDetails;
import io.jobqueue.JobDetails.Attempt;
import io.jobqueue.JobDetails.Progress;
import io.jobqueue.JobInfo;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;

/**
 * Makes copies of jobs without the values that are hidden, so that no template can show
 * them.
 */
final class ShownJob {

	private ShownJob() {
	}

	static JobInfo of(JobInfo job, ValueSanitizer sanitizer) {
		JobDetails details = Objects.requireNonNull(job.details());
		return new JobInfo(job.id(), job.queue(), job.type(), job.priority(), job.state(), job.attempt(),
				job.maxAttempts(), job.enqueuedAt(), job.runAt(), sanitizer.headers(job.headers()),
				of(details, sanitizer));
	}

	private static JobDetails of(JobDetails job, ValueSanitizer sanitizer) {
		return new JobDetails(job.position(), sanitizer.text(job.key()), sanitizer.text(job.orderingKey()),
				sanitizer.text(job.limitKey()), sanitizer.text(job.group()), job.failures(), job.expectedFailures(),
				sanitizer.error(job.error()), job.worker(), of(job.progress(), sanitizer), job.cancelRequested(),
				job.ancestor(), job.parent(), job.root(), job.failedPredecessors(), job.finishedAt(), job.startedAt(),
				job.history().stream().map((attempt) -> of(attempt, sanitizer)).toList(), job.expiresAt());
	}

	private static @Nullable Progress of(@Nullable Progress progress, ValueSanitizer sanitizer) {
		return (progress != null) ? new Progress(progress.percent(), String.valueOf(sanitizer.text(progress.message())))
				: null;
	}

	private static Attempt of(Attempt attempt, ValueSanitizer sanitizer) {
		return new Attempt(attempt.number(), attempt.began(), attempt.ended(), attempt.worker(), attempt.outcome(),
				sanitizer.summary(attempt.error()));
	}

}
