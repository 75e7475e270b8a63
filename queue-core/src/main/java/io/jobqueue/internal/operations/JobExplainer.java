package io.jobqueue.internal.operations;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Explanation;
import io.jobqueue.Explanation.Reason;
import io.jobqueue.JobDetails;
import io.jobqueue.JobState;
import io.jobqueue.internal.store.ObstacleStore;
import io.jobqueue.internal.store.ObstacleStore.Obstacle;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.FoundJob;

/**
 * Explains why a job is not running: by its own state here, by jobs that it waits for in
 * {@link BlockedJobs}, and by its queue and the workers in {@link DueJobs}.
 */
final class JobExplainer {

	private final SearchStore search;

	private final ObstacleStore obstacles;

	private final DueJobs due;

	JobExplainer(SearchStore search, ObstacleStore obstacles, DueJobs due) {
		this.search = search;
		this.obstacles = obstacles;
		this.due = due;
	}

	/**
	 * A job that ends between the two statements is read again.
	 */
	Explanation explain(UUID id) {
		FoundJob job = this.search.find(id);
		Obstacle obstacle = this.obstacles.obstacle(id);
		if (job != null && obstacle == null && !job.state().isFinished()) {
			job = this.search.find(id);
		}
		return reason(job, obstacle).build(id);
	}

	private ExplanationBuilder reason(@Nullable FoundJob job, @Nullable Obstacle obstacle) {
		if (job != null && job.state().isFinished()) {
			return ended(job);
		}
		return (job != null && obstacle != null) ? unfinished(job, obstacle) : unknown();
	}

	private static ExplanationBuilder unknown() {
		return ExplanationBuilder.of(Reason.UNKNOWN,
				"There is no job with this id: the transaction that enqueued it is open or was rolled back, it was deleted, or the retention of the archive is over")
			.remedy("Commit the transaction, and check the id");
	}

	private static ExplanationBuilder ended(FoundJob job) {
		Instant finishedAt = job.details().finishedAt();
		String at = (finishedAt != null) ? " at " + ExplanationBuilder.text(finishedAt) : "";
		ExplanationBuilder ended = switch (job.state()) {
			case SUCCEEDED -> ExplanationBuilder.of(Reason.ENDED, "The job succeeded%s", at);
			case CANCELLED -> ExplanationBuilder.of(Reason.ENDED, "The job was cancelled%s", at)
				.remedy("Retry it to run it after all");
			default ->
				ExplanationBuilder.of(Reason.ENDED, "The job died%s: its attempts were used up, or it was given up", at)
					.remedy("Fix the cause of its last error, and retry it")
					.error(job.details().error());
		};
		return ended.since(finishedAt);
	}

	private ExplanationBuilder unfinished(FoundJob job, Obstacle obstacle) {
		if (job.state() == JobState.RUNNING) {
			return running(job, obstacle);
		}
		if (job.details().cancelRequested()) {
			return ExplanationBuilder
				.of(Reason.CANCEL_REQUESTED, "The cancellation of the job is requested, and no worker runs it")
				.remedy("Wait for a reaper, which cancels it within seconds if any worker is alive");
		}
		if (obstacle.blockedBy() != null) {
			return BlockedJobs.reason(job, obstacle.blockedBy(), obstacle);
		}
		return (obstacle.held() || obstacle.dueFor().isNegative()) ? later(job, obstacle)
				: this.due.reason(job, obstacle.dueFor());
	}

	private static ExplanationBuilder running(FoundJob job, Obstacle obstacle) {
		JobDetails details = job.details();
		ExplanationBuilder running = obstacle.lost() ? lost(details, obstacle.heartbeatAt()) : claimed(job, details);
		return running.workers(List.of(worker(details))).since(details.startedAt());
	}

	private static ExplanationBuilder claimed(FoundJob job, JobDetails details) {
		return details.cancelRequested() ? ExplanationBuilder
			.of(Reason.CANCEL_REQUESTED, "The job runs on worker %s, and its cancellation is requested",
					worker(details))
			.remedy("Let its handler check cancelRequested(); it is interrupted after 'jobqueue.worker.cancel-grace', unless it takes several jobs in a call")
				: ExplanationBuilder.of(Reason.RUNNING, "The job has been running on worker %s%s, in attempt %s",
						worker(details), since(details.startedAt()), job.attempts());
	}

	private static ExplanationBuilder lost(JobDetails details, @Nullable Instant heartbeatAt) {
		return ExplanationBuilder
			.of(Reason.WORKER_LOST, "The job was claimed by worker %s, which %s", worker(details),
					(heartbeatAt != null) ? "has sent no heartbeat" + since(heartbeatAt) : "is no longer registered")
			.remedy("Wait for a reaper, which takes the job back on any living worker; start a worker if none is alive");
	}

	private static String worker(JobDetails details) {
		return (details.worker() != null) ? details.worker() : "(unknown)";
	}

	private static String since(@Nullable Instant time) {
		return (time != null) ? " since " + ExplanationBuilder.text(time) : "";
	}

	private static ExplanationBuilder later(FoundJob job, Obstacle obstacle) {
		if (obstacle.held()) {
			return ExplanationBuilder.of(Reason.RETRY_HELD,
					"The job has failed %s, and 'probe-retries' holds it back until other retries of queue '%s' succeed",
					times(job), job.tier().queue())
				.remedy("Fix what makes the retries of the queue fail, or run the job with runHere")
				.error(job.details().error());
		}
		if (job.state() == JobState.RETRYING) {
			return ExplanationBuilder
				.of(Reason.RETRYING, "The job has failed %s, and is due again at %s", times(job), job.runAt())
				.remedy("Fix the cause of its last error; retry the job to run it now")
				.until(job.runAt())
				.error(job.details().error());
		}
		return ExplanationBuilder.of(Reason.SCHEDULED, "The job is due at %s", job.runAt())
			.remedy("Wait, or reschedule it to run it earlier")
			.until(job.runAt());
	}

	private static String times(FoundJob job) {
		int failures = job.details().failures() + job.details().expectedFailures();
		return (failures == 1) ? "once" : failures + " times";
	}

}
