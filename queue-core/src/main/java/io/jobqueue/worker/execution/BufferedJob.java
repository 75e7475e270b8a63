package io.jobqueue.worker.execution;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.ClaimedJob;

/**
 * A claimed job. The most urgent comes first.
 *
 * @param job the job
 * @param since since when it may have been held, as a {@link System#nanoTime}: its claim
 * was about to be asked for
 * @param dueSince since when it was due, in the same way
 */
public record BufferedJob(ClaimedJob job, long since, long dueSince) implements Comparable<BufferedJob> {

	/**
	 * Longer than this a job is not held for a handler to become free.
	 */
	public static final Duration FRESH = Duration.ofSeconds(1);

	private static final int SHARES_OF_LEASE = 4;

	/**
	 * Return what was claimed just now.
	 * @param claimed the result of the claim
	 * @param since when the claim was about to be asked for
	 * @return the jobs
	 */
	public static List<BufferedJob> of(ClaimResult claimed, long since) {
		long now = System.nanoTime();
		Instant at = claimed.at();
		return claimed.jobs()
			.stream()
			.map((job) -> new BufferedJob(job, since, (at != null) ? now - dueFor(job.runAt(), at).toNanos() : now))
			.toList();
	}

	/**
	 * By the clock of the database, which may have been read before the job was due: an
	 * operator can have it run early.
	 */
	private static Duration dueFor(Instant runAt, Instant at) {
		return at.isAfter(runAt) ? OutcomePolicy.shortened(Duration.between(runAt, at)) : Duration.ZERO;
	}

	/**
	 * Return about how many bytes its payload and its headers have.
	 */
	long size() {
		Encoded payload = this.job.payload();
		return length(payload.text()) + length(this.job.headers())
				+ ((payload.bytes() != null) ? payload.bytes().length : 0);
	}

	private static long length(@Nullable String text) {
		return (text != null) ? text.length() : 0;
	}

	/**
	 * Return how long the job has been due.
	 * @return the time
	 */
	public Duration waited() {
		return Duration.ofNanos(System.nanoTime() - this.dueSince);
	}

	/**
	 * Return whether hardly any of the lease has passed.
	 */
	boolean isFresh() {
		long age = age();
		return age <= FRESH.toNanos() && age <= this.job.maxRunTime().toNanos() / SHARES_OF_LEASE;
	}

	/**
	 * A job that was taken away and claimed again is two.
	 */
	@Override
	public int compareTo(BufferedJob other) {
		int byPriority = Integer.compare(this.job.priority(), other.job.priority());
		if (byPriority != 0) {
			return byPriority;
		}
		int byPlace = this.job.position().compareTo(other.job.position());
		return (byPlace != 0) ? byPlace : Long.compare(this.job.claim(), other.job.claim());
	}

	/**
	 * Return whether the job may have been held for longer than the given time.
	 * @param age an age
	 * @return whether it may
	 */
	public boolean isOlderThan(Duration age) {
		return age() > age.toNanos();
	}

	private long age() {
		return System.nanoTime() - this.since;
	}

}
