package io.jobqueue.benchmark.timing;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Passes on when handlers started, from their threads to the one that measures.
 */
public final class Arrivals {

	private static final long PATIENCE_SECONDS = 60;

	private final BlockingQueue<Long> micros = new LinkedBlockingQueue<>();

	public void now() {
		this.micros.add(WallClock.micros());
	}

	public long await() throws InterruptedException {
		Long arrival = this.micros.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
		if (arrival == null) {
			throw new IllegalStateException("No handler started within %d s".formatted(PATIENCE_SECONDS));
		}
		return arrival;
	}

}
