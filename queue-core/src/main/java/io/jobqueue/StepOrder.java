package io.jobqueue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.jobqueue.WorkflowDefinition.Step;

/**
 * Checks the steps of a workflow, and orders them so that each follows all that its
 * conditions name.
 *
 * @param <I> the type of the input
 */
final class StepOrder<I> {

	private static final int MAX_STEPS = 1_000;

	private final String workflow;

	private final Map<String, Step<I>> steps = new LinkedHashMap<>();

	private final Set<String> path = new LinkedHashSet<>();

	private final Map<String, Step<I>> ordered = new LinkedHashMap<>();

	private StepOrder(String workflow) {
		this.workflow = workflow;
	}

	/**
	 * Return the steps in their order.
	 * @throws InvalidConfigurationException if they are invalid
	 */
	static <I> List<Step<I>> of(String workflow, List<Step<I>> steps) {
		StepOrder<I> order = new StepOrder<>(workflow);
		order.collect(steps);
		steps.forEach((step) -> order.visit(step.name(), null));
		List<Step<I>> ordered = List.copyOf(order.ordered.values());
		StepRequirements.check(workflow, ordered);
		return ordered;
	}

	private void collect(List<Step<I>> all) {
		if (all.isEmpty() || all.size() > MAX_STEPS) {
			throw new InvalidConfigurationException(
					"The workflow '%s' has %s steps.".formatted(this.workflow, all.size()),
					"Define 1 to %s steps.".formatted(MAX_STEPS));
		}
		for (Step<I> step : all) {
			if (this.steps.put(step.name(), step) != null) {
				throw invalid(step.name(), "is defined twice", "Give one of them another name");
			}
		}
	}

	private void visit(String name, @Nullable String successor) {
		if (this.ordered.containsKey(name)) {
			return;
		}
		Step<I> step = this.steps.get(name);
		if (step == null) {
			throw invalid(String.valueOf(successor), "waits for '%s', which is no step".formatted(name),
					"Add that step, or correct the name; the steps are " + this.steps.keySet());
		}
		if (!this.path.add(name)) {
			throw invalid(name, "waits for itself, by way of " + cycle(name),
					"Remove one of the conditions between these steps");
		}
		step.conditions().forEach((condition) -> condition.steps().forEach((predecessor) -> visit(predecessor, name)));
		this.path.remove(name);
		this.ordered.put(name, step);
	}

	private String cycle(String name) {
		List<String> names = new ArrayList<>(this.path);
		List<String> cycle = new ArrayList<>(names.subList(names.indexOf(name), names.size()));
		cycle.add(name);
		return String.join(" -> ", cycle);
	}

	private InvalidConfigurationException invalid(String step, String what, String action) {
		return invalid(this.workflow, step, what, action);
	}

	static InvalidConfigurationException invalid(String workflow, String step, String what, String action) {
		return new InvalidConfigurationException(
				"The step '%s' of the workflow '%s' %s.".formatted(step, workflow, what), action + ".");
	}

}
