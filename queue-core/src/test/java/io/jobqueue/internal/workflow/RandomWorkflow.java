package io.jobqueue.internal.workflow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.StepCondition;
import io.jobqueue.StepCondition.Kind;
import io.jobqueue.StepState;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowDefinition.Step;

/**
 * A workflow of up to 12 steps, and how the job of each ends. All ends are known, and so
 * is which steps begin.
 *
 * @param seed the seed that it was made from
 * @param definition the workflow
 * @param ends how the job of each step ends if it begins
 * @param begun the names of the steps that begin
 * @param retention how long the archive keeps the jobs
 * @param kills whether workers are killed, and one in five steps after a commit is lost
 */
record RandomWorkflow(long seed, WorkflowDefinition<String> definition, Map<String, End> ends, Set<String> begun,
		@Nullable Duration retention, boolean kills) {

	private static final int MAX_STEPS = 12;

	private static final List<Kind> KINDS = List.of(Kind.values());

	private static final List<String> BRANCHES = List.of("left", "right");

	static RandomWorkflow of(long seed) {
		Random random = new Random(seed);
		WorkflowDefinition.Builder<String> builder = Tasks.workflow();
		Map<String, End> ends = new HashMap<>();
		int size = 1 + random.nextInt(MAX_STEPS);
		for (int index = 0; index < size; index++) {
			builder = withStep(builder, index, random);
			ends.put(name(index), End.of(random));
		}
		Duration retention = switch (random.nextInt(3)) {
			case 0 -> Duration.ZERO;
			case 1 -> Duration.ofMillis(1);
			default -> null;
		};
		WorkflowDefinition<String> definition = builder.build();
		return new RandomWorkflow(seed, definition, ends, begun(definition, ends), retention, random.nextBoolean());
	}

	private static String name(int index) {
		return "s" + index;
	}

	/**
	 * A step that can never begin gets no conditions.
	 */
	private static WorkflowDefinition.Builder<String> withStep(WorkflowDefinition.Builder<String> before, int index,
			Random random) {
		List<StepCondition> conditions = new ArrayList<>();
		for (int count = random.nextInt(3); count > 0 && index > 0; count--) {
			conditions.add(condition(index, random));
		}
		try {
			WorkflowDefinition.Builder<String> with = WorkflowTestBase.step(before, name(index),
					conditions.toArray(StepCondition[]::new));
			WorkflowDefinition<String> unused = with.build();
			return with;
		}
		catch (InvalidConfigurationException ex) {
			return WorkflowTestBase.step(before, name(index));
		}
	}

	private static StepCondition condition(int index, Random random) {
		List<String> steps = IntStream.range(0, 1 + random.nextInt(3))
			.mapToObj((each) -> name(random.nextInt(index)))
			.toList();
		Kind kind = KINDS.get(random.nextInt(KINDS.size()));
		boolean branched = kind != Kind.AFTER_FAILURE && random.nextInt(3) == 0;
		return new StepCondition(kind, steps, branched ? BRANCHES.get(random.nextInt(2)) : null);
	}

	Step<String> step(String name) {
		return this.definition.steps().stream().filter((step) -> step.name().equals(name)).findFirst().orElseThrow();
	}

	private static Set<String> begun(WorkflowDefinition<String> definition, Map<String, End> ends) {
		Set<String> begun = new LinkedHashSet<>();
		definition.steps()
			.stream()
			.filter((step) -> step.conditions().stream().allMatch((condition) -> holds(condition, begun, ends)))
			.forEach((step) -> begun.add(step.name()));
		return begun;
	}

	private static boolean holds(StepCondition condition, Set<String> begun, Map<String, End> ends) {
		Stream<Boolean> holds = condition.steps()
			.stream()
			.map((name) -> begun.contains(name) && ends.get(name).satisfies(condition));
		return (condition.kind() == Kind.AFTER) ? holds.allMatch(Boolean::booleanValue)
				: holds.anyMatch(Boolean::booleanValue);
	}

	StepState state(String name) {
		return this.begun.contains(name) ? this.ends.get(name).state() : StepState.SKIPPED;
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder(
				"RandomWorkflow[seed=%d, retention=%s, kills=%s]".formatted(this.seed, this.retention, this.kills));
		this.definition.steps()
			.forEach((step) -> text
				.append("\n%s %s %s".formatted(step.name(), step.conditions(), this.ends.get(step.name()))));
		return text.toString();
	}

	/**
	 * How a job ends.
	 *
	 * @param state the state of its step
	 * @param branch the branch that it chooses, {@code null} for none
	 */
	record End(StepState state, @Nullable String branch) {

		boolean satisfies(StepCondition condition) {
			boolean succeeded = this.state == StepState.SUCCEEDED;
			return (condition.kind() == Kind.AFTER_FAILURE) ? !succeeded
					: succeeded && (condition.branch() == null || condition.branch().equals(this.branch));
		}

		static End of(Random random) {
			return switch (random.nextInt(6)) {
				case 0 -> new End(StepState.FAILED, null);
				case 1 -> new End(StepState.CANCELLED, null);
				case 2 -> new End(StepState.SUCCEEDED, null);
				default -> new End(StepState.SUCCEEDED, BRANCHES.get(random.nextInt(2)));
			};
		}

	}

}
