package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the ticks of a node.
 */
final class Ticks implements TickListener {

	final Queue<Duration> late = new ConcurrentLinkedQueue<>();

	private final AtomicLong skipped = new AtomicLong();

	private final AtomicLong missed = new AtomicLong();

	@Override
	public void ticked(Duration time) {
		this.late.add(time);
	}

	@Override
	public void left(long skippedTicks, long missedTicks) {
		this.skipped.addAndGet(skippedTicks);
		this.missed.addAndGet(missedTicks);
	}

	long skipped() {
		return this.skipped.get();
	}

	long missed() {
		return this.missed.get();
	}

	void forget() {
		this.late.clear();
		this.skipped.set(0);
		this.missed.set(0);
	}

}
