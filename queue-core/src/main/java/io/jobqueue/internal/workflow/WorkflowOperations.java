package io.jobqueue.internal.workflow;

import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

import io.jobqueue.JobOperations;
import io.jobqueue.StepState;
import io.jobqueue.internal.operations.AuditLog;
import io.jobqueue.internal.operations.AuditLog.Operation;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.WorkflowStore;
import io.jobqueue.internal.store.WorkflowStore.Advance;
import io.jobqueue.internal.store.WorkflowStore.StoredWorkflow;

/**
 * Cancels instances, and retries their failed steps.
 */
final class WorkflowOperations {

	private final WorkflowStore store;

	private final WorkflowFollower follower;

	private final Supplier<JobOperations> jobs;

	private final Supplier<UUID> ids;

	private final AuditLog log;

	WorkflowOperations(WorkflowStore store, WorkflowFollower follower, Supplier<JobOperations> jobs, Supplier<UUID> ids,
			AuditLog log) {
		this.store = store;
		this.follower = follower;
		this.jobs = jobs;
		this.ids = ids;
		this.log = log;
	}

	WorkflowOperations because(String reason) {
		return new WorkflowOperations(this.store, this.follower, () -> this.jobs.get().because(reason), this.ids,
				this.log.because(reason));
	}

	boolean cancel(UUID workflow) {
		LoggedOperation operation = this.log.operation(Operation.of("cancel-workflow"), workflow);
		List<UUID> running = this.store.cancel(workflow, operation);
		if (running == null) {
			return false;
		}
		this.log.done(operation);
		running.forEach((job) -> this.jobs.get().cancel(job));
		this.follower.advance(workflow);
		return true;
	}

	boolean retry(UUID workflow) {
		LoggedOperation operation = this.log.operation(Operation.of("retry-workflow"), workflow);
		boolean retried = this.store.find(List.of(workflow))
			.stream()
			.anyMatch((found) -> isRetryable(found) && retry(found, operation));
		if (retried) {
			this.log.done(operation);
		}
		return retried;
	}

	/**
	 * While jobs of a cancelled instance have not ended, they are still being cancelled.
	 */
	private static boolean isRetryable(StoredWorkflow workflow) {
		return workflow.cancelled() ? workflow.steps().stream().noneMatch((step) -> step.state() == StepState.STARTED)
				: workflow.steps().stream().anyMatch((step) -> step.state().isFailure());
	}

	private boolean retry(StoredWorkflow found, LoggedOperation operation) {
		WorkflowRetry retry = WorkflowRetry.of(found, this.ids);
		Advance advance = this.store.retry(retry.next(), retry.jobs(), operation);
		this.follower.publish(advance);
		return !advance.advanced().isEmpty();
	}

}
