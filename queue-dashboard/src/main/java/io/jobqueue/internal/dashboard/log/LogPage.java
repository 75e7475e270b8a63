package io.jobqueue.internal.dashboard.log;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.OperatorLogStore.OperatorLogRow;

/**
 * What the page of the operator log shows.
 *
 * @param rows the operations, the latest first
 * @param next the position of the next page, {@code null} at the end
 * @param partial whether the search stopped although more may follow
 */
public record LogPage(List<OperatorLogRow> rows, @Nullable String next, boolean partial) {

	/**
	 * The names of operations.
	 */
	static final List<String> OPERATIONS = List.of("cancel", "cancel-workflow", "clear", "delete", "pause", "release",
			"replay", "reprioritise", "reschedule", "resume", "retry", "retry-workflow", "run", "save", "trigger",
			"unsubscribe");

	private static final String OF_WORKFLOW = "-workflow";

	private static final int ID_LENGTH = 36;

	/**
	 * Return the names of operations.
	 * @return the names, in their order
	 */
	public List<String> operations() {
		return OPERATIONS;
	}

	/**
	 * Return the address of the subject of an operation, if that is a job or an instance
	 * of a workflow.
	 * @param row the operation
	 * @return the path, {@code null} if the subject is no id
	 */
	public @Nullable String link(OperatorLogRow row) {
		String subject = row.operation().subject();
		if (subject.length() != ID_LENGTH || !subject.matches("[0-9a-f-]+")) {
			return null;
		}
		return (row.operation().name().endsWith(OF_WORKFLOW) ? "/workflows/" : "/jobs/") + subject;
	}

}
