package io.jobqueue.internal.dashboard.workflows;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.dashboard.drawing.Drawing;
import io.jobqueue.internal.dashboard.drawing.StepDrawing;

/**
 * A page of instances of a workflow.
 *
 * @param name the name of the workflow
 * @param definition the definition, {@code null} if this application does not define it
 * @param instances the instances, the latest first
 * @param next the position of the next page, {@code null} if there is none
 * @param partial whether the search stopped at the number of instances that it examines
 */
public record InstanceList(String name, @Nullable WorkflowDefinition<?> definition, List<WorkflowInfo> instances,
		@Nullable UUID next, boolean partial) {

	private static final int FEW_STEPS = 12;

	/**
	 * Return the states to choose from.
	 * @return all states
	 */
	public List<WorkflowState> states() {
		return List.of(WorkflowState.values());
	}

	/**
	 * Return whether the steps need little room.
	 * @return whether the definition has few of them
	 */
	public boolean isSmall() {
		return this.definition != null && this.definition.steps().size() <= FEW_STEPS;
	}

	/**
	 * Draw the definition.
	 * @return the drawing, {@code null} if this application does not define the workflow
	 */
	public @Nullable Drawing drawing() {
		return (this.definition != null) ? StepDrawing.of(this.definition) : null;
	}

}
