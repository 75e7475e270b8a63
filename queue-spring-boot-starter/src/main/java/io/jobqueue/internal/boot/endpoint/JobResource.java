package io.jobqueue.internal.boot.endpoint;

import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

import io.jobqueue.CancelOutcome;
import io.jobqueue.ClaimLostException;
import io.jobqueue.Explanation;
import io.jobqueue.JobDetails;
import io.jobqueue.JobDetails.Attempt;
import io.jobqueue.JobDetails.Progress;
import io.jobqueue.JobInfo;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperations;
import io.jobqueue.JobPage;
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
		sanitizer.requireShownForSearch(parameters);
		JobPage page = this.operations.list(QueryParameters.ofPage(parameters));
		return ResponseBody.of("jobs", page.jobs().stream().map((job) -> describe(job, sanitizer)).toList())
			.with("next", page.next())
			.with("partial", page.partial());
	}

	Object show(String id, RequestParameters parameters, ValueSanitizer sanitizer) {
		parameters.requireOnly();
		UUID job = ParameterType.id(id);
		return this.operations.find(job)
			.map((found) -> describeWithDetails(found, sanitizer))
			.orElseThrow(() -> JobOperationException.unknown(job));
	}

	Object why(String id, RequestParameters parameters, ValueSanitizer sanitizer) {
		parameters.requireOnly();
		Explanation why = this.operations.explain(ParameterType.id(id));
		return (why.reason() != Explanation.Reason.UNKNOWN) ? describe(why, sanitizer)
				: ErrorResponses.unknown(why.sentence());
	}

	private static ResponseBody describe(Explanation why, ValueSanitizer sanitizer) {
		return ResponseBody.of("job", why.job())
			.with("reason", why.reason())
			.with("sentence", why.sentence())
			.with("remedy", why.remedy().isEmpty() ? null : why.remedy())
			.with("jobs", why.jobs().isEmpty() ? null : why.jobs())
			.with("batch", why.batch())
			.with("workers", why.workers().isEmpty() ? null : why.workers())
			.with("nearest", why.nearest())
			.with("since", why.since())
			.with("until", why.until())
			.with("error", sanitizer.summary(why.error()));
	}

	/**
	 * The key is a parameter, since it may contain characters that a path cannot.
	 */
	Object showByKey(String queue, RequestParameters parameters, ValueSanitizer sanitizer) {
		parameters.requireOnly("key");
		sanitizer.requireShownFor(parameters, "key");
		return this.operations.findByKey(queue, parameters.requiredText("key"))
			.<Object>map((found) -> describeWithDetails(found, sanitizer))
			.orElseGet(() -> ErrorResponses.unknown("No unfinished job of queue '%s' has this key".formatted(queue)));
	}

	private ResponseBody describeWithDetails(JobInfo job, ValueSanitizer sanitizer) {
		JobDetails details = details(job);
		Progress progress = details.progress();
		return describe(job, sanitizer).with("details",
				ResponseBody.of("headers", sanitizer.headers(job.headers()))
					.with("payload", this.operations.payload(job.id()).map(sanitizer::payload).orElse(null))
					.with("error", sanitizer.error(details.error()))
					.with("expectedFailures", details.expectedFailures())
					.with("orderingKey", sanitizer.text(details.orderingKey()))
					.with("limitKey", sanitizer.text(details.limitKey()))
					.with("progress", (progress != null) ? describe(progress, sanitizer) : null)
					.with("ancestor", details.ancestor())
					.with("parent", details.parent())
					.with("root", details.root())
					.with("history", details.history().isEmpty() ? null
							: details.history().stream().map((attempt) -> describe(attempt, sanitizer)).toList()));
	}

	private static ResponseBody describe(JobInfo job, ValueSanitizer sanitizer) {
		JobDetails details = details(job);
		return ResponseBody.of("id", job.id())
			.with("queue", job.queue())
			.with("type", job.type())
			.with("priority", job.priority().value())
			.with("state", job.state())
			.with("attempt", job.attempt())
			.with("maxAttempts", job.maxAttempts())
			.with("failures", details.failures())
			.with("enqueuedAt", job.enqueuedAt())
			.with("runAt", job.runAt())
			.with("expiresAt", details.expiresAt())
			.with("startedAt", details.startedAt())
			.with("finishedAt", details.finishedAt())
			.with("position", details.position())
			.with("key", sanitizer.text(details.key()))
			.with("group", sanitizer.text(details.group()))
			.with("worker", details.worker())
			.with("cancelRequested", details.cancelRequested())
			.with("failedPredecessors", details.failedPredecessors().isEmpty() ? null : details.failedPredecessors())
			.with("error", (job.state() != JobState.SUCCEEDED) ? sanitizer.summary(details.error()) : null);
	}

	private static JobDetails details(JobInfo job) {
		return Objects.requireNonNull(job.details());
	}

	private static ResponseBody describe(Progress progress, ValueSanitizer sanitizer) {
		return ResponseBody.of("percent", progress.percent()).with("message", sanitizer.text(progress.message()));
	}

	private static ResponseBody describe(Attempt attempt, ValueSanitizer sanitizer) {
		return ResponseBody.of("attempt", attempt.number())
			.with("began", attempt.began())
			.with("ended", attempt.ended())
			.with("worker", attempt.worker())
			.with("outcome", attempt.outcome())
			.with("error", sanitizer.summary(attempt.error()));
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

	private ResponseBody run(String operation, UUID job, ValueSanitizer sanitizer) {
		return switch (operation) {
			case "retry" -> done(operation, job, this.operations::retry);
			case "release" -> done(operation, job, this.operations::release);
			case "delete" -> done(operation, job, this.operations::delete);
			case "replay" -> done(operation, job).with("copy", this.operations.replay(job));
			case "cancel" -> cancel(job);
			case "run" -> runHere(job, sanitizer);
			default -> throw new IllegalArgumentException(
					"Unknown job operation '%s': use one of retry, release, replay, cancel, delete, reschedule, reprioritise, run"
						.formatted(operation));
		};
	}

	private static ResponseBody done(String operation, UUID job, Consumer<UUID> change) {
		change.accept(job);
		return done(operation, job);
	}

	private static ResponseBody done(String operation, UUID job) {
		return ResponseBody.ofOperation(operation, 1).with("job", job);
	}

	private ResponseBody reschedule(UUID job, RequestParameters parameters) {
		parameters.requireOnly("runAt");
		this.operations.reschedule(job, parameters.required("runAt", ParameterType.TIME));
		return done("reschedule", job);
	}

	private ResponseBody reprioritise(UUID job, RequestParameters parameters) {
		parameters.requireOnly("priority");
		this.operations.reprioritise(job, parameters.required("priority", ParameterType.PRIORITY));
		return done("reprioritise", job);
	}

	private ResponseBody cancel(UUID job) {
		CancelOutcome outcome = this.operations.cancel(job);
		if (outcome == CancelOutcome.UNKNOWN) {
			throw JobOperationException.unknown(job);
		}
		return cancelled("job", job, outcome);
	}

	private static ResponseBody cancelled(String what, Object cancelled, CancelOutcome outcome) {
		return ResponseBody.ofOperation("cancel", (outcome == CancelOutcome.ALREADY_FINISHED) ? 0 : 1)
			.with(what, cancelled)
			.with("outcome", outcome);
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
				yield ResponseBody.ofOperation(operation, 1).with("queue", queue);
			}
			case "reprioritise" -> {
				parameters.requireOnly("key", "priority");
				this.operations.reprioritise(queue, parameters.requiredText("key"),
						parameters.required("priority", ParameterType.PRIORITY));
				yield ResponseBody.ofOperation(operation, 1).with("queue", queue);
			}
			default -> throw new IllegalArgumentException(
					"Unknown operation '%s' of a job by its key: use one of cancel, reschedule, reprioritise"
						.formatted(operation));
		};
	}

	private Object cancel(String queue, RequestParameters parameters) {
		parameters.requireOnly("key");
		CancelOutcome outcome = this.operations.cancel(queue, parameters.requiredText("key"));
		return (outcome != CancelOutcome.UNKNOWN) ? cancelled("queue", queue, outcome)
				: ErrorResponses.unknown("No unfinished job of queue '%s' has this key".formatted(queue));
	}

	private ResponseBody runHere(UUID job, ValueSanitizer sanitizer) {
		String exception = attempt(job, sanitizer);
		return done("run", job).with("state", this.operations.find(job).map(JobInfo::state).orElse(null))
			.with("exception", exception);
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

}
