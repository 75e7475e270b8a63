package io.jobqueue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;
import org.springframework.util.ClassUtils;

/**
 * Jobs that follow one another, defined once and started for each input by
 * {@link Workflows#start}. Declare it as a bean:
 *
 * <pre class="code">
 * &#64;Bean
 * WorkflowDefinition&lt;Order&gt; fulfilment() {
 *     return WorkflowDefinition.named("fulfilment", Order.class)
 *         .step("pay", order -&gt; new Pay(order.id()))
 *         .step("ship", order -&gt; new Ship(order.id()), after("pay").on("in-stock"))
 *         .step("refund", order -&gt; new Refund(order.id()), afterFailure("ship"))
 *         .build();
 * }
 * </pre>
 *
 * Each step is a job: its handler is that of its payload, with retries and options of its
 * own. A definition is immutable and safe for use by several threads.
 *
 * @param <I> the type of the input
 */
public final class WorkflowDefinition<I> {

	private final String name;

	private final Class<I> input;

	private final List<Step<I>> steps;

	private WorkflowDefinition(String name, Class<I> input, List<Step<I>> steps) {
		this.name = name;
		this.input = input;
		this.steps = steps;
	}

	/**
	 * Begin a definition.
	 * @param name the name, unique in the application: up to 100 letters, digits, '-' and
	 * '_'
	 * @param input the type of the input
	 * @param <I> the type of the input
	 * @return a builder
	 * @throws IllegalArgumentException if the name is invalid
	 */
	@SuppressWarnings("unchecked")
	public static <I> Builder<I> named(String name, Class<I> input) {
		StepCondition.checkName("The name of a workflow", name);
		Objects.requireNonNull(input, "'input' must not be null");
		return new Builder<>(name, (Class<I>) ClassUtils.resolvePrimitiveIfNecessary(input), List.of());
	}

	/**
	 * Return the condition that all of some steps have succeeded.
	 * @param steps the names of the steps, at least one
	 * @return the condition
	 * @throws IllegalArgumentException if there is no name or one is invalid
	 */
	public static StepCondition after(String... steps) {
		return new StepCondition(StepCondition.Kind.AFTER, List.of(steps), null);
	}

	/**
	 * Return the condition that at least one of some steps has succeeded. The step begins
	 * once, with the first of them.
	 * @param steps the names of the steps, at least one
	 * @return the condition
	 * @throws IllegalArgumentException if there is no name or one is invalid
	 */
	public static StepCondition afterAny(String... steps) {
		return new StepCondition(StepCondition.Kind.AFTER_ANY, List.of(steps), null);
	}

	/**
	 * Return the condition that at least one of some steps has failed: its job is dead,
	 * or was cancelled or deleted. A retry after a failed attempt is not the end. The
	 * step begins once, with the first of them.
	 * @param steps the names of the steps, at least one
	 * @return the condition
	 * @throws IllegalArgumentException if there is no name or one is invalid
	 */
	public static StepCondition afterFailure(String... steps) {
		return new StepCondition(StepCondition.Kind.AFTER_FAILURE, List.of(steps), null);
	}

	/**
	 * Return the name of the workflow.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the type of the input.
	 * @return the class
	 */
	public Class<I> input() {
		return this.input;
	}

	/**
	 * Return the steps, each after all that its conditions name.
	 * @return an unmodifiable list
	 */
	public List<Step<I>> steps() {
		return this.steps;
	}

	/**
	 * Draw the steps and their conditions. Arrows of alternatives are dotted, those of
	 * branches and failures are labelled.
	 * @return a flowchart, in the language of Mermaid
	 */
	public String toMermaid() {
		WorkflowDiagram diagram = new WorkflowDiagram();
		this.steps.forEach((step) -> diagram.add(step.name(), null, step.conditions()));
		return diagram.text();
	}

	/**
	 * Return the name and the steps.
	 */
	@Override
	public String toString() {
		return "WorkflowDefinition[%s, steps=%s]".formatted(this.name, this.steps.stream().map(Step::name).toList());
	}

	/**
	 * A step of a workflow.
	 *
	 * @param name its name
	 * @param payload returns its payload, or a {@link JobRequest}, for an input
	 * @param conditions the conditions for its begin; without any, it begins with the
	 * instance
	 * @param <I> the type of the input
	 */
	public record Step<I>(String name, Function<? super I, ? extends @Nullable Object> payload,
			List<StepCondition> conditions) {

		/**
		 * Create a step.
		 * @param name its name
		 * @param payload returns its payload or request
		 * @param conditions the conditions for its begin
		 */
		public Step {
			conditions = List.copyOf(conditions);
		}

	}

	/**
	 * Collects the steps of a definition. Each call returns a new builder.
	 *
	 * @param <I> the type of the input
	 */
	@CheckReturnValue
	public static final class Builder<I> {

		private final String name;

		private final Class<I> input;

		private final List<Step<I>> steps;

		private Builder(String name, Class<I> input, List<Step<I>> steps) {
			this.name = name;
			this.input = input;
			this.steps = steps;
		}

		/**
		 * Add a step.
		 * @param step the name of the step, unique in the workflow: up to 100 letters,
		 * digits, '-' and '_'
		 * @param payload returns the payload of the step for the input of an instance, or
		 * a {@link JobRequest} with options. It is called when the instance starts, also
		 * for a step that is skipped later. A unique key and predecessors are refused
		 * then. A delay counts from the begin of the step
		 * @param conditions the conditions for the begin of the step, all of which must
		 * hold; none to begin with the instance. They may name steps that are added later
		 * @return a builder with the step
		 * @throws IllegalArgumentException if the name is invalid
		 */
		public Builder<I> step(String step, Function<? super I, ? extends @Nullable Object> payload,
				StepCondition... conditions) {
			StepCondition.checkName("The name of a step", step);
			List<Step<I>> all = new ArrayList<>(this.steps);
			all.add(new Step<>(step, Objects.requireNonNull(payload, "'payload' must not be null"),
					List.of(conditions)));
			return new Builder<>(this.name, this.input, all);
		}

		/**
		 * Check the steps, and return the definition.
		 * @return the definition
		 * @throws InvalidConfigurationException if there are no steps or more than 1,000,
		 * two have the same name, a condition names an unknown step, steps wait for each
		 * other, or a step can never begin; the message names the step
		 */
		public WorkflowDefinition<I> build() {
			return new WorkflowDefinition<>(this.name, this.input, StepOrder.of(this.name, this.steps));
		}

	}

}
