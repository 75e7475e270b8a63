package io.jobqueue.internal.operations;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Explanation.Reason;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ObstacleStore;
import io.jobqueue.internal.store.ObstacleStore.Allowance;
import io.jobqueue.internal.store.ObstacleStore.BlockedBy;
import io.jobqueue.internal.store.ObstacleStore.ClaimedBy;
import io.jobqueue.internal.store.ObstacleStore.LivingWorker;
import io.jobqueue.internal.store.PauseStore;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.FoundJob;

/**
 * Explains why no worker has claimed a job that is due: by a pause, by
 * {@link UnservedJobs}, and by the limits and the handlers of the workers that could take
 * it.
 */
final class DueJobs {

	/**
	 * Within this time, workers are about to claim a job.
	 */
	private static final Duration SOON = Duration.ofSeconds(1);

	private final ObstacleStore obstacles;

	private final SearchStore search;

	private final PauseStore pauses;

	private final LocalQueues local;

	private final UnservedJobs unserved;

	DueJobs(ObstacleStore obstacles, SearchStore search, PauseStore pauses, LocalQueues local) {
		this.obstacles = obstacles;
		this.search = search;
		this.pauses = pauses;
		this.local = local;
		this.unserved = new UnservedJobs(obstacles, local);
	}

	ExplanationBuilder reason(FoundJob job, Duration dueFor) {
		ExplanationBuilder paused = paused(job);
		if (paused != null) {
			return paused;
		}
		LivingWorkers workers = new LivingWorkers(this.obstacles.workers(job.tier(), job.type()));
		return workers.takers().isEmpty() ? this.unserved.reason(job, workers) : unclaimed(job, dueFor, workers);
	}

	private @Nullable ExplanationBuilder paused(FoundJob job) {
		return this.pauses.pauses()
			.stream()
			.filter((pause) -> pause.queue().equals(job.tier().queue()))
			.filter((pause) -> pause.type() == null || pause.type().equals(job.type()))
			.min(Comparator.comparing((pause) -> pause.type() != null))
			.map(DueJobs::paused)
			.orElse(null);
	}

	private static ExplanationBuilder paused(QueuePause pause) {
		String by = (pause.by() != null) ? " by " + pause.by() : "";
		String why = (pause.reason() != null) ? ", because: " + pause.reason() : "";
		ExplanationBuilder paused = (pause.type() == null)
				? ExplanationBuilder
					.of(Reason.PAUSED, "Queue '%s' has been paused since %s%s%s", pause.queue(), pause.since(), by, why)
					.remedy("Resume the queue")
				: ExplanationBuilder
					.of(Reason.PAUSED, "Type '%s' of queue '%s' has been paused since %s%s%s", pause.type(),
							pause.queue(), pause.since(), by, why)
					.remedy("Resume the type");
		return paused.since(pause.since());
	}

	private ExplanationBuilder unclaimed(FoundJob job, Duration dueFor, LivingWorkers workers) {
		ExplanationBuilder limited = limited(job.tier().queue(), workers);
		if (limited != null) {
			return limited;
		}
		if (workers.areBusy()) {
			return busy(job.tier().queue(), workers);
		}
		if (dueFor.compareTo(SOON) > 0 && this.obstacles.blockedBy(job.id()) == BlockedBy.LOCK) {
			return ExplanationBuilder.of(Reason.LOCKED, "Another transaction has locked the job")
				.remedy("End the session that holds the lock: pg_locks and pg_stat_activity show it");
		}
		return ready(job, dueFor, workers);
	}

	/**
	 * A worker whose settings allow more than those of others is not limited.
	 */
	private @Nullable ExplanationBuilder limited(String queue, LivingWorkers workers) {
		ExplanationBuilder limited = null;
		for (ClusterLimits limits : limits(queue, workers)) {
			Allowance allowance = limits.isNone() ? null : this.obstacles.allowance(queue, limits);
			if (allowance == null || allowance.jobs() > 0) {
				return null;
			}
			limited = limited(queue, limits, allowance);
		}
		return limited;
	}

	/**
	 * Limits of workers that do not publish theirs are taken to be those of this node.
	 */
	private Set<ClusterLimits> limits(String queue, LivingWorkers workers) {
		return workers.takers()
			.stream()
			.map(LivingWorker::handled)
			.map((handled) -> (handled != null) ? handled.limits() : this.local.limits().apply(queue))
			.collect(Collectors.toSet());
	}

	private ExplanationBuilder limited(String queue, ClusterLimits limits, Allowance allowance) {
		if (allowance.nextIn() != null && limits.rate() != null) {
			return rate(queue, limits.rate(), allowance.nextIn());
		}
		List<ClaimedBy> claimed = this.obstacles.claimed(queue);
		return ExplanationBuilder
			.of(Reason.CLUSTER_CONCURRENCY,
					"As many jobs of queue '%s' are claimed as its 'cluster-concurrency' of %s allows: %s", queue,
					String.valueOf(limits.concurrency()), oldest(claimed))
			.remedy("Wait until one of them has ended, or raise the limit on all nodes")
			.jobs(ids(claimed));
	}

	private ExplanationBuilder rate(String queue, ClusterLimits.Rate rate, Duration nextIn) {
		return ExplanationBuilder
			.of(Reason.RATE, "The rate of queue '%s', %s per %s, is used up for another %s", queue,
					LogText.counted(rate.limit(), "job"), DurationText.of(rate.period()), DurationText.of(nextIn))
			.remedy("Wait, or raise the rate on all nodes")
			.until(this.search.now().plus(nextIn));
	}

	/**
	 * Handlers are counted only if each worker publishes how many it has.
	 */
	private ExplanationBuilder busy(String queue, LivingWorkers workers) {
		List<ClaimedBy> claimed = this.obstacles.claimed(queue);
		boolean known = workers.isHandlingKnown();
		return ExplanationBuilder
			.of(Reason.BUSY, "%s of queue '%s' are busy: %s%s on %s, %s", known ? "All handlers" : "The handlers",
					queue, LogText.counted(workers.claimed(), "claimed job"),
					known ? " for " + LogText.counted(workers.handlers(), "handler") : "",
					LogText.counted(workers.handling().size(), "worker"), oldest(claimed))
			.remedy("Wait until a handler is free, raise 'concurrency' (that of transactional handlers ends at their share of the connection pool: enlarge the pool), or start more nodes")
			.jobs(ids(claimed))
			.workers(LivingWorkers.names(workers.handling()))
			.since(claimed.isEmpty() ? null : claimed.get(0).since());
	}

	private static String oldest(List<ClaimedBy> claimed) {
		if (claimed.isEmpty()) {
			return "none of them by a living worker";
		}
		ClaimedBy first = claimed.get(0);
		return "the first of them %s of type '%s' on worker %s%s".formatted(first.id(), first.type(), first.worker(),
				(first.since() != null) ? " since " + ExplanationBuilder.text(first.since()) : "");
	}

	private static List<UUID> ids(List<ClaimedBy> claimed) {
		return claimed.stream().map(ClaimedBy::id).toList();
	}

	private static ExplanationBuilder ready(FoundJob job, Duration dueFor, LivingWorkers workers) {
		if (dueFor.compareTo(SOON) <= 0) {
			return ExplanationBuilder.of(Reason.READY, "The job is due, and a worker is about to claim it")
				.workers(LivingWorkers.names(workers.takers()));
		}
		int takers = workers.takers().size();
		return ExplanationBuilder
			.of(Reason.READY, "The job has been due since %s, and %s of queue '%s' %s not claimed it", job.runAt(),
					LogText.counted(takers, "living worker"), job.tier().queue(), (takers == 1) ? "has" : "have")
			.remedy(unclaimed(workers), job.type(), job.tier().priority())
			.workers(LivingWorkers.names(workers.takers()))
			.since(job.runAt());
	}

	/**
	 * Return what to do if workers do not claim the job. The type and the priority are
	 * the arguments.
	 */
	private static String unclaimed(LivingWorkers workers) {
		if (workers.handling().isEmpty()) {
			return "Pull jobs of type '%s' from the queue: only the application takes them";
		}
		return workers.serving((handled) -> handled.type() && handled.priority()).isEmpty()
				? "Check that a worker has a handler for type '%s', and that 'jobqueue.worker.priorities' includes %s; a limit or a lock of the queue may also delay it"
				: "Check these workers for failing claims and stuck handlers, which their health and logs show; a lock of the queue may also delay the job";
	}

}
