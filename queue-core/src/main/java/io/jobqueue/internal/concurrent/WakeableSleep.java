package io.jobqueue.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets other threads end the sleep of a thread. A wake-up between two sleeps is kept and
 * ends the next one.
 */
public final class WakeableSleep {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private volatile boolean woken;

	/**
	 * End the current sleep, or the next one at its start. {@link #sleep} resets the
	 * wake-up before it returns, so a thread that checks its state after the sleep sees
	 * all changes made before this call.
	 */
	public void wake() {
		if (this.woken) {
			return;
		}
		this.lock.lock();
		try {
			this.woken = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Sleep until {@link #wake} is called, at most for the given time.
	 * @param atMost the longest time to sleep
	 * @return {@code true} if the sleep was ended by {@link #wake}
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean sleep(Duration atMost) throws InterruptedException {
		this.lock.lock();
		try {
			long nanos = atMost.toNanos();
			while (!this.woken && nanos > 0) {
				nanos = this.changed.awaitNanos(nanos);
			}
			boolean wasWoken = this.woken;
			this.woken = false;
			return wasWoken;
		}
		finally {
			this.lock.unlock();
		}
	}

}
