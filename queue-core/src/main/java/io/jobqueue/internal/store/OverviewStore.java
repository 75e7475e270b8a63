package io.jobqueue.internal.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Reads the workers of all nodes, and how many jobs arrive, for people who look at the
 * whole queue. What a call costs grows with the number of workers, not with the tables.
 */
public interface OverviewStore {

	/**
	 * The maximum number of workers that are listed.
	 */
	int MAX_WORKERS = 100;

	/**
	 * The maximum number of claimed jobs that are listed of a worker.
	 */
	int MAX_CLAIMED = 10;

	/**
	 * The maximum number of finished jobs that are counted as arrivals, and of unfinished
	 * ones.
	 */
	int MAX_ARRIVALS = 10_000;

	/**
	 * List the registered workers, and the jobs that they have claimed. A worker that
	 * stops is removed, and so is one whose heartbeats stop, once the reaper of another
	 * worker finds it after its timeout.
	 * @return up to {@value #MAX_WORKERS} workers
	 */
	WorkerList workers();

	/**
	 * Count the jobs that were enqueued in the last 5 full minutes. If the latest
	 * {@value #MAX_ARRIVALS} finished and as many unfinished jobs cover a shorter time,
	 * it is that of the last full minutes in it or, if there is none, all of it.
	 * <p>
	 * The time of a job is the one in its id, by the clock of the application that has
	 * enqueued it. A finished job counts while the archive keeps it; a job that was
	 * deleted or retried from the archive does not count.
	 * @return the numbers
	 */
	Arrivals arrivals();

	/**
	 * The registered workers.
	 *
	 * @param workers the first ones: those without a recent heartbeat, then the others,
	 * each ordered by name
	 * @param total the number of all registered workers
	 * @param at the time of the reading, by the database's clock
	 */
	record WorkerList(List<ListedWorker> workers, int total, Instant at) {
	}

	/**
	 * A registered worker.
	 *
	 * @param id its id, random for each start
	 * @param name its name, such as {@code host:pid}
	 * @param application the name of its application, {@code null} if unknown
	 * @param startedAt the time of its registration
	 * @param heartbeatAt the time of its last heartbeat
	 * @param living whether that is recent enough for it to be alive
	 * @param queues the queues that it serves
	 * @param limits the limits of its queues over all workers, as text, empty for none
	 * @param claimed the number of jobs that it has claimed and not ended, those that
	 * wait in its JVM for a free handler included
	 * @param longest up to {@value #MAX_CLAIMED} of these jobs: those that exceed the
	 * time until which they may run, then those that were claimed first
	 */
	record ListedWorker(UUID id, String name, @Nullable String application, Instant startedAt, Instant heartbeatAt,
			boolean living, List<ServedQueue> queues, String limits, JobCount claimed, List<ListedJob> longest) {
	}

	/**
	 * A queue that a worker serves.
	 *
	 * @param name its name
	 * @param concurrency the maximum number of its handlers at a time, {@code null} if
	 * the application pulls its jobs, or if an earlier version runs the worker
	 */
	record ServedQueue(String name, @Nullable Integer concurrency) {
	}

	/**
	 * A job that a worker has claimed.
	 *
	 * @param id its id
	 * @param queue the queue
	 * @param type the name of its type
	 * @param claimedAt the time of the claim, {@code null} if unknown; its handler begins
	 * at that time or later
	 * @param leaseUntil the time until which it may run, {@code null} if that is not
	 * limited
	 */
	record ListedJob(UUID id, String queue, String type, @Nullable Instant claimedAt, @Nullable Instant leaseUntil) {
	}

	/**
	 * How many jobs were enqueued.
	 *
	 * @param from the begin of the time in which they were
	 * @param to its end, at least 1 s later: full minutes, or the time of the reading, by
	 * the database's clock
	 * @param jobs the number of each queue and priority that has had any since the begin,
	 * also later ones: these have 0
	 */
	record Arrivals(Instant from, Instant to, Map<Tier, Long> jobs) {
	}

}
