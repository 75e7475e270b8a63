package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Registers workers and their heartbeats.
 */
public interface WorkerStore {

	/**
	 * Register a worker with its first heartbeat. This may be repeated.
	 * @param worker the worker
	 * @param idle whether it has free capacity in all its queues, so that it takes poll
	 * turns
	 * @return the answer to the heartbeat
	 */
	CheckInResult register(Worker worker, boolean idle);

	/**
	 * Record a heartbeat of a worker, and register the worker if it is unknown.
	 * @param worker the worker
	 * @param idle whether it has free capacity in all its queues, so that it takes poll
	 * turns
	 * @return the answer to the heartbeat
	 */
	CheckInResult checkIn(Worker worker, boolean idle);

	/**
	 * Record a heartbeat like {@link #checkIn}, of a worker that has free capacity in all
	 * its queues, and search for anything to do: for jobs, claims, keys and dependencies,
	 * workers that the reaper removes, and rows to purge.
	 * @param worker the worker
	 * @return the answer to the heartbeat
	 */
	CheckInResult checkInAndSearch(Worker worker);

	/**
	 * Update the queues, the service, the limits and the handled queues of a worker. An
	 * unknown worker is not registered.
	 * @param worker the worker
	 */
	void change(Worker worker);

	/**
	 * Return the live workers that have registered other limits or another application.
	 * @param worker the worker to compare with
	 * @return the other workers, ordered by name
	 */
	List<DifferingWorker> differing(Worker worker);

	/**
	 * Return the queues and types that no worker may claim.
	 * @return the paused queues and types
	 */
	PausedWork paused();

	/**
	 * Remove a worker that has stopped and has no claimed job.
	 * @param worker the id of the worker
	 */
	void checkOut(UUID worker);

	/**
	 * The queues and types that no worker may claim, read from one snapshot.
	 *
	 * @param paused the paused queues and types
	 * @param number the value of {@link CheckInResult#pauses()} until the pauses change
	 */
	record PausedWork(Set<PauseTarget> paused, long number) {

		/**
		 * Nothing is paused.
		 */
		public static final PausedWork NONE = new PausedWork(Set.of(), 0);

	}

	/**
	 * A worker, as it is registered in the database.
	 *
	 * @param id its id, random for each start
	 * @param name its name in log messages, such as {@code host:pid}
	 * @param queues the queues that it serves
	 * @param service an id that all workers with the same queues, types and priorities
	 * share
	 * @param timeout the time without a heartbeat after which it counts as dead
	 * @param limits the limits of its queues over all workers, as text
	 * @param handled what it can run, by queue, also of queues that it does not serve
	 * @param application the name of its application, {@code null} if unknown
	 * @param ticks which schedules it ticks, {@code null} for none
	 */
	record Worker(UUID id, String name, Collection<String> queues, UUID service, Duration timeout, String limits,
			Map<String, HandledQueue> handled, @Nullable String application, @Nullable Ticks ticks) {

		/**
		 * Return this worker with the schedules that it ticks.
		 * @param schedules the schedules, {@code null} for none
		 * @return the worker
		 */
		public Worker ticking(@Nullable Ticks schedules) {
			return new Worker(this.id, this.name, this.queues, this.service, this.timeout, this.limits, this.handled,
					this.application, schedules);
		}

	}

	/**
	 * What a worker can run of a queue.
	 *
	 * @param types the names of the types that it has handlers for, or pulls
	 * @param concurrency the number of its handlers, 0 if it starts none, {@code null} if
	 * the application pulls the jobs
	 * @param minPriority the lowest priority value that it claims
	 * @param maxPriority the highest priority value that it claims
	 * @param limits the limits of the queue over all workers, by its settings
	 */
	record HandledQueue(Set<String> types, @Nullable Integer concurrency, int minPriority, int maxPriority,
			ClusterLimits limits) {
	}

	/**
	 * The schedules that a worker ticks: those that it declares, and those that were
	 * saved at run time.
	 *
	 * @param declared the names of the schedules that it declares
	 * @param from the earliest next tick of schedules that were saved at run time,
	 * {@code null} for any; the heartbeat does not read the dead index entries before it
	 */
	record Ticks(Set<String> declared, @Nullable Instant from) {
	}

	/**
	 * The answer to a worker's heartbeat.
	 *
	 * @param known whether the worker was registered; if not, this is its first
	 * heartbeat, or the reaper has removed it and taken back its jobs
	 * @param place its place among the idle workers of its service, from 0
	 * @param size the number of idle workers of its service; 1 for a worker that is not
	 * idle
	 * @param at the time of the database's clock
	 * @param cancels the ids of its claimed jobs whose cancellation is requested
	 * @param pauses a hash of all pauses, 0 if nothing is paused
	 * @param rank its place among all live workers, from 0
	 * @param nextTickAt the time of the earliest tick of the schedules that it declares
	 * and of those that were saved at run time, {@code null} if there is none
	 * @param empty whether the tables hold nothing to do; {@code false} if it did not
	 * search
	 */
	record CheckInResult(boolean known, int place, int size, Instant at, Set<UUID> cancels, long pauses, int rank,
			@Nullable Instant nextTickAt, boolean empty) {
	}

	/**
	 * A worker that has registered other limits or another application.
	 *
	 * @param name the worker's name
	 * @param queues the queues that it serves
	 * @param limits the limits of its queues over all workers, as text
	 * @param application the name of its application, {@code null} if unknown
	 */
	record DifferingWorker(String name, List<String> queues, String limits, @Nullable String application) {
	}

}
