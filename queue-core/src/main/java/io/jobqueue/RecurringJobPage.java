package io.jobqueue;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Schedules that a {@link RecurringJobQuery} selects, ordered by name.
 *
 * @param jobs the schedules, unmodifiable
 * @param next the position of the next page, {@code null} if there is none
 */
public record RecurringJobPage(List<RecurringJobInfo> jobs, @Nullable String next) {

	/**
	 * Create a page from a copy of the schedules.
	 * @param jobs the schedules
	 * @param next the position of the next page
	 */
	public RecurringJobPage {
		jobs = List.copyOf(jobs);
	}

}
