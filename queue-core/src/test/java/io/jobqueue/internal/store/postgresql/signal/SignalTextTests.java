package io.jobqueue.internal.store.postgresql.signal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.WakeUp.SlotFreed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SignalText}.
 */
class SignalTextTests {

	private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

	@Test
	void jobsAndSlotsArriveAsTheyWereSent() {
		List<WakeUp> signals = List.of(
				new JobsAvailable(new Tier("emails", 0), new JobPosition(NOON, 7), Duration.ofSeconds(3), true),
				new JobsAvailable(new Tier("invoices", 99), JobPosition.at(NOON), Duration.ZERO),
				new SlotFreed("emails"));
		assertThat(SignalText.parse(SignalText.of(UUID.randomUUID(), signals))).isEqualTo(signals);
	}

}
