package io.jobqueue.internal.dashboard.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Explanation;
import io.jobqueue.JobDetails;
import io.jobqueue.JobDetails.Attempt;
import io.jobqueue.JobInfo;
import io.jobqueue.JobState;
import io.jobqueue.internal.logging.DurationText;

/**
 * What the page of a job shows.
 *
 * @param job the job without hidden values
 * @param why why it is not running, or where it runs
 * @param payload the payload, {@code null} if it is gone
 * @param trace the trace in which it was enqueued, {@code null} if there is none
 * @param batches the batches that it belongs to or follows
 * @param step the step of a workflow that it is, {@code null} if it is none
 * @param drawing its family, dependencies and batch, {@code null} if it has none
 * @param shown whether values are shown that can be confidential
 */
public record JobView(JobInfo job, Explanation why, @Nullable PayloadView payload, @Nullable TraceLink trace,
		List<BatchLink> batches, @Nullable StepOf step, @Nullable FamilyDrawing drawing, boolean shown) {

	/**
	 * Return the details of the job.
	 * @return the details without hidden values
	 */
	public JobDetails details() {
		return Objects.requireNonNull(this.job.details());
	}

	/**
	 * Return the address of the list of the family.
	 * @return the path with its parameter
	 */
	public String family() {
		UUID root = this.job.root();
		return JobLinks.list("root", (root != null) ? root : this.job.id());
	}

	/**
	 * Return the attempts that the job has.
	 * @return such as {@code 3 of 25}
	 */
	public String attempts() {
		Integer max = this.job.maxAttempts();
		return (max == null || max == 0) ? String.valueOf(this.job.attempt())
				: "%s of %s".formatted(this.job.attempt(), max);
	}

	/**
	 * Return how much the explanation is to alarm.
	 * @return the suffix of a class of style sheets
	 */
	public String mood() {
		JobState state = this.job.state();
		if (state == JobState.DEAD) {
			return "bad";
		}
		return (this.why.remedy().isEmpty() || state.isFinished()) ? "good" : "warn";
	}

	/**
	 * Return how long an attempt took.
	 * @param attempt the attempt
	 * @return such as {@code 1s 240ms}, without text if that is unknown
	 */
	public String duration(Attempt attempt) {
		return (attempt.began() != null) ? DurationText.of(Duration.between(attempt.began(), attempt.ended())) : "";
	}

}
