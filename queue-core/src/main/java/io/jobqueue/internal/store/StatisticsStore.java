package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PriorityClass;

/**
 * Records how many attempts end and how long they take, for 7 days. The times are those
 * of the database.
 */
public interface StatisticsStore {

	/**
	 * Add what a worker has counted since its last call, as of now. This also folds older
	 * statistics: after 3 hours, those of 10 minutes and of all workers become one row. A
	 * crash of the server may lose the counts of the last second, and counts are added
	 * twice if the connection breaks before its answer.
	 * @param worker the id of the worker
	 * @param statistics one element for each queue and priority class
	 */
	void add(UUID worker, Collection<QueueStatistics> statistics);

	/**
	 * Add how long the oldest due jobs have been waiting. Of several nodes that add the
	 * ages of the same queue and priority class in one minute, the first one counts.
	 * @param ages one element for each queue and priority class in which a due job waits
	 */
	void addAges(Collection<OldestAge> ages);

	/**
	 * Read the statistics of all workers until now, added up for each step of time.
	 * @param period the time before now, up to 7 days
	 * @param step the length of a step, at least 10 minutes for what is older than 3
	 * hours: shorter steps would be empty
	 * @param queue the name of a queue, {@code null} for all queues
	 * @return the steps in which something was recorded, in the order of their queue,
	 * priority class and time
	 */
	List<StatisticsStep> read(Duration period, Duration step, @Nullable String queue);

	/**
	 * Read the statistics of all workers and priority classes until now, added up for
	 * each step of time.
	 * @param period the time before now, up to 7 days
	 * @param step the length of a step, as above
	 * @param queue the name of a queue, {@code null} for the sums of all queues
	 * @return the steps in which something was recorded
	 */
	StatisticsHistory history(Duration period, Duration step, @Nullable String queue);

	/**
	 * What was recorded in a period.
	 *
	 * @param readAt the time of the reading, which the last step contains
	 * @param since when the first of all statistics that are kept was recorded,
	 * {@code null} if there are none. From then on, nothing happened in a step that is
	 * missing; before, it is not known
	 * @param steps the steps in which something was recorded, in the order of time
	 */
	record StatisticsHistory(Instant readAt, @Nullable Instant since, List<StatisticsTotal> steps) {
	}

	/**
	 * The sums of all workers and priority classes in one step of time.
	 *
	 * @param from the begin of the step
	 * @param succeeded the number of jobs that succeeded
	 * @param failed the number of attempts that failed, as in {@link QueueStatistics}
	 * @param dead the number of jobs that died
	 * @param runTimes the run times of attempts
	 * @param age how long the oldest due job had been waiting, as in
	 * {@link StatisticsStep}
	 */
	record StatisticsTotal(Instant from, long succeeded, long failed, long dead, RunTimes runTimes,
			@Nullable Duration age) {
	}

	/**
	 * What was recorded in one step of time.
	 *
	 * @param from the begin of the step. An attempt counts for the time at which its
	 * worker has added it, up to a minute after its end
	 * @param statistics the sums of all workers
	 * @param age how long the oldest due job had been waiting, the longest of the step;
	 * {@code null} if no age was recorded: none of at least a second, or none at all
	 * because no worker was alive
	 */
	record StatisticsStep(Instant from, QueueStatistics statistics, @Nullable Duration age) {
	}

	/**
	 * How long the oldest due job of a queue and priority class has been waiting.
	 *
	 * @param queue the name of the queue
	 * @param priority the priority class
	 * @param age the time since it was due
	 */
	record OldestAge(String queue, PriorityClass priority, Duration age) {
	}

	/**
	 * How many attempts of a queue and priority class ended. Jobs that end without a
	 * worker are not among them: those that the reaper, an operator or a predecessor
	 * ends, and those that expire.
	 *
	 * @param queue the name of the queue
	 * @param priority the priority class
	 * @param succeeded the number of jobs that succeeded
	 * @param failed the number of attempts that failed and are retried, or whose outcome
	 * the worker could not record
	 * @param dead the number of jobs that died
	 * @param cancelled the number of claimed jobs that were cancelled
	 * @param runTimes the run times of these attempts
	 */
	record QueueStatistics(String queue, PriorityClass priority, long succeeded, long failed, long dead, long cancelled,
			RunTimes runTimes) {

		/**
		 * Return what was counted since.
		 * @param earlier the counts of an earlier time
		 * @return the difference
		 */
		public QueueStatistics minus(QueueStatistics earlier) {
			return new QueueStatistics(this.queue, this.priority, this.succeeded - earlier.succeeded,
					this.failed - earlier.failed, this.dead - earlier.dead, this.cancelled - earlier.cancelled,
					this.runTimes.minus(earlier.runTimes));
		}

		/**
		 * Return the number of attempts that ended.
		 * @return the sum
		 */
		public long attempts() {
			return this.succeeded + this.failed + this.dead + this.cancelled;
		}

	}

}
