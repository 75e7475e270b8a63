package io.jobqueue;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Jobs that a {@link JobQuery} asked for. Those that are not finished come first, in the
 * order in which they are claimed: by queue, priority, run-at and age. The finished ones
 * follow, by their ids, newest first.
 * <p>
 * Pages are no snapshot. A job that is claimed later than it was to be, or finishes
 * between two pages, may be listed twice; one that does not change is listed once.
 *
 * @param jobs the jobs, unmodifiable
 * @param next where the next page begins, {@code null} if there is none; what it is made
 * of may change from version to version
 * @param partial whether the page was cut short because the search took too long: there
 * may be jobs from {@code next} on even if this page has none
 */
public record JobPage(List<JobInfo> jobs, @Nullable String next, boolean partial) {

	/**
	 * Create a page from a copy of the jobs.
	 * @param jobs the jobs
	 * @param next where the next page begins
	 * @param partial whether the search took too long
	 */
	public JobPage {
		jobs = List.copyOf(jobs);
	}

}
