package io.jobqueue.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.Arrival;

/**
 * Threads that wait for a job of the same source. The first of them looks and listens,
 * and goes with the first job; then it is the next one's turn.
 */
final class PullLine implements JobSignals.Listener {

	private final SourceTypes types;

	private final PullScout scout;

	private final Semaphore turn = new Semaphore(1, true);

	private final Waiter waiter = new Waiter();

	private volatile boolean closed;

	PullLine(SourceTypes types, PullScout scout) {
		this.types = types;
		this.scout = scout;
	}

	SourceTypes types() {
		return this.types;
	}

	@Nullable HeldJob take() {
		return this.closed ? null : this.scout.lookEverywhere();
	}

	@Nullable HeldJob take(Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		HeldJob held = take();
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
		while (!this.closed && held == null && waits) {
			held = this.scout.look();
			Duration left = Duration.ofNanos(deadline - System.nanoTime());
			waits = !left.isNegative() && !left.isZero();
			if (held == null && waits) {
				sleep(left);
			}
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

	void giveBackUnseen() {
		this.scout.giveBackUnseen();
	}

	void close() {
		this.closed = true;
		this.waiter.wake();
	}

}
