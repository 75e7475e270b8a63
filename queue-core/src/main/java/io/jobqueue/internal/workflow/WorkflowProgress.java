package io.jobqueue.internal.workflow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.StepCondition;
import io.jobqueue.StepCondition.Kind;
import io.jobqueue.StepState;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.store.WorkflowStore.ChangedStep;
import io.jobqueue.internal.store.WorkflowStore.ChangedWorkflow;
import io.jobqueue.internal.store.WorkflowStore.StoredStep;
import io.jobqueue.internal.store.WorkflowStore.StoredWorkflow;

/**
 * Decides which steps of an instance begin and which are skipped, by the states of the
 * jobs. What was skipped is decided anew each time: it may follow the retry of a failed
 * step.
 */
final class WorkflowProgress {

	private final StoredWorkflow workflow;

	private final Map<String, Ended> steps = new HashMap<>();

	private final List<ChangedStep> changes = new ArrayList<>();

	private WorkflowProgress(StoredWorkflow workflow) {
		this.workflow = workflow;
	}

	/**
	 * Return what changes in an instance.
	 * @return the changes, {@code null} if there are none
	 */
	static @Nullable ChangedWorkflow of(StoredWorkflow workflow) {
		WorkflowProgress progress = new WorkflowProgress(workflow);
		for (int position = 0; position < workflow.steps().size(); position++) {
			progress.add(position, workflow.steps().get(position));
		}
		WorkflowState state = progress.state();
		return (progress.changes.isEmpty() && state == workflow.state()) ? null
				: new ChangedWorkflow(workflow.id(), workflow.version(), state, progress.changes);
	}

	/**
	 * Steps follow all that their conditions name.
	 */
	private void add(int position, StoredStep step) {
		boolean hasBegun = step.state() != StepState.WAITING && step.state() != StepState.SKIPPED;
		StepState state = hasBegun ? step.state() : decide(step);
		this.steps.put(step.name(), new Ended(state, step.branch()));
		if (state != step.stored()) {
			this.changes.add(new ChangedStep(position, state, !hasBegun && state == StepState.STARTED));
		}
	}

	private StepState decide(StoredStep step) {
		if (this.workflow.cancelled()) {
			return StepState.SKIPPED;
		}
		List<Answer> answers = step.conditions().stream().flatMap(this::answers).toList();
		if (answers.contains(Answer.NEVER)) {
			return StepState.SKIPPED;
		}
		return answers.contains(Answer.OPEN) ? StepState.WAITING : StepState.STARTED;
	}

	/**
	 * Of alternatives, the best answer counts.
	 */
	private Stream<Answer> answers(StepCondition condition) {
		Stream<Answer> answers = condition.steps()
			.stream()
			.map((name) -> Objects.requireNonNull(this.steps.get(name)).answer(condition));
		return (condition.kind() == Kind.AFTER) ? answers : answers.sorted().limit(1);
	}

	private WorkflowState state() {
		if (this.steps.values().stream().anyMatch((step) -> !step.state().isFinal())) {
			return WorkflowState.RUNNING;
		}
		if (this.workflow.cancelled()) {
			return WorkflowState.CANCELLED;
		}
		return this.steps.values().stream().anyMatch((step) -> step.state().isFailure()) ? WorkflowState.FAILED
				: WorkflowState.SUCCEEDED;
	}

	/**
	 * Whether a condition holds, from the best answer to the worst.
	 */
	private enum Answer {

		HOLDS, OPEN, NEVER

	}

	/**
	 * A step that others wait for.
	 */
	private record Ended(StepState state, @Nullable String branch) {

		Answer answer(StepCondition condition) {
			if (!this.state.isFinal()) {
				return Answer.OPEN;
			}
			boolean holds = (condition.kind() == Kind.AFTER_FAILURE) ? this.state.isFailure()
					: this.state == StepState.SUCCEEDED
							&& (condition.branch() == null || condition.branch().equals(this.branch));
			return holds ? Answer.HOLDS : Answer.NEVER;
		}

	}

}
