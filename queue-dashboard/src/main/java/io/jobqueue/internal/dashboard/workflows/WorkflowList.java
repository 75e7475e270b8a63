package io.jobqueue.internal.dashboard.workflows;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.dashboard.view.UrlQuery;
import io.jobqueue.internal.store.WorkflowSearchStore;
import io.jobqueue.internal.store.WorkflowSearchStore.InstanceCount;

/**
 * The workflows that this application defines, and those that have instances.
 *
 * @param workflows the workflows by name
 * @param complete whether they are all
 */
public record WorkflowList(List<Workflow> workflows, boolean complete) {

	static WorkflowList of(List<WorkflowDefinition<?>> definitions, List<InstanceCount> counts) {
		Map<String, Workflow> workflows = new TreeMap<>();
		definitions.forEach((definition) -> workflows.put(definition.name(),
				new Workflow(definition.name(), definition.steps().size(), new EnumMap<>(WorkflowState.class))));
		counts.forEach((count) -> workflows
			.computeIfAbsent(count.name(), (name) -> new Workflow(name, null, new EnumMap<>(WorkflowState.class)))
			.counts()
			.put(count.state(), count));
		long counted = counts.stream().map(InstanceCount::name).distinct().count();
		return new WorkflowList(new ArrayList<>(workflows.values()), counted < WorkflowSearchStore.MAX_WORKFLOWS);
	}

	/**
	 * Return the states in the order of their columns.
	 * @return all states
	 */
	public List<WorkflowState> states() {
		return List.of(WorkflowState.RUNNING, WorkflowState.FAILED, WorkflowState.CANCELLED, WorkflowState.SUCCEEDED);
	}

	/**
	 * A workflow.
	 *
	 * @param name its name
	 * @param steps the number of its steps, {@code null} if this application does not
	 * define it
	 * @param counts the numbers of its instances, empty if it has none
	 */
	public record Workflow(String name, @Nullable Integer steps, Map<WorkflowState, InstanceCount> counts) {

		/**
		 * Return the address of the list of the instances.
		 * @param state their state, {@code null} for all
		 * @return the path with its parameters
		 */
		public String instances(@Nullable WorkflowState state) {
			String name = "/workflows?" + UrlQuery.of("name", this.name);
			return (state != null) ? name + "&" + UrlQuery.of("state", state.name()) : name;
		}

		/**
		 * Return the number of instances in a state.
		 * @param state the state
		 * @return the number
		 */
		public long number(WorkflowState state) {
			InstanceCount count = this.counts.get(state);
			return (count != null) ? count.instances() : 0;
		}

		/**
		 * Return whether there may be more instances in a state than are counted.
		 * @param state the state
		 * @return whether the number is capped
		 */
		public boolean capped(WorkflowState state) {
			InstanceCount count = this.counts.get(state);
			return count != null && count.capped();
		}

	}

}
