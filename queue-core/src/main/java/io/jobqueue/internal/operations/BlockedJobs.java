package io.jobqueue.internal.operations;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;

import io.jobqueue.Explanation.Reason;
import io.jobqueue.internal.store.ObstacleStore.BlockedBy;
import io.jobqueue.internal.store.ObstacleStore.Blocker;
import io.jobqueue.internal.store.ObstacleStore.Obstacle;
import io.jobqueue.internal.store.SearchStore.FoundJob;

/**
 * Explains which jobs a job waits for.
 */
final class BlockedJobs {

	private BlockedJobs() {
	}

	static ExplanationBuilder reason(FoundJob job, BlockedBy blockedBy, Obstacle obstacle) {
		return switch (blockedBy) {
			case EXPIRY ->
				ExplanationBuilder.of(Reason.EXPIRED, "The job has expired, and a reaper is about to cancel it")
					.remedy("Reschedule it, or retry it once it is cancelled");
			case BATCH -> batch(obstacle);
			case FAILED_PREDECESSOR -> failedPredecessor(job);
			case PREDECESSOR -> behind(Reason.PREDECESSORS, "The job waits for its predecessors", obstacle)
				.remedy("Wait until they have ended, or release it to run it earlier");
			case KEY -> behind(Reason.FOLLOW_UP, "The job follows another one with its unique key", obstacle)
				.remedy("Wait until that job has ended");
			case ORDER ->
				behind(Reason.ORDER, "The job waits for its turn behind another one with its ordering key", obstacle)
					.remedy("Explain that job; retry or delete it if it is dead");
			case SLOT ->
				behind(Reason.SLOT, "The job waits for a slot of its limit key, which other jobs occupy", obstacle)
					.remedy("Wait until one of them has ended, or raise 'concurrency-per-key' on all nodes");
			case LOCK, LIMIT -> throw new IllegalArgumentException("Not a reason of the job itself: " + blockedBy);
		};
	}

	private static ExplanationBuilder behind(Reason reason, String what, Obstacle obstacle) {
		return ExplanationBuilder.of(reason, what + ": %s", named(obstacle))
			.jobs(obstacle.blockers().stream().map(Blocker::id).toList());
	}

	private static ExplanationBuilder batch(Obstacle obstacle) {
		UUID batch = Objects.requireNonNull(obstacle.batch());
		return ExplanationBuilder
			.of(Reason.BATCH, "The job is a callback of batch %s, which %s", batch,
					obstacle.sealed() ? "has unfinished jobs" : "is not sealed")
			.remedy(obstacle.sealed() ? "Wait until all jobs of the batch have ended" : "Seal the batch")
			.batch(batch);
	}

	private static ExplanationBuilder failedPredecessor(FoundJob job) {
		List<UUID> failed = job.details().failedPredecessors();
		return ExplanationBuilder
			.of(Reason.FAILED_PREDECESSOR, "The job waits for predecessors that have failed: %s",
					failed.stream().map(UUID::toString).collect(Collectors.joining(", ")))
			.remedy("Retry these, or release or cancel this job")
			.jobs(failed);
	}

	private static String named(Obstacle obstacle) {
		return obstacle.blockers().isEmpty() ? "none at present, so that it is about to be admitted"
				: obstacle.blockers()
					.stream()
					.map((blocker) -> "%s (%s)".formatted(blocker.id(),
							(blocker.state() != null) ? blocker.state() : "deleted"))
					.collect(Collectors.joining(", "));
	}

}
