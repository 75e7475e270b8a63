package io.jobqueue.internal.dashboard.dead;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobInfo;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.store.SearchStore.ArchiveCount;
import io.jobqueue.internal.store.SearchStore.ErrorCounts;
import io.jobqueue.internal.store.SearchStore.ErrorGroup;

/**
 * What the page of dead jobs shows.
 *
 * @param filter which jobs
 * @param queues the numbers of dead jobs by queue, the largest first, at most
 * {@link #MAX_QUEUES}; empty for a filter with a queue
 * @param counts the errors of dead jobs; none for a filter with an error
 * @param jobs the jobs of the page
 * @param next the position of the next page, {@code null} at the end
 * @param partial whether the search stopped because of the time
 * @param sanitizer hides the texts of errors
 */
public record DeadPage(DeadFilter filter, List<ArchiveCount> queues, ErrorCounts counts, List<JobInfo> jobs,
		@Nullable String next, boolean partial, ValueSanitizer sanitizer) {

	static final int MAX_QUEUES = 1_000;

	static final int MAX_ERRORS = 50;

	/**
	 * Return the errors of dead jobs that are shown.
	 * @return the 50 most frequent ones
	 */
	public List<ErrorGroup> errors() {
		List<ErrorGroup> errors = this.counts.groups();
		return errors.subList(0, Math.min(MAX_ERRORS, errors.size()));
	}

	/**
	 * Return how many errors are not shown.
	 * @return the number
	 */
	public int moreErrors() {
		return this.counts.groups().size() - errors().size();
	}

	/**
	 * Return the first line of the error of a job.
	 * @param job the job
	 * @return the line, or the type of the exception alone, empty if it has no error
	 */
	public String error(JobInfo job) {
		String error = (job.details() != null) ? this.sanitizer.summary(job.details().error()) : null;
		return (error != null) ? error : "";
	}

}
