package io.jobqueue.internal.boot.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.QueuePause;
import io.jobqueue.internal.boot.metrics.JobSnapshot.Values;
import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;

import static org.assertj.core.api.Assertions.assertThat;

class JobSnapshotTests {

	private final List<TierSnapshot> tiers = new ArrayList<>();

	@Test
	void onlyQueuesThatArePausedAsAWholeCount() {
		assertThat(pauses(true, pause("emails", "Mail")).of("emails")).isZero();
		assertThat(pauses(true, pause("emails", null)).of("emails")).isOne();
		assertThat(pauses(true, pause("emails", null)).of("faxes")).isZero();
	}

	@Test
	void othersArePausedIfAllOfThemAreThatHoldDueJobs() {
		assertThat(others(true)).isZero();
		this.tiers.add(tier("emails", Duration.ZERO));
		this.tiers.add(tier("one", Duration.ZERO));
		this.tiers.add(tier("two", null));
		assertThat(others(true)).isOne();
		this.tiers.add(tier("three", Duration.ZERO));
		assertThat(others(true)).isZero();
	}

	@Test
	void othersAreUnknownWhereNotAllOfThemWereRead() {
		this.tiers.add(tier("one", Duration.ZERO));
		assertThat(others(false)).isNaN();
		assertThat(pauses(false, pause("emails", null)).of("emails")).isOne();
	}

	private double others(boolean complete) {
		return pauses(complete, pause("one", null)).of("(other)");
	}

	private Values<String> pauses(boolean complete, QueuePause... pauses) {
		return JobSnapshot.paused(List.of(pauses), new GaugeSnapshot(this.tiers, complete, Set.of()), Set.of("emails"));
	}

	private static QueuePause pause(String queue, @Nullable String type) {
		return new QueuePause(queue, type, Instant.EPOCH, null, null);
	}

	private static TierSnapshot tier(String queue, @Nullable Duration maxAge) {
		return new TierSnapshot(queue, 10, 0, 0, maxAge, null);
	}

}
