package io.jobqueue.internal.store;

import java.time.Instant;

/**
 * A position in the order in which the jobs of a tier are claimed.
 *
 * @param runAt the time the job at this position is due
 * @param seq its sequence number, in the order of enqueueing
 */
public record JobPosition(Instant runAt, long seq) implements Comparable<JobPosition> {

	/**
	 * Return the position before all jobs that are due at the given time.
	 * @param runAt the time
	 * @return the position
	 */
	public static JobPosition at(Instant runAt) {
		return new JobPosition(runAt, 0);
	}

	/**
	 * Return the earlier of two positions.
	 * @param one a position
	 * @param other another position
	 * @return one of the two
	 */
	public static JobPosition earlier(JobPosition one, JobPosition other) {
		return (one.compareTo(other) <= 0) ? one : other;
	}

	/**
	 * Return the later of two positions.
	 * @param one a position
	 * @param other another position
	 * @return one of the two
	 */
	public static JobPosition later(JobPosition one, JobPosition other) {
		return (one.compareTo(other) >= 0) ? one : other;
	}

	@Override
	public int compareTo(JobPosition other) {
		int byRunAt = this.runAt.compareTo(other.runAt);
		return (byRunAt != 0) ? byRunAt : Long.compare(this.seq, other.seq);
	}

}
