package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.dashboard.view.UrlQuery;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;

/**
 * The jobs of a queue and priority class.
 *
 * @param subject the queue and priority class
 * @param counts how many unfinished jobs there are, {@code null} if they could not be
 * counted
 * @param dead the number of dead jobs, {@code null} if they could not be counted
 * @param oldest how long the oldest due job has been waiting, {@code null} if none waits
 * @param attempts the highest number of failed attempts of an unfinished job
 * @param in the jobs that arrive per minute, {@code null} if unknown
 * @param out the jobs that leave per minute, {@code null} if unknown
 * @param pause which of its jobs do not begin
 * @param late whether an alert says that it is late
 */
public record QueueRow(QueueClass subject, @Nullable TierCounts counts, @Nullable JobCount dead,
		@Nullable Duration oldest, int attempts, @Nullable Double in, @Nullable Double out, Pause pause, boolean late) {

	private static final String NONE = "–";

	private static final double SECONDS_PER_MINUTE = 60;

	/**
	 * Return the queue as a parameter of addresses.
	 * @return such as {@code queue=emails}
	 */
	public String parameter() {
		return UrlQuery.of("queue", this.subject.queue());
	}

	/**
	 * Return the age of the oldest due job.
	 * @return such as {@code 4m 12s}
	 */
	public String age() {
		return (this.oldest != null) ? DurationText.of(toSeconds(this.oldest)) : NONE;
	}

	/**
	 * Estimate the time until no due job waits: the number of jobs that wait now, divided
	 * by the difference of the jobs that leave and arrive per minute. It is right if both
	 * rates stay as they were in the last five minutes; jobs that are due later and
	 * retries are not part of it.
	 * @return such as {@code 12m}, {@code > 12m} if more jobs wait than are counted,
	 * {@code grows} if more jobs arrive than leave, and a dash if none waits, both rates
	 * are the same or one of them is unknown
	 */
	public String timeToDrain() {
		if (this.counts == null || this.in == null || this.out == null || this.counts.ready().jobs() == 0) {
			return NONE;
		}
		double change = this.out - this.in;
		if (change <= 0) {
			return (change < 0) ? "grows" : NONE;
		}
		double seconds = this.counts.ready().jobs() / change * SECONDS_PER_MINUTE;
		return (this.counts.ready().capped() ? "> " : "")
				+ DurationText.of(toSeconds(Duration.ofSeconds((long) seconds)));
	}

	private static Duration toSeconds(Duration duration) {
		return Duration.ofSeconds(Math.max(1, duration.toSeconds()));
	}

	/**
	 * Return whether jobs wait and more of them arrive than leave.
	 * @return {@code false} if that is not known
	 */
	public boolean grows() {
		return timeToDrain().equals("grows");
	}

	/**
	 * Return whether it needs a look before others.
	 * @return {@code true} if it is late, paused or grows, or if jobs fail or are dead
	 */
	boolean hasTrouble() {
		return this.late || this.pause != Pause.NONE || this.attempts > 0 || grows()
				|| (this.dead != null && this.dead.jobs() > 0);
	}

	/**
	 * Which jobs of a queue do not begin.
	 */
	public enum Pause {

		/**
		 * All jobs begin.
		 */
		NONE,

		/**
		 * Those of some types do not.
		 */
		TYPES,

		/**
		 * No job begins.
		 */
		QUEUE

	}

}
