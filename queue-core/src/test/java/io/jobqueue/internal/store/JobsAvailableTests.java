package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobsAvailable}.
 */
class JobsAvailableTests {

	private static final Tier TIER = new Tier("emails", 10);

	private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

	@Test
	void twoAreTheEarlierPlaceAndTheShorterTime() {
		JobsAvailable one = new JobsAvailable(TIER, new JobPosition(NOON, 2), Duration.ZERO);
		JobsAvailable other = new JobsAvailable(TIER, new JobPosition(NOON, 1), Duration.ofSeconds(1));
		assertThat(one.and(other)).isEqualTo(other.and(one))
			.isEqualTo(new JobsAvailable(TIER, new JobPosition(NOON, 1), Duration.ZERO));
	}

	@Test
	void timePasses() {
		JobsAvailable available = new JobsAvailable(TIER, JobPosition.at(NOON), Duration.ofSeconds(3));
		assertThat(available.after(Duration.ofSeconds(1)).dueIn()).isEqualTo(Duration.ofSeconds(2));
		assertThat(available.after(Duration.ofSeconds(4)).dueIn()).isZero();
	}

}
