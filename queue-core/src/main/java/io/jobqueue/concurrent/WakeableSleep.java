package io.jobqueue.concurrent;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A sleep of one thread that others can end. A wake-up is kept until the next sleep, so
 * that none is lost between two of them.
 */
public final class WakeableSleep {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private volatile boolean woken;

	/**
	 * End the sleep, or else the next one at its start. The sleeper checks its state only
	 * after the wake-up is reset, so that a change before this call is never missed.
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
	 * Sleep until woken, at most for the given time.
	 * @param atMost the longest sleep
	 * @return whether it was woken
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
