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

	/**
	 * Note that a handler starts now. Any thread may.
	 */
	public void now() {
		this.micros.add(WallClock.micros());
	}

	/**
	 * Wait for the next start that was not returned yet, for a minute at most.
	 * @return the time of the start, in microseconds of {@link WallClock}
	 * @throws IllegalStateException if there is none in time
	 * @throws InterruptedException if the wait is interrupted
	 */
	public long await() throws InterruptedException {
		Long arrival = this.micros.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
		if (arrival == null) {
			throw new IllegalStateException("No handler started within %s s".formatted(PATIENCE_SECONDS));
		}
		return arrival;
	}

}
