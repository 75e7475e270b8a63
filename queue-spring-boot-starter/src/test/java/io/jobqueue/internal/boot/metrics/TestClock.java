package io.jobqueue.internal.boot.metrics;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * {@link Clock} that stands still until a test moves it.
 */
public class TestClock extends Clock {

	private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

	/**
	 * Move the clock.
	 * @param duration the difference
	 */
	public void move(Duration duration) {
		this.now = this.now.plus(duration);
	}

	@Override
	public Instant instant() {
		return this.now;
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException();
	}

}
