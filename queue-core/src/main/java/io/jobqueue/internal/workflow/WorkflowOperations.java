package io.jobqueue.internal.workflow;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

import io.jobqueue.JobOperations;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.operations.AuditLog;
import io.jobqueue.internal.operations.AuditLog.Operation;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.WorkflowStore;
import io.jobqueue.internal.store.WorkflowStore.Advance;
import io.jobqueue.internal.store.WorkflowStore.ChangedWorkflow;
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

	private static boolean isRetryable(StoredWorkflow workflow) {
		return workflow.cancelled() || workflow.steps().stream().anyMatch((step) -> step.state().isFailure());
	}

	private boolean retry(StoredWorkflow found, LoggedOperation operation) {
		Map<Integer, UUID> jobs = new TreeMap<>();
		for (int position = 0; position < found.steps().size(); position++) {
			if (found.steps().get(position).state().isFailure()) {
				jobs.put(position, this.ids.get());
			}
		}
		Advance advance = this.store.retry(next(found), jobs, operation);
		this.follower.publish(advance);
		return !advance.advanced().isEmpty();
	}

	/**
	 * Return what follows when the failed steps wait again.
	 */
	private static ChangedWorkflow next(StoredWorkflow found) {
		ChangedWorkflow next = WorkflowProgress.of(found.retried());
		return (next != null) ? next
				: new ChangedWorkflow(found.id(), found.version(), WorkflowState.RUNNING, List.of());
	}

}
