package io.jobqueue.recovery;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Holds the threads that arrive at one point for the first time, reports their arrival,
 * and lets them continue when it is opened. The point can be set again.
 */
final class Breakpoint {

	static final String ARRIVED = "ARRIVED";

	private volatile Hold hold = new Hold(null);

	/**
	 * Hold threads at another point. Calls that began earlier pass it.
	 */
	void holdAt(CrashPoint point) {
		this.hold = new Hold(point);
	}

	/**
	 * Return what holds a call that begins now, at all points that it will pass.
	 */
	Hold hold() {
		return this.hold;
	}

	void open() {
		this.hold.open.countDown();
	}

	/**
	 * The point of one test.
	 */
	static final class Hold {

		private final @Nullable CrashPoint point;

		private final AtomicInteger awaited;

		private final CountDownLatch open = new CountDownLatch(1);

		private Hold(@Nullable CrashPoint point) {
			this.point = point;
			this.awaited = new AtomicInteger((point != null) ? point.arrivals() : 0);
		}

		boolean isAt(CrashPoint here) {
			return here == this.point;
		}

		void pass(CrashPoint here) {
			if (isAt(here) && this.awaited.getAndDecrement() > 0) {
				System.out.println(ARRIVED);
				try {
					this.open.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
		}

	}

}
