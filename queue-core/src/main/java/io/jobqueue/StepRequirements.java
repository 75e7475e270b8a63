package io.jobqueue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;

import io.jobqueue.StepCondition.Kind;
import io.jobqueue.WorkflowDefinition.Step;

/**
 * Finds steps that can never begin: their conditions require that another step ends in
 * two ways. For each step, computes how others must have ended before it.
 */
final class StepRequirements {

	private final String workflow;

	private final Map<String, Map<String, End>> required = new HashMap<>();

	private final Map<Map<String, End>, Map<String, End>> distinct = new HashMap<>();

	private StepRequirements(String workflow) {
		this.workflow = workflow;
	}

	/**
	 * Check steps.
	 * @param steps the steps, each after all that its conditions name
	 * @throws InvalidConfigurationException if a step can never begin
	 */
	static void check(String workflow, List<? extends Step<?>> steps) {
		StepRequirements requirements = new StepRequirements(workflow);
		steps.forEach(requirements::check);
	}

	private void check(Step<?> step) {
		Map<String, End> all = new HashMap<>();
		for (StepCondition condition : step.conditions()) {
			if (condition.kind() == Kind.AFTER) {
				requireAll(step, all, condition);
			}
		}
		for (StepCondition condition : step.conditions()) {
			if (condition.kind() != Kind.AFTER) {
				require(step, all, common(condition, all));
			}
		}
		this.required.put(step.name(), this.distinct.computeIfAbsent(all, Function.identity()));
	}

	/**
	 * What steps that follow the same ones require is merged once: each step of a layer
	 * may follow all of the layer before it.
	 */
	private void requireAll(Step<?> step, Map<String, End> all, StepCondition condition) {
		Set<Map<String, End>> merged = Collections.newSetFromMap(new IdentityHashMap<>());
		Map<String, End> own = new HashMap<>();
		for (String predecessor : condition.steps()) {
			Map<String, End> before = this.required.getOrDefault(predecessor, Map.of());
			if (merged.add(before)) {
				require(step, all, before);
			}
			own.put(predecessor, end(condition));
		}
		require(step, all, own);
	}

	private static End end(StepCondition condition) {
		return new End(condition.kind() != Kind.AFTER_FAILURE, condition.branch());
	}

	/**
	 * How steps must have ended for one alternative of a condition.
	 */
	private Map<String, End> by(StepCondition condition, String predecessor) {
		Map<String, End> all = new HashMap<>(this.required.getOrDefault(predecessor, Map.of()));
		all.put(predecessor, end(condition));
		return all;
	}

	/**
	 * What all alternatives that are possible require.
	 */
	private Map<String, End> common(StepCondition condition, Map<String, End> known) {
		List<Map<String, End>> possible = new ArrayList<>();
		for (String predecessor : condition.steps()) {
			Map<String, End> alternative = by(condition, predecessor);
			if (conflict(known, alternative) == null) {
				possible.add(alternative);
			}
		}
		if (possible.isEmpty()) {
			return by(condition, condition.steps().get(0));
		}
		Map<String, End> common = new HashMap<>(possible.get(0));
		for (Map<String, End> alternative : possible) {
			common.entrySet().removeIf((each) -> !each.getValue().agrees(alternative.get(each.getKey())));
			common.replaceAll((name, end) -> end.or(Objects.requireNonNull(alternative.get(name))));
		}
		return common;
	}

	private void require(Step<?> step, Map<String, End> all, Map<String, End> further) {
		String conflict = conflict(all, further);
		if (conflict != null) {
			throw StepOrder.invalid(this.workflow, step.name(),
					"can never begin: its conditions require that '%s' ends in two ways, %s and %s".formatted(conflict,
							all.get(conflict), further.get(conflict)),
					"Use afterAny for alternatives, or define a step for each of them");
		}
		further.forEach((name, end) -> all.merge(name, end, End::and));
	}

	private static @Nullable String conflict(Map<String, End> all, Map<String, End> further) {
		return further.keySet()
			.stream()
			.filter((name) -> all.containsKey(name) && all.get(name).excludes(further.get(name)))
			.findFirst()
			.orElse(null);
	}

	/**
	 * How a step must have ended.
	 *
	 * @param success whether it must have succeeded
	 * @param branch the branch that it must have chosen, {@code null} for any
	 */
	@CheckReturnValue
	private record End(boolean success, @Nullable String branch) {

		boolean excludes(@Nullable End other) {
			return other != null && (this.success != other.success
					|| (this.branch != null && other.branch != null && !this.branch.equals(other.branch)));
		}

		boolean agrees(@Nullable End other) {
			return other != null && this.success == other.success;
		}

		/**
		 * Return what is required by this or another end that agrees.
		 */
		End or(End other) {
			return Objects.equals(this.branch, other.branch) ? this : new End(this.success, null);
		}

		End and(End other) {
			return (this.branch != null) ? this : other;
		}

		@Override
		public String toString() {
			return this.success ? ((this.branch != null) ? "on branch " + this.branch : "with success")
					: "with a failure";
		}

	}

}
