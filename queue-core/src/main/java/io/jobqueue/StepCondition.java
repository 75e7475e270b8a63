package io.jobqueue;

import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;

/**
 * A condition for the begin of a step, of those that {@link WorkflowDefinition#after},
 * {@link WorkflowDefinition#afterAny} and {@link WorkflowDefinition#afterFailure} create.
 * A step begins once all of its conditions hold, and is skipped once one of them can no
 * longer hold.
 *
 * @param kind how the named steps are required to end
 * @param steps the names of the other steps, without duplicates
 * @param branch the branch that their handlers must have chosen, {@code null} for any
 */
@CheckReturnValue
public record StepCondition(Kind kind, List<String> steps, @Nullable String branch) {

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}");

	static final String NAME_RULE = "must consist of 1 to 100 letters (A to Z), digits, '-' and '_', and begin with a letter or digit";

	/**
	 * Create a condition.
	 * @param kind how the steps are required to end
	 * @param steps the names of the steps, at least one; duplicates are removed
	 * @param branch the branch, {@code null} for any
	 * @throws IllegalArgumentException if a name is invalid, there is none, or a branch
	 * is given for failures
	 */
	public StepCondition {
		steps = steps.stream().distinct().toList();
		if (steps.isEmpty()) {
			throw new IllegalArgumentException("A condition must name at least one step");
		}
		steps.forEach((step) -> checkName("The name of a step", step));
		if (branch != null) {
			checkName("The name of a branch", branch);
			if (kind == Kind.AFTER_FAILURE) {
				throw new IllegalArgumentException(
						"A failed step chooses no branch: omit on(\"%s\")".formatted(branch));
			}
		}
	}

	/**
	 * Require that the handlers of the named steps have chosen a branch, with
	 * {@link JobResult.Success#branch}.
	 * @param branch the name of the branch: up to 100 letters, digits, '-' and '_'
	 * @return the condition
	 * @throws IllegalArgumentException if the name is invalid or this is a condition for
	 * failures
	 */
	public StepCondition on(String branch) {
		return new StepCondition(this.kind, this.steps, branch);
	}

	static void checkName(String what, String name) {
		if (!NAME.matcher(name).matches()) {
			throw new IllegalArgumentException("%s is '%s', but %s".formatted(what, name, NAME_RULE));
		}
	}

	/**
	 * Return the condition as in the definition, such as {@code after(pay).on(in-stock)}.
	 */
	@Override
	public String toString() {
		String named = "%s(%s)".formatted(this.kind.method, String.join(", ", this.steps));
		return (this.branch != null) ? "%s.on(%s)".formatted(named, this.branch) : named;
	}

	/**
	 * How the steps of a condition are required to end.
	 */
	public enum Kind {

		/**
		 * All of them have succeeded.
		 */
		AFTER("after"),

		/**
		 * At least one of them has succeeded.
		 */
		AFTER_ANY("afterAny"),

		/**
		 * At least one of them has failed: it is dead, or was cancelled or deleted.
		 */
		AFTER_FAILURE("afterFailure");

		private final String method;

		Kind(String method) {
			this.method = method;
		}

	}

}
