package io.jobqueue.internal.policy;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BackoffTests {

	@Test
	void polynomialIsTheFourthPowerAndFiveSeconds() {
		assertThat(seconds(Backoff.polynomial(), 4)).containsExactly(6L, 21L, 86L, 261L);
	}

	@Test
	void polynomialHasAnEnd() {
		assertThat(Backoff.polynomial().delayAfter(Integer.MAX_VALUE)).isPositive();
	}

	@Test
	void exponentialMultipliesUpToItsMaximum() {
		Backoff backoff = Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(15), 2);
		assertThat(seconds(backoff, 5)).containsExactly(2L, 4L, 8L, 15L, 15L);
		assertThat(backoff.delayAfter(Integer.MAX_VALUE)).hasSeconds(15);
	}

	@Test
	void fixedStays() {
		assertThat(seconds(Backoff.fixed(Duration.ofSeconds(3)), 3)).containsExactly(3L, 3L, 3L);
	}

	@Test
	void listRepeatsItsLast() {
		Backoff backoff = Backoff.list(List.of(Duration.ofSeconds(1), Duration.ofSeconds(7)));
		assertThat(seconds(backoff, 4)).containsExactly(1L, 7L, 7L, 7L);
	}

	@Test
	void jitterSpreadsWithinItsShare() {
		Backoff backoff = Backoff.fixed(Duration.ofSeconds(100)).withJitter(0.25);
		List<Long> seconds = seconds(backoff, 1000);
		assertThat(seconds).allMatch((delay) -> delay >= 75 && delay <= 125)
			.anyMatch((delay) -> delay < 85)
			.anyMatch((delay) -> delay > 115);
	}

	@Test
	void noJitterKeepsTheDelay() {
		assertThat(Backoff.fixed(Duration.ofSeconds(100)).withJitter(0).delayAfter(1)).hasSeconds(100);
	}

	private static List<Long> seconds(Backoff backoff, int attempts) {
		return IntStream.rangeClosed(1, attempts)
			.mapToObj((attempt) -> backoff.delayAfter(attempt).toSeconds())
			.toList();
	}

}
