package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.StorableDuration;

/**
 * A claimed job that waits for a handler. Jobs are ordered by priority, position and
 * claim number, the most urgent one first.
 *
 * @param job the claimed job
 * @param since the time just before its claim was sent, as a {@link System#nanoTime}
 * @param received the time when the answer to its claim was read, as a
 * {@link System#nanoTime}
 * @param claimedAt the time of the claim by the database's clock, {@code null} if it is
 * not known
 * @param begun whether its handler has begun in a transaction that other jobs have rolled
 * back, so that it begins anew
 */
public record BufferedJob(ClaimedJob job, long since, long received, @Nullable Instant claimedAt,
		boolean begun) implements Comparable<BufferedJob> {

	/**
	 * The time after which a claimed job that waits for a free handler is released.
	 */
	public static final Duration MAX_BUFFER_TIME = Duration.ofSeconds(1);

	private static final int SHARES_OF_LEASE = 4;

	/**
	 * Create a claimed job that has not begun.
	 * @param job the claimed job
	 * @param since the time just before its claim was sent
	 * @param received the time when the answer to its claim was read
	 * @param claimedAt the time of the claim by the database's clock
	 */
	public BufferedJob(ClaimedJob job, long since, long received, @Nullable Instant claimedAt) {
		this(job, since, received, claimedAt, false);
	}

	/**
	 * Return the jobs of a claim.
	 * @param claimed the result of the claim
	 * @param since the time just before the claim was sent, as a {@link System#nanoTime}
	 * @return the jobs
	 */
	public static List<BufferedJob> of(ClaimResult claimed, long since) {
		long now = System.nanoTime();
		Instant at = claimed.at();
		List<BufferedJob> jobs = new ArrayList<>(claimed.jobs().size());
		for (ClaimedJob job : claimed.jobs()) {
			jobs.add(new BufferedJob(job, since, now, at));
		}
		return jobs;
	}

	/**
	 * Return this job after a rollback of its handler's transaction.
	 */
	BufferedJob rolledBack() {
		return new BufferedJob(this.job, this.since, this.received, this.claimedAt, true);
	}

	/**
	 * Return whether the job is in its first attempt, which is not the last, and has
	 * never begun.
	 */
	boolean isFresh() {
		return !this.begun && this.job.attempt() == 1 && this.job.releases() == 0 && !this.job.isLastAttempt();
	}

	/**
	 * Return when the lease of the claim ends, as a {@link System#nanoTime}.
	 */
	long deadline() {
		return this.since + this.job.maxRunTime().toNanos();
	}

	/**
	 * Return the approximate size of the payload and the headers, in bytes.
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
	 * @return the time since the job became due
	 */
	public Duration waited() {
		return waitedForClaim().plusNanos(System.nanoTime() - this.received);
	}

	/**
	 * Both times are of the database's clock. The claim may precede the run-at, as an
	 * operator can run a job early.
	 */
	private Duration waitedForClaim() {
		Instant at = this.claimedAt;
		return (at != null && at.isAfter(this.job.runAt()))
				? StorableDuration.shortened(Duration.between(this.job.runAt(), at)) : Duration.ZERO;
	}

	/**
	 * Return a time of this JVM by the database's clock. It is early by the time that the
	 * answer to the claim took.
	 * @param nanoTime the time, as a {@link System#nanoTime}
	 * @return the time, {@code null} if that of the claim is not known
	 */
	@Nullable Instant at(long nanoTime) {
		return (this.claimedAt != null) ? this.claimedAt.plusNanos(nanoTime - this.received) : null;
	}

	/**
	 * Return whether the job was claimed at most {@link #MAX_BUFFER_TIME} and at most a
	 * quarter of its lease ago.
	 */
	boolean isClaimedRecently() {
		long age = age();
		return age <= MAX_BUFFER_TIME.toNanos() && age <= this.job.maxRunTime().toNanos() / SHARES_OF_LEASE;
	}

	/**
	 * The claim number distinguishes two claims of the same job.
	 */
	@Override
	public int compareTo(BufferedJob other) {
		int byPriority = Integer.compare(this.job.priority(), other.job.priority());
		if (byPriority != 0) {
			return byPriority;
		}
		int byRunAt = this.job.runAt().compareTo(other.job.runAt());
		if (byRunAt != 0) {
			return byRunAt;
		}
		int bySeq = Long.compare(this.job.seq(), other.job.seq());
		return (bySeq != 0) ? bySeq : Long.compare(this.job.claim(), other.job.claim());
	}

	/**
	 * Return whether the claim was sent longer ago than the given time.
	 * @param age the time to compare with
	 * @return {@code true} if it was sent longer ago
	 */
	public boolean isOlderThan(Duration age) {
		return age() > age.toNanos();
	}

	private long age() {
		return System.nanoTime() - this.since;
	}

}
