package io.jobqueue.internal.dashboard.action;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.jobqueue.JobQuery;
import io.jobqueue.Priority;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.operations.BulkChange;

/**
 * An action on all jobs of a filter.
 */
public enum BulkAction {

	/**
	 * Retries jobs.
	 */
	RETRY("Retry", "retried", "Jobs that are running, have succeeded or have not begun are left out."),

	/**
	 * Makes jobs due now.
	 */
	RUN("Run now", "made due now",
			"Only jobs that are due later are changed. They still wait for their keys, limits and pauses."),

	/**
	 * Enqueues copies of archived jobs.
	 */
	REPLAY("Replay", "copied", "Each finished job is enqueued once more, as a new job without a unique key."),

	/**
	 * Changes when jobs are due.
	 */
	RESCHEDULE("Reschedule", "rescheduled",
			"Only waiting jobs are changed. Those that have that time already do not count."),

	/**
	 * Changes the priority of jobs.
	 */
	REPRIORITISE("Change priority", "changed",
			"Running jobs have the new priority from their next attempt on. Jobs that have it already do not count."),

	/**
	 * Cancels jobs.
	 */
	CANCEL("Cancel", "cancelled or requested to end", "Running jobs are requested to end."),

	/**
	 * Deletes jobs.
	 */
	DELETE("Delete", "deleted", "Nothing of these jobs is kept. Running jobs are left out.");

	private final String label;

	private final String done;

	private final String note;

	BulkAction(String label, String done, String note) {
		this.label = label;
		this.done = done;
		this.note = note;
	}

	static BulkAction of(String path) {
		return Arrays.stream(values())
			.filter((action) -> action.path().equals(path))
			.findFirst()
			.orElseThrow(() -> new RefusedRequestException(404, "There is no action '%s' of jobs.".formatted(path)));
	}

	/**
	 * Say what it does.
	 * @param jobs to which jobs
	 * @return such as {@code Change priority of these jobs}
	 */
	public String label(String jobs) {
		return switch (this) {
			case RUN -> "Run " + jobs + " now";
			case REPRIORITISE -> this.label + " of " + jobs;
			default -> this.label + " " + jobs;
		};
	}

	/**
	 * Return the name of the action in addresses.
	 * @return such as {@code retry}
	 */
	public String path() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Return what has happened to jobs.
	 * @return such as {@code retried}
	 */
	public String done() {
		return this.done;
	}

	/**
	 * Return which jobs it changes, and how.
	 * @return a sentence
	 */
	public String note() {
		return this.note;
	}

	/**
	 * Return whether it cannot be undone.
	 * @return {@code true} if it ends or deletes jobs
	 */
	public boolean danger() {
		return this == CANCEL || this == DELETE;
	}

	/**
	 * Return the names of the fields of its steps.
	 */
	Set<String> fields() {
		Set<String> fields = new HashSet<>(BulkPage.FIELDS);
		fields.addAll(List.of(ActionFields.names(path())));
		if (this == RESCHEDULE) {
			fields.add("runAt");
		}
		return fields;
	}

	/**
	 * Return the change to count the jobs of, whatever is set on them.
	 */
	BulkChange counted(JobQuery query) {
		return switch (this) {
			case RESCHEDULE -> BulkChange.reschedule(query, Instant.EPOCH);
			case REPRIORITISE -> BulkChange.reprioritise(query, Priority.USER_VISIBLE);
			default -> change(query, new ActionFields(new Form(Map.of())));
		};
	}

	BulkChange change(JobQuery query, ActionFields fields) {
		return switch (this) {
			case RETRY -> BulkChange.retry(query);
			case RUN -> BulkChange.runNow(query);
			case REPLAY -> BulkChange.replay(query);
			case RESCHEDULE -> BulkChange.reschedule(query, fields.fixedRunAt());
			case REPRIORITISE -> BulkChange.reprioritise(query, fields.priority());
			case CANCEL -> BulkChange.cancel(query);
			case DELETE -> BulkChange.delete(query);
		};
	}

}
