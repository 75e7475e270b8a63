package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.store.OverviewStore.ListedJob;
import io.jobqueue.internal.store.OverviewStore.ListedWorker;

/**
 * A worker and what it runs.
 *
 * @param worker the worker
 * @param jobs its stuck jobs, then those that were claimed first
 * @param hung the number of handlers of each queue that did not end when they were
 * interrupted after their maximum run time. Their attempts have failed, so that no claim
 * shows them: they are known for the worker of this node, and empty for others
 * @param at the time of the reading, by the database's clock
 */
public record WorkerRow(ListedWorker worker, List<RunningJob> jobs, Map<String, Integer> hung, Instant at) {

	/**
	 * Return the time since the last heartbeat.
	 * @return such as {@code 3s}
	 */
	public String silence() {
		return age(this.worker.heartbeatAt(), this.at);
	}

	/**
	 * Return the queues that it serves, each with the maximum number of its handlers.
	 * @return such as {@code emails ×16, letters ×4}
	 */
	public String queues() {
		return this.worker.queues()
			.stream()
			.map((queue) -> (queue.concurrency() != null) ? queue.name() + " ×" + queue.concurrency() : queue.name())
			.collect(Collectors.joining(", "));
	}

	/**
	 * Return the jobs that are shown.
	 * @param number how many
	 * @return at most that many
	 */
	public List<RunningJob> first(int number) {
		return this.jobs.subList(0, Math.min(number, this.jobs.size()));
	}

	/**
	 * Return the number of claimed jobs that are not shown.
	 * @param number how many are
	 * @return 0 if all are
	 */
	public long beyond(int number) {
		return Math.max(0, this.worker.claimed().jobs() - number);
	}

	long count(Pace pace) {
		return this.jobs.stream().filter((job) -> job.pace() == pace).count();
	}

	private static String age(Instant since, Instant now) {
		Duration age = Duration.between(since, now);
		return (age.toSeconds() <= 0) ? "0s" : DurationText.of(Duration.ofSeconds(age.toSeconds()));
	}

	/**
	 * A claimed job. Its handler may not have begun: workers claim more jobs than they
	 * have free handlers if these are quick.
	 *
	 * @param job the job
	 * @param pace how long it runs compared with what it may
	 * @param at the time of the reading, by the database's clock
	 */
	public record RunningJob(ListedJob job, Pace pace, Instant at) {

		static RunningJob of(ListedJob job, @Nullable Duration warnAfter, Instant at) {
			return new RunningJob(job, Pace.of(job, warnAfter, at), at);
		}

		/**
		 * Return the time since its claim.
		 * @return such as {@code 4m 12s}, without text if it is unknown
		 */
		public String age() {
			Instant since = this.job.claimedAt();
			return (since != null) ? WorkerRow.age(since, this.at) : "";
		}

		/**
		 * Return the time since it should have ended.
		 * @return such as {@code 4m 12s}, without text if it need not have
		 */
		public String excess() {
			Instant until = this.job.leaseUntil();
			return (until != null && this.pace == Pace.STUCK) ? WorkerRow.age(until, this.at) : "";
		}

	}

	/**
	 * How long a job runs compared with what it may.
	 */
	public enum Pace {

		/**
		 * As expected.
		 */
		NORMAL,

		/**
		 * Longer than {@code warn-after} of its queue, as this node sets it.
		 */
		SLOW,

		/**
		 * Longer than its maximum run time, and its worker has not ended the attempt.
		 */
		STUCK;

		static Pace of(ListedJob job, @Nullable Duration warnAfter, Instant at) {
			if (job.leaseUntil() != null && job.leaseUntil().isBefore(at)) {
				return STUCK;
			}
			boolean slow = warnAfter != null && job.claimedAt() != null && job.claimedAt().plus(warnAfter).isBefore(at);
			return slow ? SLOW : NORMAL;
		}

	}

}
