package io.jobqueue.internal.operations;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Explanation.Reason;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.EditDistance;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.ObstacleStore;
import io.jobqueue.internal.store.ObstacleStore.Allowance;
import io.jobqueue.internal.store.ObstacleStore.BlockedBy;
import io.jobqueue.internal.store.ObstacleStore.ClaimedBy;
import io.jobqueue.internal.store.ObstacleStore.QueueWorkers;
import io.jobqueue.internal.store.PauseStore;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.FoundJob;

/**
 * Explains why no worker has claimed a job that is due: by its queue, the workers, and
 * the handlers and limits that this node knows.
 */
final class DueJobs {

	/**
	 * Within this time, workers are about to claim a job.
	 */
	private static final Duration SOON = Duration.ofSeconds(1);

	private final ObstacleStore obstacles;

	private final SearchStore search;

	private final PauseStore pauses;

	private final MonitoringStore monitoring;

	private final LocalQueues local;

	DueJobs(ObstacleStore obstacles, SearchStore search, PauseStore pauses, MonitoringStore monitoring,
			LocalQueues local) {
		this.obstacles = obstacles;
		this.search = search;
		this.pauses = pauses;
		this.monitoring = monitoring;
		this.local = local;
	}

	ExplanationBuilder reason(FoundJob job, Duration dueFor) {
		ExplanationBuilder paused = paused(job);
		if (paused != null) {
			return paused;
		}
		QueueWorkers workers = this.obstacles.workers(job.tier().queue());
		if (workers.serving() == 0) {
			return unserved(job.tier().queue(), workers);
		}
		ExplanationBuilder unhandled = unhandled(job, workers);
		return (unhandled != null) ? unhandled : unclaimed(job, dueFor, workers);
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
		String by = (pause.by() != null) ? " by " + LogText.escaped(pause.by()) : "";
		ExplanationBuilder paused = (pause.type() == null)
				? ExplanationBuilder
					.of(Reason.PAUSED, "Queue '%s' has been paused since %s%s", pause.queue(), pause.since(), by)
					.remedy("Resume the queue")
				: ExplanationBuilder
					.of(Reason.PAUSED, "Type '%s' of queue '%s' has been paused since %s%s", pause.type(),
							pause.queue(), pause.since(), by)
					.remedy("Resume the type");
		return paused.since(pause.since());
	}

	private ExplanationBuilder unserved(String queue, QueueWorkers workers) {
		if (this.local.types(queue).isEmpty()) {
			return EditDistance.meant(queue, known())
				.map((nearest) -> misspelt(queue, nearest))
				.orElseGet(() -> unserved(queue, workers.living()));
		}
		return (this.local.concurrency().applyAsInt(queue) == 0) ? ExplanationBuilder.of(Reason.CONCURRENCY_ZERO,
				"No living worker serves queue '%s', and its concurrency is 0 on this node, which has a handler", queue)
			.remedy("Set 'jobqueue.queues.%s.concurrency' above 0 on a node with a handler", queue)
				: unserved(queue, workers.living());
	}

	private static ExplanationBuilder misspelt(String queue, String nearest) {
		return ExplanationBuilder
			.of(Reason.QUEUE_MISSPELT,
					"No living worker serves queue '%s', whose name is similar to that of queue '%s'", queue, nearest)
			.remedy("Correct the name where jobs are enqueued, or add a handler for queue '%s'", queue)
			.nearest(nearest);
	}

	private static ExplanationBuilder unserved(String queue, int living) {
		return (living == 0)
				? ExplanationBuilder.of(Reason.UNSERVED, "No worker is alive that could serve queue '%s'", queue)
					.remedy("Start a node with a worker; 'jobqueue.worker.enabled' must not be false")
				: ExplanationBuilder
					.of(Reason.UNSERVED, "None of the living workers (%s) serves queue '%s'", living, queue)
					.remedy("Start a node with a handler for the queue, or add the queue to 'jobqueue.worker.queues'");
	}

	private Set<String> known() {
		Set<String> names = new TreeSet<>(this.monitoring.servedQueues());
		names.addAll(this.local.handled().get().keySet());
		return names;
	}

	private @Nullable ExplanationBuilder unhandled(FoundJob job, QueueWorkers workers) {
		Set<String> types = this.local.types(job.tier().queue());
		if (types.isEmpty() || types.contains(job.type())) {
			return null;
		}
		String nearest = EditDistance.meant(job.type(), types).orElse(null);
		return ExplanationBuilder
			.of(Reason.UNHANDLED, "No handler of queue '%s' on this node takes type '%s'%s", job.tier().queue(),
					job.type(), (nearest != null) ? "; the nearest type is '" + nearest + "'" : "")
			.remedy("Deploy a handler for the type, or declare the type as an alias of @JobType on the class that replaced it; other workers may have a handler and be busy")
			.workers(workers.names())
			.nearest(nearest);
	}

	private ExplanationBuilder unclaimed(FoundJob job, Duration dueFor, QueueWorkers workers) {
		ExplanationBuilder limited = limited(job.tier().queue(), workers);
		if (limited != null) {
			return limited;
		}
		if (workers.claimed() > 0 && workers.idle() == 0) {
			return busy(job.tier().queue(), workers);
		}
		if (dueFor.compareTo(SOON) > 0 && this.obstacles.blockedBy(job.id()) == BlockedBy.LOCK) {
			return ExplanationBuilder.of(Reason.LOCKED, "Another transaction has locked the job")
				.remedy("End the session that holds the lock: pg_locks and pg_stat_activity show it");
		}
		return ready(job, dueFor, workers);
	}

	private @Nullable ExplanationBuilder limited(String queue, QueueWorkers workers) {
		ClusterLimits limits = this.local.limits().apply(queue);
		if (limits.isNone()) {
			return null;
		}
		Allowance allowance = this.obstacles.allowance(queue, limits);
		if (allowance.jobs() > 0) {
			return null;
		}
		return (allowance.nextIn() != null && limits.rate() != null) ? rate(queue, limits.rate(), allowance.nextIn())
				: ExplanationBuilder
					.of(Reason.CLUSTER_CONCURRENCY,
							"As many jobs of queue '%s' are claimed as its 'cluster-concurrency' of %s allows: %s",
							queue, String.valueOf(limits.concurrency()), oldest(workers))
					.remedy("Wait until one of them has ended, or raise the limit on all nodes")
					.jobs(ids(workers));
	}

	private ExplanationBuilder rate(String queue, ClusterLimits.Rate rate, Duration nextIn) {
		return ExplanationBuilder
			.of(Reason.RATE, "The rate of queue '%s', %s per %s, is used up for another %s", queue,
					LogText.counted(rate.limit(), "job"), DurationText.of(rate.period()), DurationText.of(nextIn))
			.remedy("Wait, or raise the rate on all nodes")
			.until(this.search.now().plus(nextIn));
	}

	private static ExplanationBuilder busy(String queue, QueueWorkers workers) {
		return ExplanationBuilder
			.of(Reason.BUSY, "The handlers of queue '%s' are busy: %s on %s, %s", queue,
					(workers.claimed() < ObstacleStore.MAX_CLAIMED ? "" : "at least ")
							+ LogText.counted(workers.claimed(), "claimed job"),
					LogText.counted(workers.serving(), "worker"), oldest(workers))
			.remedy("Wait until a handler is free, raise 'concurrency', or start more nodes")
			.jobs(ids(workers))
			.workers(workers.names())
			.since(workers.longest().isEmpty() ? null : workers.longest().get(0).since());
	}

	private static String oldest(QueueWorkers workers) {
		if (workers.longest().isEmpty()) {
			return "none of them by a living worker";
		}
		ClaimedBy first = workers.longest().get(0);
		return "the first of them %s of type '%s' on worker %s%s".formatted(first.id(), first.type(), first.worker(),
				(first.since() != null) ? " since " + ExplanationBuilder.text(first.since()) : "");
	}

	private static List<UUID> ids(QueueWorkers workers) {
		return workers.longest().stream().map(ClaimedBy::id).toList();
	}

	private static ExplanationBuilder ready(FoundJob job, Duration dueFor, QueueWorkers workers) {
		if (dueFor.compareTo(SOON) <= 0) {
			return ExplanationBuilder.of(Reason.READY, "The job is due, and a worker is about to claim it")
				.workers(workers.names());
		}
		return ExplanationBuilder
			.of(Reason.READY, "The job has been due since %s, and %s of queue '%s' %s not claimed it", job.runAt(),
					LogText.counted(workers.serving(), "living worker"), job.tier().queue(),
					(workers.serving() == 1) ? "has" : "have")
			.remedy("Check that a worker has a handler for type '%s', and that 'jobqueue.worker.priorities' includes %s; a limit or a lock of the queue may also delay it",
					job.type(), job.tier().priority())
			.workers(workers.names())
			.since(job.runAt());
	}

}
