package io.jobqueue.internal.dashboard.jobs;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.dashboard.ShortText;
import io.jobqueue.JobDetails;
import io.jobqueue.JobInfo;
import io.jobqueue.JobPage;
import io.jobqueue.JobState;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;

/**
 * What a list shows.
 *
 * @param jobs the jobs without hidden values
 * @param next the position of the next page, {@code null} at the end
 * @param partial whether the search stopped because its time was over
 * @param shown whether values are shown that can be confidential
 * @param batch the batch whose members they are, {@code null} if that is no condition
 */
public record JobList(List<JobInfo> jobs, @Nullable String next, boolean partial, boolean shown,
		@Nullable MemberOf batch) {

	private static final int MAX_ERROR = 300;

	static JobList of(JobPage page, ValueSanitizer sanitizer, @Nullable MemberOf batch) {
		return new JobList(page.jobs().stream().map((job) -> ShownJob.of(job, sanitizer)).toList(), page.next(),
				page.partial(), sanitizer.shown(), batch);
	}

	/**
	 * Return the states to choose from.
	 * @return all states
	 */
	public List<JobState> states() {
		return List.of(JobState.values());
	}

	/**
	 * Return the first line of the error of a job.
	 * @param job the job
	 * @return the line, without text if the job has none or has succeeded
	 */
	public String error(JobInfo job) {
		String error = details(job).error();
		if (error == null || job.state() == JobState.SUCCEEDED) {
			return "";
		}
		return ShortText.of(error.lines().findFirst().orElse(""), MAX_ERROR);
	}

	/**
	 * Return the time that matters most for a job.
	 * @param job the job
	 * @return the time
	 */
	public Moment moment(JobInfo job) {
		JobDetails details = details(job);
		if (details.finishedAt() != null) {
			return new Moment("ended", details.finishedAt());
		}
		if (job.state() == JobState.RUNNING && details.startedAt() != null) {
			return new Moment("began", details.startedAt());
		}
		return new Moment("due", job.runAt());
	}

	private static JobDetails details(JobInfo job) {
		return Objects.requireNonNull(job.details());
	}

	/**
	 * A batch.
	 *
	 * @param id its id
	 * @param name its name or asterisks, {@code null} if it is no longer stored
	 */
	public record MemberOf(UUID id, @Nullable String name) {

	}

	/**
	 * A time.
	 *
	 * @param word what happened or happens then
	 * @param time the time
	 */
	public record Moment(String word, Instant time) {

	}

}
