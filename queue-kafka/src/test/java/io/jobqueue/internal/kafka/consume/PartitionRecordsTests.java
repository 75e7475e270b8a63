package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys;
import io.jobqueue.internal.store.NewJob.Predecessors;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionRecordsTests {

	private final PartitionRecords records = new PartitionRecords();

	@Test
	void recordsOfAKeyBeginOneAfterTheOther() {
		DirectRecord first = record(10, "a");
		DirectRecord second = record(11, "a");
		DirectRecord other = record(12, "b");
		DirectRecord unkeyed = record(13, null);
		this.records.add(List.of(first, second, other, unkeyed), 14);
		assertThat(this.records.beginBefore(13)).containsExactly(first, other);
		assertThat(this.records.beginBefore(20)).containsExactly(unkeyed);
		assertThat(this.records.end(other)).isNull();
		assertThat(this.records.end(first)).isSameAs(second);
		assertThat(this.records.beginBefore(20)).containsExactly(second);
	}

	@Test
	void allBeforeTheFirstThatHasNotEndedAreAcknowledged() {
		DirectRecord first = record(10, null);
		DirectRecord second = record(11, null);
		this.records.add(List.of(first, second, tombstone(12)), 15);
		this.records.beginBefore(20);
		this.records.end(second);
		assertThat(this.records.acknowledged()).isEqualTo(10);
		this.records.end(first);
		assertThat(this.records.acknowledged()).isEqualTo(15);
		assertThat(this.records.isEmpty()).isTrue();
	}

	@Test
	void recordThatIsWithdrawnMayBeginAgain() {
		DirectRecord first = record(10, "a");
		this.records.add(List.of(first, record(11, "a")), 12);
		this.records.beginBefore(20);
		this.records.withdraw(first);
		assertThat(this.records.mayBeginFrom(10)).isTrue();
		assertThat(this.records.mayBeginFrom(11)).isFalse();
		assertThat(this.records.beginBefore(20)).containsExactly(first);
	}

	@Test
	void recordsBehindTheLastThatHasBegunAreRemoved() {
		DirectRecord first = record(10, "a");
		DirectRecord waiting = record(11, null);
		DirectRecord last = record(12, null);
		this.records.add(List.of(first, waiting, last, record(13, "a"), record(15, "b")), 17);
		this.records.begin(first);
		this.records.begin(last);
		assertThat(this.records.removeRest()).isEqualTo(2);
		assertThat(this.records.end()).isEqualTo(13);
		assertThat(this.records.end(first)).isNull();
		assertThat(this.records.beginBefore(20)).containsExactly(waiting);
	}

	@Test
	void recordsThatHaveNotBegunAreCountedWhenAllAreRemoved() {
		this.records.add(List.of(record(10, "a"), record(11, "a"), record(12, null), tombstone(13)), 14);
		this.records.beginBefore(12);
		assertThat(this.records.clear()).isEqualTo(2);
		assertThat(this.records.size()).isZero();
	}

	private static DirectRecord tombstone(long offset) {
		return new DirectRecord(offset, null);
	}

	private static DirectRecord record(long offset, @Nullable String key) {
		return new DirectRecord(offset, new NewJob(UUID.randomUUID(), "inbox", "order", Encoded.ofText("1"), 50, null,
				Duration.ZERO, null, null, null, null, new JobKeys(null, key, null, null), Predecessors.NONE));
	}

}
