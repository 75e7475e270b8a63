package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.stubbing.Answer;

import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.direct.DirectJob;
import io.jobqueue.internal.direct.DirectJob.Ending;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys;
import io.jobqueue.internal.store.NewJob.Predecessors;
import io.jobqueue.internal.store.SourceStore.Assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * The offsets that a partition commits, and what becomes of its records, without a broker
 * and a database.
 */
class DirectPartitionTests {

	private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

	private final DirectRuns runs = mock(DirectRuns.class);

	private final List<DirectRecord> records = new ArrayList<>();

	private final List<DirectJob> run = new ArrayList<>();

	private final List<DirectJob> stored = new ArrayList<>();

	private final List<DirectJob> lost = new ArrayList<>();

	private final DirectPartition partition = new DirectPartition(PARTITION, "source", this.runs);

	@BeforeEach
	void read() {
		given(this.runs.read(any(), any())).willAnswer((call) -> record(call.getArgument(0)));
		willAnswer(into(this.run)).given(this.runs).runOrStore(any());
		willAnswer(into(this.stored)).given(this.runs).store(any());
		willAnswer(into(this.lost)).given(this.runs).storeLost(any());
	}

	private static Answer<?> into(List<DirectJob> jobs) {
		return (call) -> jobs.add(call.getArgument(0));
	}

	private DirectRecord record(ConsumerRecord<byte[], byte[]> message) {
		DirectRecord record = new DirectRecord(message.offset(), (message.value() != null) ? job() : null);
		this.records.add(record);
		return record;
	}

	private static NewJob job() {
		return new NewJob(UUID.randomUUID(), "inbox", "order", Encoded.ofText("{}"), 0, null, Duration.ZERO, null, null,
				null, null, JobKeys.NONE, Predecessors.NONE);
	}

	/**
	 * As of a node that is killed, and whose successor stops soon.
	 */
	@Test
	void ownerThatLeavesKeepsWhatAnEarlierOneMayHaveBegun() {
		assign(new OffsetAndMetadata(100, "jobqueue:600"));
		poll(100, 101);
		this.partition.leave();
		this.partition.dropRest();
		assertThat(this.partition.toCommit()).isEqualTo(new OffsetAndMetadata(100, "jobqueue:600"));
	}

	@Test
	void ownerThatLeavesHasBegunNoRecordBehindTheOffset() {
		assign(new OffsetAndMetadata(100, "jobqueue:100"));
		poll(100, 101);
		this.partition.leave();
		this.partition.dropRest();
		assertThat(this.partition.toCommit()).isEqualTo(new OffsetAndMetadata(100, "jobqueue:100"));
	}

	/**
	 * The broker has deleted no offsets, and the consumer begins with the first record.
	 */
	@Test
	void recordsOfATopicThatWasCreatedAgainWereNotDeliveredBefore() {
		assign(new OffsetAndMetadata(100, "jobqueue:600"));
		poll(0, 1);
		commitAndBegin();
		assertThat(this.run).hasSize(2);
		assertThat(this.lost).isEmpty();
		assertThat(this.partition.toCommit()).isNull();
	}

	@Test
	void consumerJoinsAnewWhenItsTopicWasCreatedAgain() {
		assign(null);
		poll(100, 101);
		poll(0, 1);
		assertThat(this.partition.isLost()).isTrue();
		assertThat(this.partition.size()).isEqualTo(2);
	}

	@Test
	void recordsBeforeATombstoneStayInTheTopic() {
		assign(null);
		this.partition.add(List.of(message(0, new byte[0]), message(1, null)), 2);
		this.partition.leave();
		this.partition.dropRest();
		assertThat(this.stored).isEmpty();
		assertThat(this.partition.toCommit()).isEqualTo(new OffsetAndMetadata(0, "jobqueue:0"));
	}

	/**
	 * One that takes long holds the offset of many others.
	 */
	@Test
	void recordsThatHaveEndedHoldNoPayload() {
		assign(null);
		poll(0, 1);
		commitAndBegin();
		end(this.run.get(1), Ending.SUCCEEDED);
		assertThat(this.records.get(1).job()).isNull();
		assertThat(this.partition.size()).isEqualTo(2);
		end(this.run.get(0), Ending.SUCCEEDED);
		assertThat(this.partition.size()).isZero();
	}

	private static void end(DirectJob job, Ending ending) {
		ReflectionTestUtils.invokeMethod(job, "end", ending);
	}

	private void commitAndBegin() {
		OffsetAndMetadata offset = this.partition.toCommit();
		if (offset != null) {
			this.partition.committed(offset);
		}
		this.partition.begin();
	}

	private void assign(@Nullable OffsetAndMetadata left) {
		this.partition.suspect(left);
		this.partition.assigned(new Assignment("source", 1));
	}

	private void poll(long... offsets) {
		this.partition.add(messages(offsets), Arrays.stream(offsets).max().orElseThrow() + 1);
	}

	private static List<ConsumerRecord<byte[], byte[]>> messages(long... offsets) {
		return LongStream.of(offsets).mapToObj((offset) -> message(offset, new byte[0])).toList();
	}

	private static ConsumerRecord<byte[], byte[]> message(long offset, byte @Nullable [] value) {
		return new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, new byte[0], value);
	}

}
