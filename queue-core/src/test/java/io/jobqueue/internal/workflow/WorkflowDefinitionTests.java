package io.jobqueue.internal.workflow;

import java.lang.management.ManagementFactory;
import java.util.List;

import com.sun.management.ThreadMXBean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobResult;
import io.jobqueue.StepCondition;
import io.jobqueue.WorkflowDefinition;

import static io.jobqueue.WorkflowDefinition.after;
import static io.jobqueue.WorkflowDefinition.afterAny;
import static io.jobqueue.WorkflowDefinition.afterFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What can be known to be wrong with a workflow is refused when it is defined.
 */
class WorkflowDefinitionTests {

	private final WorkflowDefinition.Builder<String> builder = WorkflowDefinition.named("fulfilment", String.class);

	private WorkflowDefinition.Builder<String> step(WorkflowDefinition.Builder<String> steps, String name,
			StepCondition... conditions) {
		return steps.step(name, (input) -> input + name, conditions);
	}

	private void assertRefused(WorkflowDefinition.Builder<String> steps, String description, String action) {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(steps::build).satisfies((ex) -> {
			assertThat(ex.description()).isEqualTo(description);
			assertThat(ex.action()).isEqualTo(action);
		});
	}

	@Test
	void stepsAreOrderedByTheirConditions() {
		WorkflowDefinition.Builder<String> steps = step(this.builder, "ship", after("pay", "pack").on("in-stock"));
		steps = step(step(step(steps, "pack"), "pay"), "refund", afterFailure("ship"));
		WorkflowDefinition<String> definition = steps.build();
		assertThat(definition.steps()).extracting((step) -> step.name())
			.containsExactly("pay", "pack", "ship", "refund");
		assertThat(definition.steps().get(2).payload().apply("order ")).isEqualTo("order ship");
		assertThat(definition).hasToString("WorkflowDefinition[fulfilment, steps=[pay, pack, ship, refund]]");
	}

	@Test
	void inputMayBeAPrimitive() {
		WorkflowDefinition<Long> definition = WorkflowDefinition.named("fulfilment", long.class)
			.step("pay", (order) -> order)
			.build();
		assertThat(definition.input()).isEqualTo(Long.class);
	}

	@Test
	void emptyWorkflowIsRefused() {
		assertRefused(this.builder, "The workflow 'fulfilment' has 0 steps.", "Define 1 to 1000 steps.");
	}

	@Test
	void sameNameTwiceIsRefused() {
		assertRefused(step(step(step(this.builder, "pay"), "ship"), "pay", after("ship")),
				"The step 'pay' of the workflow 'fulfilment' is defined twice.", "Give one of them another name.");
	}

	@Test
	void unknownStepIsRefused() {
		assertRefused(step(step(this.builder, "pay"), "ship", after("pack")),
				"The step 'ship' of the workflow 'fulfilment' waits for 'pack', which is no step.",
				"Add that step, or correct the name; the steps are [pay, ship].");
	}

	@Test
	void cycleIsRefused() {
		WorkflowDefinition.Builder<String> steps = step(step(this.builder, "start"), "a", after("start"),
				afterAny("start", "c"));
		assertRefused(step(step(steps, "b", after("a")), "c", afterFailure("b")),
				"The step 'a' of the workflow 'fulfilment' waits for itself, by way of a -> c -> b -> a.",
				"Remove one of the conditions between these steps.");
		assertRefused(step(this.builder, "a", after("a")),
				"The step 'a' of the workflow 'fulfilment' waits for itself, by way of a -> a.",
				"Remove one of the conditions between these steps.");
	}

	@Test
	void stepThatCanNeverBeginIsRefused() {
		String action = "Use afterAny for alternatives, or define a step for each of them.";
		WorkflowDefinition.Builder<String> steps = step(step(this.builder, "pay"), "ship", after("pay").on("in-stock"));
		assertRefused(step(steps, "tell", after("ship"), after("pay").on("sold-out")),
				"The step 'tell' of the workflow 'fulfilment' can never begin: its conditions require that 'pay' ends in two ways, on branch in-stock and on branch sold-out.",
				action);
		assertRefused(step(steps, "tell", after("pay"), afterFailure("pay")),
				"The step 'tell' of the workflow 'fulfilment' can never begin: its conditions require that 'pay' ends in two ways, with success and with a failure.",
				action);
		steps = step(steps, "order", after("pay").on("sold-out"));
		assertRefused(step(steps, "tell", afterAny("ship", "order"), afterFailure("pay")),
				"The step 'tell' of the workflow 'fulfilment' can never begin: its conditions require that 'pay' ends in two ways, with success and with a failure.",
				action);
	}

	@Test
	void alternativesOfBranchesAreReachable() {
		WorkflowDefinition.Builder<String> steps = step(step(this.builder, "pay"), "ship", after("pay").on("in-stock"));
		steps = step(steps, "order", after("pay").on("sold-out"));
		steps = step(steps, "tell", afterAny("ship", "order"), after("pay"));
		steps = step(steps, "book", after("tell"), after("pay").on("in-stock"));
		assertThat(steps.build().steps()).hasSize(5);
	}

	/**
	 * Each step follows all of the layer before it. The check of each pair of steps by
	 * itself allocates 140 MB instead of 6 MB, and take some 10 s for 1,000 steps.
	 */
	@Test
	void layersMayBeWide() {
		WorkflowDefinition.Builder<String> steps = this.builder;
		String[] before = {};
		for (int layer = 0; layer < 4; layer++) {
			String[] names = new String[100];
			for (int place = 0; place < names.length; place++) {
				names[place] = "s" + layer + "-" + place;
				steps = (layer == 0) ? step(steps, names[place]) : step(steps, names[place], after(before));
			}
			before = names;
		}
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long allocated = threads.getCurrentThreadAllocatedBytes();
		assertThat(steps.build().steps()).hasSize(400);
		assertThat(threads.getCurrentThreadAllocatedBytes() - allocated).isLessThan(50_000_000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "-pay", "pay:ship", "pay,ship", "pay;ship", "bezahlt ü" })
	void invalidNamesAreRefused(String name) {
		String rule = " is '" + name
				+ "', but must consist of 1 to 100 letters (A to Z), digits, '-' and '_', and begin with a letter or digit";
		assertThatIllegalArgumentException().isThrownBy(() -> WorkflowDefinition.named(name, String.class))
			.withMessage("The name of a workflow" + rule);
		assertThatIllegalArgumentException().isThrownBy(() -> step(this.builder, name))
			.withMessage("The name of a step" + rule);
		assertThatIllegalArgumentException().isThrownBy(() -> after("pay", name))
			.withMessage("The name of a step" + rule);
		assertThatIllegalArgumentException().isThrownBy(() -> after("pay").on(name))
			.withMessage("The name of a branch" + rule);
		assertThatIllegalArgumentException().isThrownBy(() -> JobResult.success().branch(name))
			.withMessage("The name of a branch" + rule);
	}

	@Test
	void conditionsWithoutSenseAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> after())
			.withMessage("A condition must name at least one step");
		assertThatIllegalArgumentException().isThrownBy(() -> afterFailure("pay").on("in-stock"))
			.withMessage("A failed step chooses no branch: omit on(\"in-stock\")");
	}

	@Test
	void conditionsReadAsTheyAreDefined() {
		assertThat(List.of(after("pay", "pack", "pay").on("in-stock"), afterAny("a", "b"), afterFailure("ship")))
			.extracting(StepCondition::toString)
			.containsExactly("after(pay, pack).on(in-stock)", "afterAny(a, b)", "afterFailure(ship)");
	}

	@Test
	void twoDefinitionsOfANameAreRefused() {
		WorkflowDefinition<String> one = step(this.builder, "pay").build();
		WorkflowDefinition<String> between = step(WorkflowDefinition.named("returns", String.class), "pay").build();
		WorkflowDefinition<String> other = step(this.builder, "ship").build();
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> new WorkflowCatalog(List.of(one, between, other)))
			.withMessage("Two beans define the workflow 'fulfilment'. Remove one of them, or give it another name.");
	}

}
