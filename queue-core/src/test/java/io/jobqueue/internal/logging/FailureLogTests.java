package io.jobqueue.internal.logging;

import java.time.Duration;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import io.jobqueue.harness.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FailureLog}.
 */
class FailureLogTests {

	private final IllegalStateException failure = new IllegalStateException("The database is down");

	private final FailureLog log = FailureLog.of(LoggerFactory.getLogger(FailureLogTests.class), "Testing");

	@RepeatedTest(20)
	void delaysDoubleUpToThirteenSeconds() {
		for (long millis : new long[] { 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 12_800, 12_800 }) {
			assertThat(this.log.failed(this.failure)).isBetween(Duration.ofMillis(millis / 2),
					Duration.ofMillis(millis));
		}
	}

	@Test
	void longestDelayStays() {
		for (int failure = 0; failure < 100; failure++) {
			this.log.failed(this.failure);
		}
		assertThat(this.log.failed(this.failure)).isBetween(Duration.ofMillis(6_400), Duration.ofMillis(12_800));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void interruptedThreadHasNotFailed(boolean unexpectedly) {
		try (CapturedLog lines = CapturedLog.ofEverything()) {
			Thread.currentThread().interrupt();
			fail(unexpectedly);
			assertThat(Thread.interrupted()).isTrue();
			assertThat(this.log.isFailing()).isFalse();
			fail(unexpectedly);
			assertThat(lines.levels("Testing failed")).startsWith("DEBUG", unexpectedly ? "ERROR" : "WARN");
		}
	}

	private void fail(boolean unexpectedly) {
		Duration pause = unexpectedly ? this.log.failedUnexpectedly(this.failure) : this.log.failed(this.failure);
		assertThat(pause).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
	}

	@Test
	void nextRowOfFailuresBeginsWithTheShortestDelay() {
		this.log.failed(this.failure);
		this.log.failed(this.failure);
		assertThat(this.log.isFailing()).isTrue();
		this.log.succeeded();
		assertThat(this.log.isFailing()).isFalse();
		assertThat(this.log.failed(this.failure)).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
	}

}
