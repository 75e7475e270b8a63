package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.internal.concurrent.Deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * The consumer of an inbox without a broker and a database.
 */
class InboxLoopTests {

	private static final TopicPartition FIRST = new TopicPartition("orders", 0);

	private static final TopicPartition SECOND = new TopicPartition("orders", 1);

	private final Queue<RuntimeException> refusals = new ArrayDeque<>();

	private final Set<TopicPartition> unknown = new HashSet<>();

	private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest") {

		/**
		 * A second subscription would forget what is committed.
		 */
		@Override
		public synchronized void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
			if (subscription().isEmpty()) {
				super.subscribe(topics, listener);
			}
		}

		@Override
		public synchronized void commitSync(Duration timeout) {
			RuntimeException refusal = InboxLoopTests.this.refusals.poll();
			if (refusal != null) {
				throw refusal;
			}
			super.commitSync(timeout);
		}

		@Override
		public synchronized long position(TopicPartition partition, Duration timeout) {
			if (InboxLoopTests.this.unknown.contains(partition)) {
				throw new TimeoutException("thrown by the test");
			}
			return super.position(partition, timeout);
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
		this.consumer.schedulePollTask(() -> this.consumer.rebalance(List.of(FIRST)));
		run(1);
		send(2);
	}

	private void send(int records) {
		this.consumer.schedulePollTask(() -> {
			for (int offset = 0; offset < records; offset++) {
				this.consumer.addRecord(new ConsumerRecord<>("orders", 0, offset, new byte[0], new byte[0]));
			}
		});
	}

	private void run(int polls) {
		int end = this.steps.get() + polls;
		this.loop.runUntil(() -> this.steps.getAndIncrement() == end);
	}

	/**
	 * A group that begins with the latest records would miss those that are written while
	 * no member runs.
	 */
	@Test
	void partitionHasAnOffsetBeforeItsFirstRecord() {
		willAnswer((call) -> {
			assertThat(committed(FIRST)).isZero();
			return null;
		}).given(this.inbox).store(any());
		run(1);
		then(this.inbox).should().store(any());
		assertThat(committed(FIRST)).isEqualTo(2);
		assertThat(this.database.problem()).isNull();
	}

	/**
	 * Its leader has not answered yet. Other partitions go on.
	 */
	@Test
	void partitionWaitsUntilItsPositionIsKnown() {
		run(1);
		this.unknown.add(SECOND);
		this.consumer.schedulePollTask(() -> this.consumer.rebalance(List.of(FIRST, SECOND)));
		run(2);
		this.consumer.addRecord(new ConsumerRecord<>("orders", 0, 2, new byte[0], new byte[0]));
		run(2);
		assertThat(committed(FIRST)).isEqualTo(3);
		assertThat(this.consumer.paused()).containsExactly(SECOND);
		this.unknown.clear();
		run(2);
		assertThat(this.consumer.paused()).isEmpty();
		assertThat(committed(SECOND)).isZero();
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
		run(1);
		assertThat(deadline(this.loop, "nextStore").remaining()).isLessThan(Duration.ofSeconds(3));
		deadline(this.loop, "nextStore").reset(Duration.ofMinutes(1));
		this.consumer.schedulePollTask(() -> {
			assertThat(this.consumer.paused()).containsExactly(FIRST);
			this.consumer.rebalance(List.of(FIRST, SECOND));
		});
		run(3);
		assertThat(this.consumer.paused()).containsExactlyInAnyOrder(FIRST, SECOND);
		assertThat(this.database.problem()).contains("thrown by the test");
		assertThat(committed(FIRST)).isZero();
		assertThat(this.consumer.position(FIRST)).isZero();
	}

	/**
	 * Their records would be fetched in vain.
	 */
	@Test
	void otherPartitionsWaitForTheDatabase() {
		run(1);
		this.consumer.schedulePollTask(() -> this.consumer.rebalance(List.of(FIRST, SECOND)));
		run(2);
		assertThat(this.consumer.paused()).isEmpty();
		willThrow(new IllegalStateException("The database is down")).given(this.inbox).store(any());
		this.consumer.addRecord(new ConsumerRecord<>("orders", 0, 2, new byte[0], new byte[0]));
		run(1);
		assertThat(this.consumer.paused()).containsExactlyInAnyOrder(FIRST, SECOND);
	}

	@Test
	void recordsOfAllPartitionsAreGivenBack() {
		run(1);
		this.consumer.schedulePollTask(() -> this.consumer.rebalance(List.of(FIRST, SECOND)));
		run(2);
		willThrow(new IllegalStateException("The database is down")).given(this.inbox).store(any());
		this.consumer.addRecord(new ConsumerRecord<>("orders", 0, 2, new byte[0], new byte[0]));
		this.consumer.addRecord(new ConsumerRecord<>("orders", 1, 0, new byte[0], new byte[0]));
		run(1);
		assertThat(this.consumer.position(FIRST)).isEqualTo(2);
		assertThat(this.consumer.position(SECOND)).isZero();
	}

	@Test
	void recordsAreStoredOnceTheDatabaseAnswers() {
		willThrow(new IllegalStateException("The database is down")).willDoNothing().given(this.inbox).store(any());
		run(1);
		assertThat(this.consumer.paused()).containsExactly(FIRST);
		deadline(this.loop, "nextStore").reset(Duration.ZERO);
		send(2);
		run(1);
		then(this.inbox).should(times(2)).store(argThat((records) -> records.count() == 2));
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
		run(1);
		assertThat(List.of(this.health, this.database)).allMatch((each) -> each.problem() != null);
		deadline(this.health, "trial").reset(Duration.ZERO);
		deadline(this.database, "trial").reset(Duration.ZERO);
		deadline(this.loop, "nextStore").reset(Duration.ofMinutes(1));
		run(1);
		assertThat(this.health.problem()).isNull();
		assertThat(this.database.problem()).as("The record is to be tried again").isNotNull();
		deadline(this.loop, "nextStore").reset(Duration.ZERO);
		run(1);
		assertThat(this.database.problem()).isNull();
	}

	static Stream<RuntimeException> passing() {
		return Stream.of(new RebalanceInProgressException("thrown by the test"),
				new CommitFailedException("thrown by the test"), new TimeoutException("thrown by the test"));
	}

	/**
	 * Offsets are committed with the next records, or after some seconds.
	 */
	@ParameterizedTest
	@MethodSource("passing")
	void commitThatIsRefusedForATimeDoesNotEndTheConsumer(RuntimeException refusal) {
		this.refusals.add(refusal);
		run(2);
		assertThat(committed(FIRST)).isZero();
		deadline(this.loop, "nextCommit").reset(Duration.ZERO);
		run(1);
		assertThat(committed(FIRST)).isEqualTo(2);
		assertThat(deadline(this.loop, "nextCommit").isDue()).isFalse();
	}

	@Test
	void partitionWaitsUntilItsOffsetIsCommitted() {
		run(1);
		this.refusals.add(new RebalanceInProgressException("thrown by the test"));
		this.consumer.schedulePollTask(() -> this.consumer.rebalance(List.of(FIRST, SECOND)));
		run(1);
		this.consumer.schedulePollTask(() -> assertThat(this.consumer.paused()).contains(SECOND));
		run(2);
		assertThat(this.consumer.paused()).isEmpty();
		assertThat(committed(SECOND)).isZero();
	}

	@Test
	void partitionThatIsTakenAwayIsForgotten() {
		run(1);
		this.unknown.add(SECOND);
		this.consumer.schedulePollTask(() -> this.consumer.rebalance(List.of(FIRST, SECOND)));
		run(1);
		this.unknown.clear();
		this.consumer.schedulePollTask(() -> {
			this.loop.onPartitionsRevoked(List.of(SECOND));
			this.consumer.resume(List.of(SECOND));
			this.consumer.rebalance(List.of(FIRST));
		});
		run(2);
		assertThat(this.consumer.assignment()).containsExactly(FIRST);
		assertThat(this.consumer.paused()).isEmpty();
	}

	@Test
	void commitThatIsDeniedEndsTheConsumer() {
		this.refusals.add(new GroupAuthorizationException("group"));
		assertThatExceptionOfType(GroupAuthorizationException.class).isThrownBy(() -> run(1));
	}

	private static Deadline deadline(Object owner, String name) {
		return (Deadline) ReflectionTestUtils.getField(owner, name);
	}

}
