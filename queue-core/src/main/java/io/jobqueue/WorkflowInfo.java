package io.jobqueue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An instance of a workflow. Times are by the database's clock.
 *
 * @param id the id of the instance
 * @param name the name of the workflow
 * @param state its state
 * @param startedAt when it was started
 * @param finishedAt when its last step ended, {@code null} while it runs
 * @param steps its steps by the definition that it was started with, each after all that
 * its conditions name
 */
public record WorkflowInfo(UUID id, String name, WorkflowState state, Instant startedAt, @Nullable Instant finishedAt,
		List<StepInfo> steps) {

	/**
	 * Create it.
	 * @param id the id of the instance
	 * @param name the name of the workflow
	 * @param state its state
	 * @param startedAt when it was started
	 * @param finishedAt when its last step ended, {@code null} while it runs
	 * @param steps its steps
	 */
	public WorkflowInfo {
		steps = List.copyOf(steps);
	}

	/**
	 * Return how many of the steps have ended or were skipped.
	 * @return the percentage, 0 to 100
	 */
	public int percent() {
		long ended = this.steps.stream().filter((step) -> step.state().isFinal()).count();
		return (int) (100 * ended / Math.max(1, this.steps.size()));
	}

	/**
	 * Draw the steps with their states.
	 * @return a flowchart, in the language of Mermaid
	 */
	public String toMermaid() {
		WorkflowDiagram diagram = new WorkflowDiagram();
		this.steps.forEach((step) -> diagram.add(step.name(), step.state(), step.conditions()));
		return diagram.colouredText();
	}

	/**
	 * A step of an instance.
	 *
	 * @param name its name
	 * @param state its state
	 * @param job the id of its job, which exists once the step has begun and until its
	 * retention ends
	 * @param queue the queue of its job
	 * @param type the name of the type of its job
	 * @param branch the branch that its handler has chosen, {@code null} for none
	 * @param changedAt when its state changed last, the start of the instance if it did
	 * not
	 * @param conditions the conditions for its begin
	 */
	public record StepInfo(String name, StepState state, UUID job, String queue, String type, @Nullable String branch,
			Instant changedAt, List<StepCondition> conditions) {

		/**
		 * Create it.
		 * @param name its name
		 * @param state its state
		 * @param job the id of its job
		 * @param queue the queue of its job
		 * @param type the name of the type of its job
		 * @param branch the branch that its handler has chosen, {@code null} for none
		 * @param changedAt when its state changed last
		 * @param conditions the conditions for its begin
		 */
		public StepInfo {
			conditions = List.copyOf(conditions);
		}

	}

}
