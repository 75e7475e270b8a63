package io.jobqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The workers that a database knows to be alive.
 */
public interface WorkerStore {

	/**
	 * Record a heartbeat of the worker.
	 * @param worker the worker
	 * @param idle whether it has room in all its queues, so that it shares the polling
	 * @return what the database knows
	 */
	CheckInResult checkIn(Worker worker, boolean idle);

	/**
	 * Record that the worker serves something else. A worker that is not known stays so.
	 * @param worker the worker
	 */
	void change(Worker worker);

	/**
	 * Return the living workers that have registered other limits.
	 * @param worker the worker to compare with
	 * @return the others, by name
	 */
	List<WorkerLimits> withOtherLimits(Worker worker);

	/**
	 * Return what no worker may claim.
	 * @return what is paused
	 */
	PausedWork paused();

	/**
	 * Record that the worker has stopped and holds no job.
	 * @param worker the id of the worker
	 */
	void checkOut(UUID worker);

	/**
	 * What no worker may claim, as one moment saw it.
	 *
	 * @param paused what is paused
	 * @param number what {@link CheckInResult#pauses()} is as long as nothing else is
	 * paused
	 */
	record PausedWork(Set<PauseTarget> paused, long number) {

		/**
		 * Nothing is paused.
		 */
		public static final PausedWork NONE = new PausedWork(Set.of(), 0);

	}

	/**
	 * A worker, as others see it.
	 *
	 * @param id a random id per start
	 * @param name a name for people, such as {@code host:pid}
	 * @param queues the queues that it serves
	 * @param service the same for all workers that serve the same queues, types and
	 * priorities
	 * @param timeout how long it may be silent before others take it for dead
	 * @param limits the limits of its queues that hold over all workers, as text
	 */
	record Worker(UUID id, String name, Collection<String> queues, UUID service, Duration timeout, String limits) {
	}

	/**
	 * The answer to a worker's heartbeat.
	 *
	 * @param known whether the database knew the worker; if not, this is its first time,
	 * or others took it for dead and have its jobs
	 * @param place its place among the idle workers that serve the same, from 0
	 * @param size how many of them there are; 1 for a worker that is not idle
	 * @param at the time on the database's clock
	 * @param cancels the ids of the jobs it has that are to be cancelled
	 * @param pauses a number that changes with what is paused, 0 if nothing is
	 */
	record CheckInResult(boolean known, int place, int size, Instant at, Set<UUID> cancels, long pauses) {
	}

	/**
	 * The limits that a worker knows.
	 *
	 * @param name the worker's name, for people
	 * @param queues the queues that it serves
	 * @param limits the limits of its queues that hold over all workers, as text
	 */
	record WorkerLimits(String name, List<String> queues, String limits) {
	}

}
