package io.jobqueue.boot.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.dao.DataAccessException;

import io.jobqueue.CancelOutcome;
import io.jobqueue.ClaimLostException;
import io.jobqueue.JobDetails.Attempt;
import io.jobqueue.JobDetails;
import io.jobqueue.JobDetails.Progress;
import io.jobqueue.JobInfo;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperations;
import io.jobqueue.JobPage;
import io.jobqueue.JobPayload;
import io.jobqueue.JobState;

/**
 * The paths of single jobs and of the list of jobs.
 */
final class JobResource {

	private final JobOperations operations;

	JobResource(JobOperations operations) {
		this.operations = operations;
	}

	Object list(RequestParameters parameters, ValueSanitizer sanitizer) {
		sanitizer.requireShownFor(parameters, ValueSanitizer.SEARCHED);
		return JobPageDescriptor.of(this.operations.list(QueryParameters.ofPage(parameters)), sanitizer);
	}

	Object show(String id, RequestParameters parameters, ValueSanitizer sanitizer) {
		parameters.requireOnly();
		UUID job = ParameterType.id(id);
		return this.operations.find(job)
			.map((found) -> describe(found, sanitizer))
			.orElseThrow(() -> JobOperationException.unknown(job));
	}

	/**
	 * The key is a parameter, since it may contain characters that a path cannot.
	 */
	Object showByKey(String queue, RequestParameters parameters, ValueSanitizer sanitizer) {
		parameters.requireOnly("key");
		sanitizer.requireShownFor(parameters, "key");
		return this.operations.findByKey(queue, parameters.requiredText("key"))
			.<Object>map((found) -> describe(found, sanitizer))
			.orElseGet(() -> ErrorResponses.unknown("No unfinished job of queue '%s' has this key".formatted(queue)));
	}

	private JobDescriptor describe(JobInfo job, ValueSanitizer sanitizer) {
		return JobDescriptor.of(job,
				JobDetailsDescriptor.of(job, this.operations.payload(job.id()).orElse(null), sanitizer), sanitizer);
	}

	Object run(String operation, String id, RequestParameters parameters, ValueSanitizer sanitizer) {
		UUID job = ParameterType.id(id);
		return switch (operation) {
			case "reschedule" -> reschedule(job, parameters);
			case "reprioritise" -> reprioritise(job, parameters);
			default -> {
				parameters.requireOnly();
				yield run(operation, job, sanitizer);
			}
		};
	}

	private OperationDescriptor run(String operation, UUID job, ValueSanitizer sanitizer) {
		return switch (operation) {
			case "retry" -> done(operation, job, this.operations::retry);
			case "release" -> done(operation, job, this.operations::release);
			case "delete" -> done(operation, job, this.operations::delete);
			case "replay" -> OperationDescriptor.ofReplay(job, this.operations.replay(job));
			case "cancel" -> cancel(job);
			case "run" -> runHere(job, sanitizer);
			default -> throw new IllegalArgumentException(
					"Unknown job operation '%s': use one of retry, release, replay, cancel, delete, reschedule, reprioritise, run"
						.formatted(operation));
		};
	}

	private static OperationDescriptor done(String operation, UUID job, Consumer<UUID> change) {
		change.accept(job);
		return OperationDescriptor.of(operation, job);
	}

	private OperationDescriptor reschedule(UUID job, RequestParameters parameters) {
		parameters.requireOnly("runAt");
		this.operations.reschedule(job, parameters.required("runAt", ParameterType.TIME));
		return OperationDescriptor.of("reschedule", job);
	}

	private OperationDescriptor reprioritise(UUID job, RequestParameters parameters) {
		parameters.requireOnly("priority");
		this.operations.reprioritise(job, parameters.required("priority", ParameterType.PRIORITY));
		return OperationDescriptor.of("reprioritise", job);
	}

	private OperationDescriptor cancel(UUID job) {
		CancelOutcome outcome = this.operations.cancel(job);
		if (outcome == CancelOutcome.UNKNOWN) {
			throw JobOperationException.unknown(job);
		}
		return OperationDescriptor.ofCancel(job, null, outcome);
	}

	/**
	 * Change the unfinished job with a unique key. The key is a parameter, since it may
	 * contain characters that a path cannot.
	 */
	Object runByKey(String operation, String queue, RequestParameters parameters, ValueSanitizer sanitizer) {
		sanitizer.requireShownFor(parameters, "key");
		return switch (operation) {
			case "cancel" -> cancel(queue, parameters);
			case "reschedule" -> {
				parameters.requireOnly("key", "runAt");
				this.operations.reschedule(queue, parameters.requiredText("key"),
						parameters.required("runAt", ParameterType.TIME));
				yield OperationDescriptor.ofKey(operation, queue);
			}
			case "reprioritise" -> {
				parameters.requireOnly("key", "priority");
				this.operations.reprioritise(queue, parameters.requiredText("key"),
						parameters.required("priority", ParameterType.PRIORITY));
				yield OperationDescriptor.ofKey(operation, queue);
			}
			default -> throw new IllegalArgumentException(
					"Unknown operation '%s' of a job by its key: use one of cancel, reschedule, reprioritise"
						.formatted(operation));
		};
	}

	private Object cancel(String queue, RequestParameters parameters) {
		parameters.requireOnly("key");
		CancelOutcome outcome = this.operations.cancel(queue, parameters.requiredText("key"));
		return (outcome != CancelOutcome.UNKNOWN) ? OperationDescriptor.ofCancel(null, queue, outcome)
				: ErrorResponses.unknown("No unfinished job of queue '%s' has this key".formatted(queue));
	}

	private OperationDescriptor runHere(UUID job, ValueSanitizer sanitizer) {
		String exception = attempt(job, sanitizer);
		return OperationDescriptor.ofRun(job, this.operations.find(job).map(JobInfo::state).orElse(null), exception);
	}

	/**
	 * Run the job. A failure of the handler is part of the result; a failure of the
	 * database before the attempt began is a failure of the request.
	 */
	private @Nullable String attempt(UUID job, ValueSanitizer sanitizer) {
		int attempts = attempts(job);
		try {
			this.operations.runHere(job);
			return null;
		}
		catch (ClaimLostException ex) {
			throw ex;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return sanitizer.error(ex);
		}
		catch (Exception | Error ex) {
			if (ex instanceof JobOperationException refusal && job.equals(refusal.job())) {
				throw refusal;
			}
			if (ex instanceof DataAccessException failure && attempts(job) == attempts) {
				throw failure;
			}
			return sanitizer.error(ex);
		}
	}

	private int attempts(UUID job) {
		return this.operations.find(job).map(JobInfo::attempt).orElse(0);
	}

	/**
	 * A page of jobs.
	 *
	 * @param jobs the jobs
	 * @param next the start of the next page, {@code null} if there is none
	 * @param partial whether the search was cut short by its time limit
	 */
	record JobPageDescriptor(List<JobDescriptor> jobs, @Nullable String next,
			boolean partial) implements OperationResponseBody {

		static JobPageDescriptor of(JobPage page, ValueSanitizer sanitizer) {
			return new JobPageDescriptor(page.jobs().stream().map((job) -> JobDescriptor.of(job, sanitizer)).toList(),
					page.next(), page.partial());
		}

	}

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
	 * @param expiresAt when it expires unless it has begun, if it does
	 * @param startedAt when its latest attempt began, if one has
	 * @param finishedAt when it finished, if it has
	 * @param position its place in the order of enqueueing
	 * @param key its unique key, if it has one
	 * @param group its group, if it has one
	 * @param worker the name of the worker that runs it, or of the last one that did
	 * @param cancelRequested whether it runs, and is to be cancelled
	 * @param failedPredecessors the failed predecessors that it waits for, if there are
	 * any
	 * @param error the first line of its last error, {@code null} if it has succeeded
	 * since
	 * @param details further details, if a single job is requested
	 */
	record JobDescriptor(UUID id, String queue, String type, int priority, JobState state, int attempt,
			@Nullable Integer maxAttempts, int failures, Instant enqueuedAt, Instant runAt, @Nullable Instant expiresAt,
			@Nullable Instant startedAt, @Nullable Instant finishedAt, long position, @Nullable String key,
			@Nullable String group, @Nullable String worker, boolean cancelRequested,
			@Nullable List<UUID> failedPredecessors, @Nullable String error,
			@Nullable JobDetailsDescriptor details) implements OperationResponseBody {

		static JobDescriptor of(JobInfo job, ValueSanitizer sanitizer) {
			return of(job, null, sanitizer);
		}

		static JobDescriptor of(JobInfo job, @Nullable JobDetailsDescriptor more, ValueSanitizer sanitizer) {
			JobDetails details = Objects.requireNonNull(job.details());
			return new JobDescriptor(job.id(), job.queue(), job.type(), job.priority().value(), job.state(),
					job.attempt(), job.maxAttempts(), details.failures(), job.enqueuedAt(), job.runAt(),
					details.expiresAt(), details.startedAt(), details.finishedAt(), details.position(),
					sanitizer.text(details.key()), sanitizer.text(details.group()), details.worker(),
					details.cancelRequested(),
					details.failedPredecessors().isEmpty() ? null : details.failedPredecessors(),
					(job.state() != JobState.SUCCEEDED) ? sanitizer.summary(details.error()) : null, more);
		}

	}

	/**
	 * The part of a job that is shown only if a single job is requested.
	 *
	 * @param headers its headers
	 * @param payload the beginning of its payload, if it was still there
	 * @param error its last error with the stack trace
	 * @param expectedFailures how many attempts have failed as expected
	 * @param orderingKey its ordering key, if it has one
	 * @param limitKey its limit key, if it has one
	 * @param progress its progress, as reported by its handler
	 * @param ancestor the id of the job of which it is a replay, if it is one
	 * @param parent the id of the job whose handler enqueued it, if one did
	 * @param root the id of the first job of its family, if it has a parent
	 * @param history its last attempts, if one of them has not succeeded
	 */
	record JobDetailsDescriptor(Map<String, String> headers, @Nullable JobPayload payload, @Nullable String error,
			int expectedFailures, @Nullable String orderingKey, @Nullable String limitKey, @Nullable Progress progress,
			@Nullable UUID ancestor, @Nullable UUID parent, @Nullable UUID root,
			@Nullable List<AttemptDescriptor> history) {

		static JobDetailsDescriptor of(JobInfo job, @Nullable JobPayload payload, ValueSanitizer sanitizer) {
			JobDetails details = Objects.requireNonNull(job.details());
			return new JobDetailsDescriptor(sanitizer.headers(job.headers()),
					(payload != null) ? sanitizer.payload(payload) : null, sanitizer.error(details.error()),
					details.expectedFailures(), sanitizer.text(details.orderingKey()),
					sanitizer.text(details.limitKey()), progress(details.progress(), sanitizer), details.ancestor(),
					details.parent(), details.root(), details.history().isEmpty() ? null : history(details, sanitizer));
		}

		private static List<AttemptDescriptor> history(JobDetails details, ValueSanitizer sanitizer) {
			return details.history().stream().map((attempt) -> AttemptDescriptor.of(attempt, sanitizer)).toList();
		}

		private static @Nullable Progress progress(@Nullable Progress progress, ValueSanitizer sanitizer) {
			return (progress != null)
					? new Progress(progress.percent(), Objects.requireNonNull(sanitizer.text(progress.message())))
					: null;
		}

	}

	/**
	 * An attempt that has ended.
	 *
	 * @param attempt its number
	 * @param began when it began, if that is known
	 * @param ended when its outcome was recorded
	 * @param worker the name of the worker that ran it
	 * @param outcome its outcome
	 * @param error the first line of its error
	 */
	record AttemptDescriptor(int attempt, @Nullable Instant began, Instant ended, String worker,
			Attempt.Outcome outcome, @Nullable String error) {

		static AttemptDescriptor of(Attempt attempt, ValueSanitizer sanitizer) {
			return new AttemptDescriptor(attempt.number(), attempt.began(), attempt.ended(), attempt.worker(),
					attempt.outcome(), sanitizer.summary(attempt.error()));
		}

	}

}
