package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.direct.DirectWorker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * A consumer without a broker and a database.
 */
class PollLoopTests {

	private static final Map<String, Object> SERVERS = Map.of("bootstrap.servers", "localhost:1");

	private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

	private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

	private final DirectWorker worker = mock(DirectWorker.class);

	private final ConsumedTopic topic = new ConsumedTopic("orders", KafkaProperties.Mode.DIRECT, "inbox", null, false,
			"group", KafkaProperties.GroupType.CONSUMER, Duration.ofDays(1));

	/**
	 * Otherwise they would count as begun after the death of a node during an outage of
	 * the database. The group has an offset from the start on.
	 */
	@Test
	void recordsThatCannotBeginYetAreNotPolled() throws InterruptedException {
		AtomicInteger reads = new AtomicInteger();
		given(this.worker.shutdownTimeout()).willReturn(Duration.ZERO);
		given(this.worker.assign(any())).willAnswer((call) -> {
			reads.incrementAndGet();
			throw new IllegalStateException("The database is down");
		});
		this.consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
		this.consumer.schedulePollTask(() -> {
			this.consumer.rebalance(List.of(PARTITION));
			this.consumer.addRecord(new ConsumerRecord<>("orders", 0, 0, new byte[0], new byte[0]));
		});
		ConsumerHealth health = new ConsumerHealth(LoggerFactory.getLogger(PollLoopTests.class), "The test");
		DirectRuns runs = mock(DirectRuns.class);
		try (AssignedPartitions partitions = new AssignedPartitions(this.topic, this.worker, runs, health)) {
			new PollLoop(this.topic, new ConsumerSettings(this.topic, SERVERS), this.consumer, partitions, runs,
					this.worker, health)
				.runUntil(() -> reads.get() > 1);
		}
		assertThat(this.consumer.position(PARTITION)).isZero();
		assertThat(this.consumer.committed(Set.of(PARTITION)).get(PARTITION).offset()).isZero();
	}

	/**
	 * The first polls return nothing before the brokers refuse the consumer.
	 */
	@Test
	void consumerWithoutRecordsWorksAfterSomeTime() throws InterruptedException {
		AtomicInteger polls = new AtomicInteger();
		ConsumerHealth database = new ConsumerHealth(LoggerFactory.getLogger(PollLoopTests.class), "The database");
		ConsumerHealth health = new ConsumerHealth(LoggerFactory.getLogger(PollLoopTests.class), "The test");
		assertThat(health.failed(new IllegalStateException("refused"))).isPositive();
		given(this.worker.shutdownTimeout()).willReturn(Duration.ZERO);
		DirectRuns runs = mock(DirectRuns.class);
		try (AssignedPartitions partitions = new AssignedPartitions(this.topic, this.worker, runs, database)) {
			new PollLoop(this.topic, new ConsumerSettings(this.topic, SERVERS), this.consumer, partitions, runs,
					this.worker, health)
				.runUntil(() -> {
					if (polls.incrementAndGet() == 3) {
						assertThat(health.problem()).isNotNull();
						((Deadline) ReflectionTestUtils.getField(health, "trial")).reset(Duration.ZERO);
					}
					return health.problem() == null || polls.get() == 10;
				});
		}
		assertThat(polls).hasValue(4);
	}

}
