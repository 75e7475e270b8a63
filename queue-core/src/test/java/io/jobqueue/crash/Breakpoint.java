package io.jobqueue.crash;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Blocks the first threads that arrive at one point, prints a line for each, and releases
 * them on command.
 */
final class Breakpoint {

	static final String ARRIVED = "ARRIVED";

	private final @Nullable CrashPoint point;

	private final AtomicInteger awaited;

	private final CountDownLatch open = new CountDownLatch(1);

	Breakpoint(@Nullable CrashPoint point) {
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
