package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.internal.concurrent.Deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * The consumer of an inbox without a broker and a database.
 */
class InboxLoopTests {

	private static final TopicPartition FIRST = new TopicPartition("orders", 0);

	private static final TopicPartition SECOND = new TopicPartition("orders", 1);

	private final Queue<RuntimeException> refusals = new ArrayDeque<>();

	private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest") {

		@Override
		public synchronized void commitSync(Duration timeout) {
			RuntimeException refusal = InboxLoopTests.this.refusals.poll();
			if (refusal != null) {
				throw refusal;
			}
			super.commitSync(timeout);
		}

	};

	private final Inbox inbox = mock(Inbox.class);

	private final ConsumerHealth health = new ConsumerHealth(LoggerFactory.getLogger(InboxLoopTests.class),
			"The consumer");

	private final ConsumerHealth database = new ConsumerHealth(LoggerFactory.getLogger(InboxLoopTests.class),
			"The database");

	private final InboxLoop loop = new InboxLoop(
			new ConsumedTopic("orders", KafkaProperties.Mode.INBOX, "inbox", null, false, "group",
					KafkaProperties.GroupType.CONSUMER, Duration.ofDays(1)),
			this.consumer, this.inbox, this.health, this.database);

	private final AtomicInteger steps = new AtomicInteger();

	@BeforeEach
	void assign() {
		this.consumer.updateBeginningOffsets(Map.of(FIRST, 0L, SECOND, 0L));
		this.consumer.schedulePollTask(() -> {
			this.consumer.rebalance(List.of(FIRST));
			send(FIRST, 2);
		});
	}

	private void send(TopicPartition partition, int records) {
		for (int offset = 0; offset < records; offset++) {
			this.consumer
				.addRecord(new ConsumerRecord<>("orders", partition.partition(), offset, new byte[0], new byte[0]));
		}
	}

	@Test
	void recordsAreAcknowledgedOnceTheyAreJobs() {
		run(2);
		assertThat(committed(FIRST)).isEqualTo(2);
		assertThat(this.database.problem()).isNull();
	}

	private void run(int polls) {
		this.loop.runUntil(() -> this.steps.getAndIncrement() == polls);
	}

	private long committed(TopicPartition partition) {
		return this.consumer.committed(Set.of(partition)).get(partition).offset();
	}

	/**
	 * A partition that is assigned in the meantime waits, too.
	 */
	@Test
	void recordsWaitForTheDatabase() {
		IntStream.range(0, 10).forEach((number) -> this.database.failed(new IllegalStateException("failed before")));
		willThrow(new OutOfMemoryError("thrown by the test")).given(this.inbox).store(any());
		this.consumer.schedulePollTask(() -> {
			assertThat(this.consumer.paused()).containsExactly(FIRST);
			assertThat(deadline(this.loop, "nextStore").remaining()).isLessThan(Duration.ofSeconds(3));
			deadline(this.loop, "nextStore").reset(Duration.ofMinutes(1));
			this.consumer.rebalance(List.of(FIRST, SECOND));
			send(SECOND, 3);
		});
		run(2);
		then(this.inbox).should().store(any());
		assertThat(this.database.problem()).contains("thrown by the test");
		assertThat(this.consumer.committed(Set.of(FIRST, SECOND))).isEmpty();
		assertThat(this.consumer.paused()).containsExactlyInAnyOrder(FIRST, SECOND);
		assertThat(this.consumer.position(FIRST)).isZero();
		assertThat(this.consumer.position(SECOND)).isZero();
	}

	@Test
	void recordsAreStoredOnceTheDatabaseAnswers() {
		AtomicInteger calls = new AtomicInteger();
		willAnswer((call) -> {
			if (calls.getAndIncrement() == 0) {
				throw new IllegalStateException("The database is down");
			}
			assertThat(call.<ConsumerRecords<?, ?>>getArgument(0).count()).isEqualTo(2);
			return null;
		}).given(this.inbox).store(any());
		run(1);
		assertThat(this.consumer.paused()).containsExactly(FIRST);
		deadline(this.loop, "nextStore").reset(Duration.ZERO);
		send(FIRST, 2);
		run(3);
		assertThat(calls).hasValue(2);
		assertThat(committed(FIRST)).isEqualTo(2);
		assertThat(this.database.problem()).isNull();
	}

	/**
	 * The database refused a record that was deleted since, or that another node has.
	 */
	@Test
	void consumerWithoutRecordsWorksAfterSomeTime() {
		run(1);
		for (ConsumerHealth each : List.of(this.health, this.database)) {
			assertThat(each.failed(new IllegalStateException("refused"))).isPositive();
		}
		run(3);
		assertThat(List.of(this.health, this.database)).allMatch((each) -> each.problem() != null);
		deadline(this.health, "trial").reset(Duration.ZERO);
		deadline(this.database, "trial").reset(Duration.ZERO);
		deadline(this.loop, "nextStore").reset(Duration.ofMinutes(1));
		run(5);
		assertThat(this.health.problem()).isNull();
		assertThat(this.database.problem()).as("The record is to be tried again").isNotNull();
		deadline(this.loop, "nextStore").reset(Duration.ZERO);
		run(7);
		assertThat(this.database.problem()).isNull();
	}

	/**
	 * It is committed with the next records, or after some seconds.
	 */
	@Test
	void rebalanceDuringACommitDoesNotEndTheConsumer() {
		this.refusals.add(new RebalanceInProgressException("thrown by the test"));
		run(1);
		assertThat(this.consumer.committed(Set.of(FIRST))).isEmpty();
		run(3);
		assertThat(committed(FIRST)).isEqualTo(2);
	}

	@Test
	void commitThatIsDeniedEndsTheConsumer() {
		this.refusals.add(new GroupAuthorizationException("group"));
		assertThatExceptionOfType(GroupAuthorizationException.class).isThrownBy(() -> run(1));
	}

	/**
	 * A group that begins with the latest records would miss those that are written while
	 * no member runs.
	 */
	@Test
	void partitionHasAnOffsetBeforeItsFirstRecord() {
		this.consumer.schedulePollTask(() -> this.consumer.rebalance(List.of(FIRST, SECOND)));
		run(3);
		assertThat(committed(SECOND)).isZero();
	}

	private static Deadline deadline(Object owner, String name) {
		return (Deadline) ReflectionTestUtils.getField(owner, name);
	}

}
