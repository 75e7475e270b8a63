package io.jobqueue.internal.dashboard.action;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.dashboard.view.UrlQuery;
import io.jobqueue.internal.operations.BulkSteps.Position;
import io.jobqueue.internal.operations.BulkSteps.StepResult;

/**
 * An action on all jobs of a filter, before its first step or after one of its steps.
 *
 * @param action the action
 * @param conditions the conditions of the jobs by name, none for all jobs
 * @param fields further fields that each step has: the reason, and the value to set
 * @param expected what the preview has counted
 * @param next the position of the next step, {@code null} at the end
 * @param changed the number of jobs that the steps have changed
 * @param skipped the number of jobs that the steps have found, but not changed
 */
public record BulkPage(BulkAction action, Map<String, String> conditions, Map<String, String> fields, Expected expected,
		@Nullable Position next, long changed, long skipped) {

	/**
	 * States of jobs that may not have begun.
	 */
	private static final List<String> UNBEGUN = List.of("SCHEDULED", "READY", "BLOCKED");

	/**
	 * The names of the fields that a step of each action may have.
	 */
	static final List<String> FIELDS = List.of("reason", "id", "began", "step", "position", "changed", "skipped",
			"jobs", "more", "partial");

	/**
	 * Return the address of the preview and of its steps.
	 * @return the path with the conditions
	 */
	public String path() {
		String path = "/bulk/" + this.action.path();
		return this.conditions.isEmpty() ? path : path + "?" + UrlQuery.of(this.conditions);
	}

	/**
	 * Return whether jobs are counted that the action leaves out: such jobs have not
	 * begun.
	 * @return {@code true} if the number may be too large
	 */
	public boolean atMost() {
		String states = this.conditions.getOrDefault("state", "").toUpperCase(Locale.ROOT);
		return this.action == BulkAction.RETRY && UNBEGUN.stream().anyMatch(states::contains);
	}

	BulkPage after(StepResult step) {
		return new BulkPage(this.action, this.conditions, this.fields, this.expected, step.next(),
				this.changed + step.changed(), this.skipped + step.skipped());
	}

	/**
	 * What a preview has counted.
	 *
	 * @param jobs the number of jobs
	 * @param more whether there are more
	 * @param partial whether counting stopped because of the time
	 */
	public record Expected(long jobs, boolean more, boolean partial) {

		/**
		 * Return whether the number is that of all jobs.
		 * @return {@code false} if there may be more
		 */
		public boolean exact() {
			return !this.more && !this.partial;
		}

	}

}
