package io.jobqueue.internal.operations;

import java.util.List;
import java.util.function.Predicate;

import io.jobqueue.internal.store.ObstacleStore;
import io.jobqueue.internal.store.ObstacleStore.HandledJob;
import io.jobqueue.internal.store.ObstacleStore.LivingWorker;

/**
 * The living workers, by what they can do with a job. Workers of an earlier version do
 * not publish what they can run: they may take each job of their queues, and count as
 * busy unless they had free handlers in all of them.
 *
 * @param all the living workers
 */
record LivingWorkers(List<LivingWorker> all) {

	/**
	 * Return the workers that serve the queue.
	 */
	List<LivingWorker> serving() {
		return matching(LivingWorker::serves);
	}

	/**
	 * Return the workers that do not serve the queue, although they have a handler for
	 * it.
	 * @param handled tests what they can run
	 */
	List<LivingWorker> notServing(Predicate<HandledJob> handled) {
		return matching((worker) -> !worker.serves() && worker.handled() != null && handled.test(worker.handled()));
	}

	/**
	 * Return the workers that serve the queue and are known to match.
	 * @param handled tests what they can run
	 */
	List<LivingWorker> serving(Predicate<HandledJob> handled) {
		return matching((worker) -> worker.serves() && worker.handled() != null && handled.test(worker.handled()));
	}

	/**
	 * Return the workers that may take the job.
	 */
	List<LivingWorker> takers() {
		return matching((worker) -> worker.serves()
				&& (worker.handled() == null || (worker.handled().type() && worker.handled().priority())));
	}

	/**
	 * Return the workers among the {@link #takers} that start handlers.
	 */
	List<LivingWorker> handling() {
		return takers().stream().filter((worker) -> !pulls(worker)).toList();
	}

	/**
	 * Return whether all workers among the {@link #handling} publish how many handlers
	 * they have.
	 */
	boolean isHandlingKnown() {
		return handling().stream().allMatch((worker) -> worker.handled() != null);
	}

	/**
	 * Return whether no worker has a free handler for the job.
	 */
	boolean areBusy() {
		return claimed() > 0 && handling().stream().noneMatch(LivingWorkers::isFree);
	}

	/**
	 * Return the number of jobs of the queue that workers with handlers for the job have
	 * claimed.
	 */
	int claimed() {
		return handling().stream().mapToInt(LivingWorker::claimed).sum();
	}

	/**
	 * Return the known number of handlers that could run the job.
	 */
	int handlers() {
		return handling().stream().mapToInt(LivingWorkers::concurrency).sum();
	}

	static List<String> names(List<LivingWorker> workers) {
		return workers.stream().map(LivingWorker::name).limit(ObstacleStore.MAX_NAMED).toList();
	}

	/**
	 * Return the names for a sentence.
	 */
	static String named(List<LivingWorker> workers) {
		return ((workers.size() == 1) ? "worker " : "workers ") + String.join(", ", names(workers));
	}

	private List<LivingWorker> matching(Predicate<LivingWorker> test) {
		return this.all.stream().filter(test).toList();
	}

	private static boolean isFree(LivingWorker worker) {
		return (worker.handled() != null) ? worker.claimed() < concurrency(worker) : worker.idle();
	}

	private static boolean pulls(LivingWorker worker) {
		return worker.handled() != null && worker.handled().concurrency() == null;
	}

	private static int concurrency(LivingWorker worker) {
		return (worker.handled() != null && worker.handled().concurrency() != null) ? worker.handled().concurrency()
				: 0;
	}

}
