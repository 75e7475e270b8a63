package io.jobqueue.internal.kafka.relay;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InFlightTests {

	private final InFlight inFlight = new InFlight(1_000);

	/**
	 * A send can throw after the producer has taken the record, which ends the job a
	 * second time.
	 */
	@Test
	void jobEndsOnce() {
		Object twice = new Object();
		this.inFlight.begin(twice, 600);
		this.inFlight.begin(new Object(), 300);
		this.inFlight.end(twice);
		this.inFlight.end(twice);
		assertThat(this.inFlight.isEmpty()).isFalse();
		assertThat(this.inFlight.freeBytes()).isEqualTo(700);
	}

	@Test
	void claimsAreNotSmall() {
		IntStream.range(0, InFlight.MAX_JOBS).forEach((job) -> this.inFlight.begin(job, 0));
		assertThat(this.inFlight.room()).isZero();
		IntStream.range(0, 499).forEach((job) -> assertThat(this.inFlight.end(job)).isFalse());
		assertThat(this.inFlight.room()).isZero();
		assertThat(this.inFlight.end(499)).isTrue();
		assertThat(this.inFlight.room()).isEqualTo(500);
	}

}
