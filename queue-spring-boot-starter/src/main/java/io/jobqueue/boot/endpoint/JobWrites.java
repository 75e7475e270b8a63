package io.jobqueue.boot.endpoint;

import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

import io.jobqueue.CancelOutcome;
import io.jobqueue.ClaimLostException;
import io.jobqueue.JobInfo;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperations;

/**
 * Changes single jobs.
 */
final class JobWrites {

	private final JobOperations operations;

	JobWrites(JobOperations operations) {
		this.operations = operations;
	}

	Object run(String operation, String id, Arguments arguments, Values values) {
		UUID job = ArgumentType.id(id);
		return switch (operation) {
			case "reschedule" -> reschedule(job, arguments);
			case "reprioritise" -> reprioritise(job, arguments);
			default -> {
				arguments.requireOnly();
				yield run(operation, job, values);
			}
		};
	}

	private OperationDescriptor run(String operation, UUID job, Values values) {
		return switch (operation) {
			case "retry" -> done(operation, job, this.operations::retry);
			case "delete" -> done(operation, job, this.operations::delete);
			case "replay" -> OperationDescriptor.ofReplay(job, this.operations.replay(job));
			case "cancel" -> cancel(job);
			case "run" -> runHere(job, values);
			default -> throw new IllegalArgumentException(
					"Unknown job operation '%s': use one of retry, replay, cancel, delete, reschedule, reprioritise, run"
						.formatted(operation));
		};
	}

	private static OperationDescriptor done(String operation, UUID job, Consumer<UUID> change) {
		change.accept(job);
		return OperationDescriptor.of(operation, job);
	}

	private OperationDescriptor reschedule(UUID job, Arguments arguments) {
		arguments.requireOnly("runAt");
		this.operations.reschedule(job, arguments.required("runAt", ArgumentType.TIME));
		return OperationDescriptor.of("reschedule", job);
	}

	private OperationDescriptor reprioritise(UUID job, Arguments arguments) {
		arguments.requireOnly("priority");
		this.operations.reprioritise(job, arguments.required("priority", ArgumentType.PRIORITY));
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
	 * Change the live job that has a unique key: keys may contain what no path can.
	 */
	Object runByKey(String operation, String queue, Arguments arguments, Values values) {
		values.requireShownFor(arguments, "key");
		return switch (operation) {
			case "cancel" -> cancel(queue, arguments);
			case "reschedule" -> {
				arguments.requireOnly("key", "runAt");
				this.operations.reschedule(queue, arguments.requiredText("key"),
						arguments.required("runAt", ArgumentType.TIME));
				yield OperationDescriptor.ofKey(operation, queue);
			}
			case "reprioritise" -> {
				arguments.requireOnly("key", "priority");
				this.operations.reprioritise(queue, arguments.requiredText("key"),
						arguments.required("priority", ArgumentType.PRIORITY));
				yield OperationDescriptor.ofKey(operation, queue);
			}
			default -> throw new IllegalArgumentException(
					"Unknown operation '%s' of a job by its key: use one of cancel, reschedule, reprioritise"
						.formatted(operation));
		};
	}

	private Object cancel(String queue, Arguments arguments) {
		arguments.requireOnly("key");
		CancelOutcome outcome = this.operations.cancel(queue, arguments.requiredText("key"));
		return (outcome != CancelOutcome.UNKNOWN) ? OperationDescriptor.ofCancel(null, queue, outcome)
				: Failures.unknown("No unfinished job of queue '%s' has this key".formatted(queue));
	}

	private OperationDescriptor runHere(UUID job, Values values) {
		String exception = attempt(job, values);
		return OperationDescriptor.ofRun(job, this.operations.find(job).map(JobInfo::state).orElse(null), exception);
	}

	/**
	 * That the handler fails is no failure of the request, unlike that of the database
	 * before there was an attempt.
	 */
	private @Nullable String attempt(UUID job, Values values) {
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
			return values.error(ex);
		}
		catch (Exception | Error ex) {
			if (ex instanceof JobOperationException refusal && job.equals(refusal.job())) {
				throw refusal;
			}
			if (ex instanceof DataAccessException failure && attempts(job) == attempts) {
				throw failure;
			}
			return values.error(ex);
		}
	}

	private int attempts(UUID job) {
		return this.operations.find(job).map(JobInfo::attempt).orElse(0);
	}

}
