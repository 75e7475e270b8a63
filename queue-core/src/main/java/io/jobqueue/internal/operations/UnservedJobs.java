package io.jobqueue.internal.operations;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.jobqueue.Explanation.Reason;
import io.jobqueue.internal.logging.EditDistance;
import io.jobqueue.internal.store.ObstacleStore;
import io.jobqueue.internal.store.ObstacleStore.HandledJob;
import io.jobqueue.internal.store.ObstacleStore.LivingWorker;
import io.jobqueue.internal.store.SearchStore.FoundJob;

/**
 * Explains why no living worker takes a job: none serves its queue, has a handler for its
 * type, or takes its priority.
 */
final class UnservedJobs {

	private final ObstacleStore obstacles;

	private final LocalQueues local;

	UnservedJobs(ObstacleStore obstacles, LocalQueues local) {
		this.obstacles = obstacles;
		this.local = local;
	}

	/**
	 * @param workers the workers, none of which takes the job
	 */
	ExplanationBuilder reason(FoundJob job, LivingWorkers workers) {
		if (workers.serving().isEmpty()) {
			return unserved(job.tier().queue(), workers);
		}
		List<LivingWorker> handling = workers.serving(HandledJob::type);
		return handling.isEmpty() ? unhandled(job, workers.serving()) : excluded(job, handling);
	}

	/**
	 * A node whose queues all have a concurrency of 0 has no living worker.
	 */
	private ExplanationBuilder unserved(String queue, LivingWorkers workers) {
		List<LivingWorker> without = workers
			.notServing((handled) -> handled.concurrency() != null && handled.concurrency() == 0);
		List<LivingWorker> leaving = workers
			.notServing((handled) -> handled.concurrency() == null || handled.concurrency() > 0);
		if (!without.isEmpty()) {
			return withoutHandlers(queue, LivingWorkers.named(without)).workers(LivingWorkers.names(without));
		}
		return leaving.isEmpty() ? unknown(queue, workers.all().size()) : left(queue, leaving);
	}

	private static ExplanationBuilder withoutHandlers(String queue, String where) {
		return ExplanationBuilder
			.of(Reason.CONCURRENCY_ZERO,
					"No living worker serves queue '%s'. Its concurrency is 0 on %s, which could run it", queue, where)
			.remedy("Set 'jobqueue.queues.%s.concurrency' above 0 on a node with a handler", queue);
	}

	private static ExplanationBuilder left(String queue, List<LivingWorker> workers) {
		return ExplanationBuilder.of(Reason.UNSERVED,
				"No living worker serves queue '%s'. It is not in 'jobqueue.worker.queues' of %s, which could run it",
				queue, LivingWorkers.named(workers))
			.remedy("Add the queue to this setting, or start a node that serves it")
			.workers(LivingWorkers.names(workers));
	}

	private ExplanationBuilder unknown(String queue, int living) {
		if (this.local.types(queue).isEmpty()) {
			return EditDistance.meant(queue, known())
				.map((nearest) -> misspelt(queue, nearest))
				.orElseGet(() -> unserved(queue, living));
		}
		return (this.local.concurrency().applyAsInt(queue) == 0) ? withoutHandlers(queue, "this node")
				: unserved(queue, living);
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
		Set<String> names = new TreeSet<>(this.obstacles.queues());
		names.addAll(this.local.handled().get().keySet());
		return names;
	}

	private ExplanationBuilder unhandled(FoundJob job, List<LivingWorker> serving) {
		String nearest = EditDistance.meant(job.type(), this.obstacles.types(job.tier().queue())).orElse(null);
		return ExplanationBuilder
			.of(Reason.UNHANDLED, "None of the living workers of queue '%s' (%s) has a handler for type '%s'%s",
					job.tier().queue(), serving.size(), job.type(),
					(nearest != null) ? "; the nearest type is '" + nearest + "'" : "")
			.remedy("Deploy a handler for the type, or declare the type as an alias of @JobType on the class that replaced it")
			.workers(LivingWorkers.names(serving))
			.nearest(nearest);
	}

	private static ExplanationBuilder excluded(FoundJob job, List<LivingWorker> handling) {
		return ExplanationBuilder
			.of(Reason.PRIORITY_EXCLUDED,
					"None of the living workers with a handler for type '%s' of queue '%s' (%s) takes priority %s",
					job.type(), job.tier().queue(), handling.size(), job.tier().priority())
			.remedy("Change the priority of the job, or let 'jobqueue.worker.priorities' of a node include it")
			.workers(LivingWorkers.names(handling));
	}

}
