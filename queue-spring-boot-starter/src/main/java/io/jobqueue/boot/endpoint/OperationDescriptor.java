package io.jobqueue.boot.endpoint;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobState;

/**
 * Result of an operation that changes jobs or queues.
 *
 * @param operation the operation
 * @param affected number of jobs that it has changed, {@code null} for operations on
 * queues
 * @param job the id of the job, if it was about one
 * @param queue the name of the queue, if it was about one
 * @param type the name of the type, if it was about one
 * @param outcome the outcome of cancelling
 * @param copy the id of the copy that was replayed
 * @param state the state of the job after its run
 * @param exception the exception of the handler
 * @param known whether the queue has jobs, a handler here, or a living worker
 */
record OperationDescriptor(String operation, @Nullable Long affected, @Nullable UUID job, @Nullable String queue,
		@Nullable String type, @Nullable CancelOutcome outcome, @Nullable UUID copy, @Nullable JobState state,
		@Nullable String exception, @Nullable Boolean known) implements OperationResponseBody {

	static OperationDescriptor of(String operation, UUID job) {
		return new OperationDescriptor(operation, 1L, job, null, null, null, null, null, null, null);
	}

	static OperationDescriptor ofBulk(String operation, long affected) {
		return new OperationDescriptor(operation, affected, null, null, null, null, null, null, null, null);
	}

	static OperationDescriptor ofKey(String operation, String queue) {
		return new OperationDescriptor(operation, 1L, null, queue, null, null, null, null, null, null);
	}

	static OperationDescriptor ofPause(String operation, String queue, @Nullable String type, boolean known) {
		return new OperationDescriptor(operation, null, null, queue, type, null, null, null, null, known);
	}

	static OperationDescriptor ofClear(String queue, long affected) {
		return new OperationDescriptor("clear", affected, null, queue, null, null, null, null, null, null);
	}

	static OperationDescriptor ofCancel(@Nullable UUID job, @Nullable String queue, CancelOutcome outcome) {
		long affected = (outcome == CancelOutcome.ALREADY_FINISHED) ? 0 : 1;
		return new OperationDescriptor("cancel", affected, job, queue, null, outcome, null, null, null, null);
	}

	static OperationDescriptor ofReplay(UUID job, UUID copy) {
		return new OperationDescriptor("replay", 1L, job, null, null, null, copy, null, null, null);
	}

	static OperationDescriptor ofRun(UUID job, @Nullable JobState state, @Nullable String exception) {
		return new OperationDescriptor("run", 1L, job, null, null, null, null, state, exception, null);
	}

}
