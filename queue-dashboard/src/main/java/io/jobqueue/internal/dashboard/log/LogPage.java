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
	static final List<String> OPERATIONS = List.of("cancel", "clear", "delete", "pause", "release", "replay",
			"reprioritise", "reschedule", "resume", "retry", "run", "save", "trigger", "unsubscribe");

	private static final int ID_LENGTH = 36;

	/**
	 * Return the names of operations.
	 * @return the names, in their order
	 */
	public List<String> operations() {
		return OPERATIONS;
	}

	/**
	 * Return whether the subject of an operation is a job.
	 * @param row the operation
	 * @return {@code true} if the subject is an id
	 */
	public boolean isJob(OperatorLogRow row) {
		String subject = row.operation().subject();
		return subject.length() == ID_LENGTH && subject.matches("[0-9a-f-]+");
	}

}
