package io.jobqueue.internal.workflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

import io.jobqueue.StepState;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.store.WorkflowStore.ChangedStep;
import io.jobqueue.internal.store.WorkflowStore.ChangedWorkflow;
import io.jobqueue.internal.store.WorkflowStore.RetriedJobs;
import io.jobqueue.internal.store.WorkflowStore.StoredStep;
import io.jobqueue.internal.store.WorkflowStore.StoredWorkflow;

/**
 * Decides what the retry of an instance changes. The dead job of a step that begins again
 * at once is revived, and keeps its place in the order of its key. Other failed steps get
 * new jobs. The archived jobs that these replace are deleted, because a retry of them
 * would run the step twice.
 *
 * @param next what changes in the instance
 * @param jobs the jobs of the failed steps
 */
record WorkflowRetry(ChangedWorkflow next, RetriedJobs jobs) {

	static WorkflowRetry of(StoredWorkflow found, Supplier<UUID> ids) {
		Map<Integer, UUID> revived = new TreeMap<>();
		ChangedWorkflow next = reviving(found, revived);
		Map<Integer, UUID> added = new TreeMap<>();
		List<UUID> deleted = new ArrayList<>();
		for (int position = 0; position < found.steps().size(); position++) {
			StoredStep step = found.steps().get(position);
			if (step.state().isFailure() && !revived.containsKey(position)) {
				added.put(position, ids.get());
				if (step.archived() != null) {
					deleted.add(step.job());
				}
			}
		}
		return new WorkflowRetry(next, new RetriedJobs(added, List.copyOf(revived.values()), deleted));
	}

	/**
	 * Return what follows when the failed steps wait again, without a begin of those
	 * whose dead jobs are revived.
	 */
	private static ChangedWorkflow reviving(StoredWorkflow found, Map<Integer, UUID> revived) {
		ChangedWorkflow next = WorkflowProgress.of(found.retried());
		List<ChangedStep> steps = new ArrayList<>();
		for (ChangedStep change : (next != null) ? next.steps() : List.<ChangedStep>of()) {
			StoredStep step = found.steps().get(change.position());
			boolean revives = change.begins() && step.archived() == StepState.FAILED;
			if (revives) {
				revived.put(change.position(), step.job());
			}
			steps.add(new ChangedStep(change.position(), change.state(), change.begins() && !revives));
		}
		return new ChangedWorkflow(found.id(), found.version(), WorkflowState.RUNNING, steps);
	}

}
