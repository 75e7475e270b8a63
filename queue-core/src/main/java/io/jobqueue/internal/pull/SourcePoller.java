package io.jobqueue.internal.pull;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.worker.execution.BufferedJob;
import io.jobqueue.internal.worker.fetch.JobFetcher;

/**
 * Coordinates the threads that wait for a job of the same source. One thread at a time
 * polls and is woken by signals; when it returns with a job, the next thread continues.
 */
final class SourcePoller {

	/**
	 * The time for which a pull without a wait tries to lock the fetcher.
	 */
	private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);

	private static final Duration SLACK = Duration.ofMillis(1);

	private final SourceTypes types;

	private final SourceFetcher jobs;

	private final ReentrantLock fetching = new ReentrantLock(true);

	private final Semaphore turn = new Semaphore(1, true);

	private int users;

	private long leftAt;

	SourcePoller(SourceTypes types, SourceFetcher jobs) {
		this.types = types;
		this.jobs = jobs;
	}

	synchronized void entered() {
		this.users++;
	}

	synchronized void left() {
		this.users--;
		this.leftAt = System.nanoTime();
	}

	synchronized boolean isUsed() {
		return this.users > 0;
	}

	/**
	 * Return whether no thread has used the poller for the given time.
	 */
	synchronized boolean isUnusedFor(Duration time) {
		return this.users == 0 && System.nanoTime() - this.leftAt > time.toNanos();
	}

	SourceTypes types() {
		return this.types;
	}

	/**
	 * Return the fetcher, which receives signals.
	 */
	JobFetcher fetcher() {
		return this.jobs.fetcher();
	}

	/**
	 * Take a job without waiting for one.
	 * @return the job, {@code null} if there is none
	 */
	@Nullable BufferedJob take() {
		this.fetching.lock();
		return fetch(this::fetchAny);
	}

	/**
	 * Take a job, and wait for one if necessary.
	 * @param deadline the end of the wait, as a {@link System#nanoTime}
	 * @return the job, {@code null} if there is none until the deadline
	 */
	@Nullable BufferedJob take(long deadline) throws InterruptedException {
		BufferedJob job = fetch(this::fetchAny, deadline);
		if (job == null && this.turn.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
			try {
				job = await(deadline);
			}
			finally {
				this.turn.release();
			}
		}
		return job;
	}

	private @Nullable BufferedJob await(long deadline) throws InterruptedException {
		BufferedJob job = null;
		boolean waits = true;
		while (!isClosed() && job == null && waits) {
			job = fetch(this.jobs::fetchKnown, deadline);
			Duration left = Duration.ofNanos(deadline - System.nanoTime());
			waits = !left.isNegative() && !left.isZero();
			if (job == null && waits) {
				sleep(left);
			}
		}
		return job;
	}

	private @Nullable BufferedJob fetch(Supplier<@Nullable BufferedJob> claim, long deadline)
			throws InterruptedException {
		long timeout = Math.max(deadline - System.nanoTime(), MIN_TIMEOUT.toNanos());
		return this.fetching.tryLock(timeout, TimeUnit.NANOSECONDS) ? fetch(claim) : null;
	}

	/**
	 * A fetch that fails may lose jobs that it has found, so the next fetch polls.
	 */
	private @Nullable BufferedJob fetch(Supplier<@Nullable BufferedJob> claim) {
		try {
			return claim.get();
		}
		catch (RuntimeException | Error ex) {
			fetcher().pollNow();
			throw ex;
		}
		finally {
			this.fetching.unlock();
		}
	}

	/**
	 * Fetch with a poll. The waiting thread, if any, is woken if there may be more jobs
	 * or the next one is due sooner than known before.
	 */
	private @Nullable BufferedJob fetchAny() {
		long start = System.nanoTime();
		Duration before = this.jobs.remaining();
		BufferedJob job = this.jobs.fetchAny();
		Duration now = this.jobs.remaining().plusNanos(System.nanoTime() - start);
		if (job != null || now.plus(SLACK).compareTo(before) < 0) {
			fetcher().wake();
		}
		return job;
	}

	private void sleep(Duration atMost) throws InterruptedException {
		Duration next = this.jobs.remaining();
		fetcher().sleep((next.compareTo(atMost) < 0) ? next : atMost);
	}

	void close() {
		this.jobs.close();
	}

	boolean isClosed() {
		return this.jobs.isClosed();
	}

}
