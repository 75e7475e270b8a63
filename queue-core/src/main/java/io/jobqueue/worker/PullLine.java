package io.jobqueue.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.Arrival;

/**
 * Threads that wait for a job of the same source. The first of them looks and listens,
 * and goes with the first job; then it is the next one's turn.
 */
final class PullLine implements JobSignals.Listener {

	/**
	 * Whoever does not want to wait for a job has this for those who look before.
	 */
	private static final Duration MOMENT = Duration.ofMillis(100);

	private static final Duration SLACK = Duration.ofMillis(1);

	private final SourceTypes types;

	private final PullScout scout;

	private final ReentrantLock looking = new ReentrantLock(true);

	private final Semaphore turn = new Semaphore(1, true);

	private final Waiter waiter = new Waiter();

	PullLine(SourceTypes types, PullScout scout) {
		this.types = types;
		this.scout = scout;
	}

	SourceTypes types() {
		return this.types;
	}

	/**
	 * Take a job, if there is any.
	 */
	@Nullable HeldJob take() {
		this.looking.lock();
		return look(this::lookAside);
	}

	/**
	 * Take a job, and wait for one.
	 * @param deadline until when, as a {@link System#nanoTime}
	 */
	@Nullable HeldJob take(long deadline) throws InterruptedException {
		HeldJob held = look(this::lookAside, deadline);
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

	private @Nullable HeldJob await(long deadline) throws InterruptedException {
		HeldJob held = null;
		boolean waits = true;
		while (!isClosed() && held == null && waits) {
			held = look(this.scout::look, deadline);
			Duration left = Duration.ofNanos(deadline - System.nanoTime());
			waits = !left.isNegative() && !left.isZero();
			if (held == null && waits) {
				sleep(left);
			}
		}
		return held;
	}

	private @Nullable HeldJob look(Supplier<@Nullable HeldJob> way, long deadline) throws InterruptedException {
		long patience = Math.max(deadline - System.nanoTime(), MOMENT.toNanos());
		return this.looking.tryLock(patience, TimeUnit.NANOSECONDS) ? look(way) : null;
	}

	/**
	 * What a failed look has found out by then is lost.
	 */
	private @Nullable HeldJob look(Supplier<@Nullable HeldJob> way) {
		try {
			return way.get();
		}
		catch (RuntimeException | Error ex) {
			pollNow();
			throw ex;
		}
		finally {
			this.looking.unlock();
		}
	}

	/**
	 * Look while somebody else may be waiting, who is to know of what that brings: there
	 * may be more, or the next one is due sooner.
	 */
	private @Nullable HeldJob lookAside() {
		long start = System.nanoTime();
		Duration before = this.scout.schedule().remaining();
		HeldJob held = this.scout.lookEverywhere();
		Duration now = this.scout.schedule().remaining().plusNanos(System.nanoTime() - start);
		if (held != null || now.plus(SLACK).compareTo(before) < 0) {
			this.waiter.wake();
		}
		return held;
	}

	private void sleep(Duration atMost) throws InterruptedException {
		Duration next = this.scout.schedule().remaining();
		boolean unused = this.waiter.sleep((next.compareTo(atMost) < 0) ? next : atMost);
	}

	@Override
	public void onArrival(Collection<Arrival> arrivals) {
		if (this.scout.hear(arrivals)) {
			this.waiter.wake();
		}
	}

	@Override
	public void onLostSignals() {
		this.scout.schedule().pollSoon();
		this.waiter.wake();
	}

	void follow(Rota rota) {
		this.scout.schedule().follow(rota);
		this.waiter.wake();
	}

	void pollNow() {
		this.scout.schedule().pollNow();
		this.waiter.wake();
	}

	void wake() {
		this.waiter.wake();
	}

	void disown(HeldJob held) {
		this.scout.disown(held);
	}

	/**
	 * Give back what was claimed without our hearing of it. What is being claimed for too
	 * long is left to the reaper.
	 * @param deadline until when to wait for it, as a {@link System#nanoTime}
	 */
	void giveBackUnseen(long deadline) throws InterruptedException {
		if (this.looking.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
			try {
				this.scout.giveBackUnseen();
			}
			finally {
				this.looking.unlock();
			}
		}
	}

	void close() {
		this.scout.close();
		this.waiter.wake();
	}

	boolean isClosed() {
		return this.scout.isClosed();
	}

}
