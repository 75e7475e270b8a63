package io.jobqueue.store;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Arrival}.
 */
class ArrivalTests {

	private static final Tier TIER = new Tier("emails", 10);

	private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

	@Test
	void twoAreTheEarlierPlaceAndTheShorterTime() {
		Arrival one = new Arrival(TIER, new JobPosition(NOON, 2), Duration.ZERO);
		Arrival other = new Arrival(TIER, new JobPosition(NOON, 1), Duration.ofSeconds(1));
		assertThat(one.and(other)).isEqualTo(other.and(one))
			.isEqualTo(new Arrival(TIER, new JobPosition(NOON, 1), Duration.ZERO));
	}

	@Test
	void freedSlotIsNoneOfTheJobs() {
		Arrival slot = Arrival.ofFreedSlot("emails");
		Arrival urgent = new Arrival(new Tier("emails", 0), JobPosition.at(NOON), Duration.ZERO);
		assertThat(slot.isFreedSlot()).isTrue();
		assertThat(urgent.isFreedSlot()).isFalse();
		assertThat(slot.tier()).isNotEqualTo(urgent.tier());
	}

	@Test
	void timePasses() {
		Arrival arrival = new Arrival(TIER, JobPosition.at(NOON), Duration.ofSeconds(3));
		assertThat(arrival.after(Duration.ofSeconds(1)).dueIn()).isEqualTo(Duration.ofSeconds(2));
		assertThat(arrival.after(Duration.ofSeconds(4)).dueIn()).isZero();
	}

}
