package io.jobqueue.internal.signal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What heartbeats and wake-ups tell of the tables.
 */
class EmptyTablesTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final JobsAvailable JOBS = new JobsAvailable(new Tier("emails", 20), JobPosition.at(Instant.EPOCH),
			Duration.ZERO);

	static final List<Consumer<JobSignals>> WAKE_UPS = List.of((signals) -> signals.publish(List.of(JOBS)),
			(signals) -> signals.publish(new DueJob(UUID.randomUUID(), "mail", JOBS)),
			(signals) -> signals.publish(List.of(JOBS), new JobSignals.Listener() {
			}), (signals) -> signals.receive(List.of(JOBS)), JobSignals::makeUpForLostSignals,
			(signals) -> signals.publishPredecessors(List.of(UUID.randomUUID())));

	private final JobSignals signals = new JobSignals();

	private final EmptyTables tables = this.signals.tables();

	@Test
	void nothingIsKnownWithoutAHeartbeat() {
		assertThat(this.tables.areEmpty(HOUR)).isFalse();
	}

	@Test
	void lastHeartbeatDecides() {
		assertThat(checkIn(true)).isFalse();
		assertThat(this.tables.areEmpty(HOUR)).isTrue();
		assertThat(checkIn(false)).as("Jobs have appeared without a wake-up").isTrue();
		assertThat(this.tables.areEmpty(HOUR)).isFalse();
		assertThat(checkIn(false)).isFalse();
	}

	@Test
	void olderHeartbeatsDoNotCount() {
		checkIn(true);
		assertThat(this.tables.areEmpty(Duration.ofNanos(1))).isFalse();
	}

	@ParameterizedTest
	@FieldSource("WAKE_UPS")
	void wakeUpsEndIt(Consumer<JobSignals> wakeUp) {
		checkIn(true);
		long begun = System.nanoTime();
		wakeUp.accept(this.signals);
		assertThat(this.tables.areEmpty(HOUR)).isFalse();
		this.tables.checkedIn(true, begun);
		assertThat(this.tables.areEmpty(HOUR)).as("after a heartbeat that began before").isFalse();
		assertThat(checkIn(false)).as("The wake-up has announced the jobs").isFalse();
		checkIn(true);
		assertThat(this.tables.areEmpty(HOUR)).isTrue();
	}

	@Test
	void emptinessBeginsWithTheFirstHeartbeatOfTheSeries() {
		long before = System.nanoTime();
		checkIn(true);
		long between = System.nanoTime();
		checkIn(true);
		assertThat(this.tables.haveBeenEmptySince(before, HOUR)).isFalse();
		assertThat(this.tables.haveBeenEmptySince(between, HOUR)).isTrue();
		assertThat(this.tables.haveBeenEmptySince(between, Duration.ofNanos(1))).isFalse();
	}

	private boolean checkIn(boolean empty) {
		return this.tables.checkedIn(empty, System.nanoTime());
	}

}
