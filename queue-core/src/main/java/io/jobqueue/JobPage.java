package io.jobqueue;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of the jobs that a {@link JobQuery} selects. Unfinished jobs come first, in the
 * order in which they are claimed: by queue, priority, run-at and age. Finished jobs
 * follow by their ids, the newest first.
 * <p>
 * Pages are no snapshot: a job that is postponed or finishes between two pages may be
 * listed twice; a job that does not change is listed once.
 *
 * @param jobs the jobs, unmodifiable
 * @param next where the next page begins, for {@link JobQuery#after}, {@code null} if
 * there is none; its format may change between versions
 * @param partial whether the search ended at its time limit: there may be jobs from
 * {@code next} on even if this page has none
 */
public record JobPage(List<JobInfo> jobs, @Nullable String next, boolean partial) {

	/**
	 * Create a page from a copy of the jobs.
	 * @param jobs the jobs
	 * @param next where the next page begins
	 * @param partial whether the search ended at its time limit
	 */
	public JobPage {
		jobs = List.copyOf(jobs);
	}

}
