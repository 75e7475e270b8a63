package io.jobqueue.crash;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Holds those who arrive at one point for the first time, tells of them, and lets them go
 * when told to.
 */
final class Gate {

	static final String ARRIVED = "ARRIVED";

	private final @Nullable CrashPoint point;

	private final AtomicInteger awaited;

	private final CountDownLatch open = new CountDownLatch(1);

	Gate(@Nullable CrashPoint point) {
		this.point = point;
		this.awaited = new AtomicInteger((point != null) ? point.arrivals() : 0);
	}

	void pass(CrashPoint here) {
		if (here == this.point && this.awaited.getAndDecrement() > 0) {
			System.out.println(ARRIVED);
			try {
				this.open.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	void open() {
		this.open.countDown();
	}

}
