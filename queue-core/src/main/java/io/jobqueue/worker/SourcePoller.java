package io.jobqueue.worker;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Threads that wait for a job of the same source. The first of them looks and listens,
 * and goes with the first job; then it is the next one's turn.
 */
final class SourcePoller {

	/**
	 * Whoever does not want to wait for a job has this for those who look before.
	 */
	private static final Duration MOMENT = Duration.ofMillis(100);

	private static final Duration SLACK = Duration.ofMillis(1);

	private final SourceTypes types;

	private final SourceFetcher jobs;

	private final ReentrantLock looking = new ReentrantLock(true);

	private final Semaphore turn = new Semaphore(1, true);

	SourcePoller(SourceTypes types, SourceFetcher jobs) {
		this.types = types;
		this.jobs = jobs;
	}

	SourceTypes types() {
		return this.types;
	}

	/**
	 * Return what listens to signals.
	 */
	JobFetcher fetcher() {
		return this.jobs.fetcher();
	}

	/**
	 * Take a job, if there is any.
	 */
	@Nullable BufferedJob take() {
		this.looking.lock();
		return look(this::lookAside);
	}

	/**
	 * Take a job, and wait for one.
	 * @param deadline until when, as a {@link System#nanoTime}
	 */
	@Nullable BufferedJob take(long deadline) throws InterruptedException {
		BufferedJob held = look(this::lookAside, deadline);
		if (held == null && this.turn.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
			try {
				held = await(deadline);
			}
			finally {
				this.turn.release();
			}
		}
		return held;
	}

	private @Nullable BufferedJob await(long deadline) throws InterruptedException {
		BufferedJob held = null;
		boolean waits = true;
		while (!isClosed() && held == null && waits) {
			held = look(this.jobs::fetchKnown, deadline);
			Duration left = Duration.ofNanos(deadline - System.nanoTime());
			waits = !left.isNegative() && !left.isZero();
			if (held == null && waits) {
				sleep(left);
			}
		}
		return held;
	}

	private @Nullable BufferedJob look(Supplier<@Nullable BufferedJob> way, long deadline) throws InterruptedException {
		long patience = Math.max(deadline - System.nanoTime(), MOMENT.toNanos());
		return this.looking.tryLock(patience, TimeUnit.NANOSECONDS) ? look(way) : null;
	}

	/**
	 * What a failed look has found out by then is lost.
	 */
	private @Nullable BufferedJob look(Supplier<@Nullable BufferedJob> way) {
		try {
			return way.get();
		}
		catch (RuntimeException | Error ex) {
			fetcher().pollNow();
			throw ex;
		}
		finally {
			this.looking.unlock();
		}
	}

	/**
	 * Look while another thread may be waiting. It is woken if there may be more jobs, or
	 * the next one is due sooner than was known.
	 */
	private @Nullable BufferedJob lookAside() {
		long start = System.nanoTime();
		Duration before = this.jobs.remaining();
		BufferedJob held = this.jobs.fetchAny();
		Duration now = this.jobs.remaining().plusNanos(System.nanoTime() - start);
		if (held != null || now.plus(SLACK).compareTo(before) < 0) {
			fetcher().wake();
		}
		return held;
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
