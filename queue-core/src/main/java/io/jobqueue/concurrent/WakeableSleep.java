package io.jobqueue.concurrent;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A sleep that others can end. Being woken is remembered until the next sleep, so that no
 * wake-up falls between two of them.
 */
public final class WakeableSleep {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private volatile boolean woken;

	/**
	 * Wake the sleeper, now or when it is about to sleep. Whoever is to wake up looks at
	 * its world only after it has noted that it was woken.
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
	 * @return whether it was woken
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
