package io.jobqueue.internal.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Reads what gauges, health and alerts show, at a cost that does not grow with the
 * tables.
 */
public interface MonitoringStore {

	/**
	 * The maximum number of jobs that wait for a failed predecessor that is counted.
	 */
	int FAILED_CAP = 1_000;

	/**
	 * The maximum number of dead jobs of a queue and priority that is counted, and of
	 * jobs of all queues that wait for a failed predecessor.
	 */
	int UNRESOLVED_CAP = 10_000;

	/**
	 * Scan what is urgent, without counting anything: the queues and priorities that hold
	 * unfinished jobs, their ages and failures; those of the given queues, and of others
	 * as many as can be read at a bounded cost.
	 * <p>
	 * If scans are expensive, a scan may begin where the previous one found the oldest
	 * waiting job of each queue and priority. It then misses jobs that appeared before
	 * that position, and priorities that are new, until the next full scan about a minute
	 * later.
	 * @param queues names of queues
	 * @return a reading for each queue and priority, without counts
	 */
	GaugeSnapshot scan(Collection<String> queues);

	/**
	 * Scan what is urgent, and count jobs by state. If counting fails or takes too long,
	 * counts are missing, and the rest is returned nevertheless.
	 * @param queues names of queues
	 * @return a reading for each queue and priority
	 */
	GaugeSnapshot read(Collection<String> queues);

	/**
	 * Return which types fail, by the jobs with the most failures of each tier: 1,000, or
	 * its share of 10,000 if there are many tiers, but at least 10. A type that only
	 * other jobs have is not found.
	 * @param tiers the queues and priorities
	 * @return the types among these jobs
	 */
	List<TypeFailures> failuresByType(Collection<Tier> tiers);

	/**
	 * Return the queues that living workers serve.
	 * @return names of queues
	 */
	List<String> servedQueues();

	/**
	 * Estimate the number of unfinished jobs of the largest queues, as of the last
	 * ANALYZE of the table.
	 * @return the numbers by queue; empty if the table was never analyzed
	 */
	Map<String, Long> estimatedSizes();

	/**
	 * Count the workers that are alive.
	 * @param name the name of a node
	 * @return how many there are, and how many of them have that name
	 */
	WorkerCount workers(String name);

	/**
	 * Count the jobs that wait for a failed predecessor, up to {@value #FAILED_CAP}.
	 * @return the number
	 */
	long waitingForFailed();

	/**
	 * Count what does not end without an operator, each up to {@value #UNRESOLVED_CAP}.
	 * @return the counts, {@code null} if counting fails or takes too long
	 */
	@Nullable Unresolved unresolved();

	/**
	 * Return the tables whose dead rows are counted.
	 * @return their names
	 */
	List<String> tables();

	/**
	 * Return a number that differs from an earlier one if jobs, batches, schedules or
	 * pauses have changed in between, as of the database's statistics: a change may count
	 * up to ten seconds late. Heartbeats do not count.
	 * @return the number
	 */
	long changes();

	/**
	 * Read how many dead rows the database has not removed yet, and what keeps it from
	 * removing them.
	 * @return the numbers, and the holder of the oldest snapshot
	 */
	CleanupStatus cleanup();

	/**
	 * How many workers are alive.
	 *
	 * @param living all of them
	 * @param here those of one node
	 */
	record WorkerCount(long living, long here) {
	}

	/**
	 * What gauges show.
	 *
	 * @param tiers a reading for each queue and priority that holds unfinished jobs
	 * @param complete whether no queue was left out for its cost
	 * @param known the queues of which nothing was left out, if others were
	 */
	record GaugeSnapshot(List<TierSnapshot> tiers, boolean complete, Set<String> known) {

		/**
		 * Return whether a queue holds nothing but what is here.
		 * @param queue the name of the queue
		 * @return {@code false} if it may hold more
		 */
		public boolean isAllOf(String queue) {
			return this.complete || this.known.contains(queue);
		}

	}

	/**
	 * How many unfinished jobs one queue and priority holds.
	 *
	 * @param scheduled how many wait for their first run-at
	 * @param ready how many are due and wait
	 * @param running how many are claimed
	 * @param retrying how many back off
	 * @param blocked how many wait for other jobs
	 */
	record TierCounts(JobCount scheduled, JobCount ready, JobCount running, JobCount retrying, JobCount blocked) {

		/**
		 * Return whether there may be more waiting jobs than are counted.
		 * @return {@code true} if the number of a state other than running is capped
		 */
		public boolean areCapped() {
			return this.scheduled.capped() || this.ready.capped() || this.retrying.capped() || this.blocked.capped();
		}

		/**
		 * Return how many are counted in all.
		 * @return the sum
		 */
		public long total() {
			return this.scheduled.jobs() + this.ready.jobs() + this.running.jobs() + this.retrying.jobs()
					+ this.blocked.jobs();
		}

	}

	/**
	 * The unfinished jobs of one queue and priority.
	 *
	 * @param queue the queue
	 * @param priority the value of the priority
	 * @param maxFailures the highest number of failed attempts of a job
	 * @param maxReleases the highest number of releases in a row by stops of a job whose
	 * handler had begun
	 * @param maxAge how long the oldest due job has been waiting, {@code null} if none
	 * waits
	 * @param counts how many there are, {@code null} if they were not counted
	 */
	record TierSnapshot(String queue, int priority, int maxFailures, int maxReleases, @Nullable Duration maxAge,
			@Nullable TierCounts counts) {

		/**
		 * Add counts.
		 * @param counted how many jobs there are
		 * @return a copy with these counts
		 */
		public TierSnapshot with(TierCounts counted) {
			return new TierSnapshot(this.queue, this.priority, this.maxFailures, this.maxReleases, this.maxAge,
					counted);
		}

	}

	/**
	 * The unfinished jobs of one queue, priority and type that have failed.
	 *
	 * @param tier the queue and priority
	 * @param type the name of the type
	 * @param maxFailures the highest number of failed attempts of a job
	 * @param unread the highest number of failed attempts that a job of the tier may have
	 * that was not read, of any type; 0 if all were read
	 */
	record TypeFailures(Tier tier, String type, int maxFailures, int unread) {
	}

	/**
	 * What does not end without an operator.
	 *
	 * @param dead the dead jobs in the archive
	 * @param allDead whether these are all queues and priorities with dead jobs
	 * @param waiting the number of jobs of each queue that wait for a failed predecessor
	 * @param allWaiting whether no further job waits for a failed predecessor
	 * @param oldestBatch the age of the oldest batch that is not finished, zero if all
	 * are
	 */
	record Unresolved(List<DeadJobs> dead, boolean allDead, Map<String, Long> waiting, boolean allWaiting,
			Duration oldestBatch) {
	}

	/**
	 * The number of dead jobs of one queue and priority.
	 *
	 * @param tier the queue and priority
	 * @param jobs the number
	 */
	record DeadJobs(Tier tier, long jobs) {
	}

	/**
	 * The progress of the database with removing dead rows.
	 *
	 * @param oldest the holder of the oldest snapshot, {@code null} if no snapshot keeps
	 * dead rows
	 * @param deadRows the number of dead rows of each table, as of the database's
	 * statistics
	 */
	record CleanupStatus(@Nullable SnapshotHolder oldest, Map<String, Long> deadRows) {
	}

	/**
	 * The session, prepared transaction or slot that holds the oldest snapshot of a
	 * database.
	 *
	 * @param name its description; never a statement, which may contain data
	 * @param process the id of its server process, {@code null} if it has none
	 * @param snapshot the transaction id that it holds, which changes with its snapshot
	 * @param age the time since its transaction began, {@code null} if that is not known
	 */
	record SnapshotHolder(String name, @Nullable Integer process, String snapshot, @Nullable Duration age) {

		/**
		 * Return whether it holds the same snapshot as at another reading.
		 * @param other the holder at that time, {@code null} for none
		 * @return {@code true} if the snapshot has not been released since
		 */
		public boolean holdsAsBefore(@Nullable SnapshotHolder other) {
			return other != null && Objects.equals(this.process, other.process) && this.snapshot.equals(other.snapshot);
		}

	}

}
