package io.jobqueue.worker;

import java.time.Duration;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Outage}.
 */
class OutageDelaysTests {

	private final IllegalStateException failure = new IllegalStateException("The database is down");

	private final Outage outage = new Outage(LoggerFactory.getLogger(OutageDelaysTests.class), "Testing");

	@RepeatedTest(20)
	void delaysDoubleUpToThirteenSeconds() {
		for (long millis : new long[] { 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 12_800, 12_800 }) {
			assertThat(this.outage.failed(this.failure)).isBetween(Duration.ofMillis(millis / 2),
					Duration.ofMillis(millis));
		}
	}

	@Test
	void longestDelayStays() {
		for (int failure = 0; failure < 100; failure++) {
			this.outage.failed(this.failure);
		}
		assertThat(this.outage.failed(this.failure)).isBetween(Duration.ofMillis(6_400), Duration.ofMillis(12_800));
	}

	@Test
	void nextOutageBeginsWithTheShortestDelay() {
		this.outage.failed(this.failure);
		this.outage.failed(this.failure);
		assertThat(this.outage.isOn()).isTrue();
		this.outage.over();
		assertThat(this.outage.isOn()).isFalse();
		assertThat(this.outage.failed(this.failure)).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
	}

}
