package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.kafka.consume.RecordCounts.Outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * A consumer of a share group without a broker and a database.
 */
class ShareMemberTests {

	private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

	@SuppressWarnings("unchecked")
	private final ShareConsumer<byte[], byte[]> consumer = mock(ShareConsumer.class);

	private final DirectRuns runs = mock(DirectRuns.class);

	private final RecordCounts counts = new RecordCounts();

	private final ConsumedTopic topic = new ConsumedTopic("orders", KafkaProperties.Mode.DIRECT, "inbox", null, false,
			"group", KafkaProperties.GroupType.SHARE, Duration.ofDays(1));

	/**
	 * The client sends nothing to a broker that does not lead the partition any more, and
	 * returns no result.
	 */
	@Test
	void acknowledgementThatIsNotSentIsRefused() throws InterruptedException {
		ConsumerRecord<byte[], byte[]> tombstone = new ConsumerRecord<>("orders", 0, 0, null, null);
		given(this.consumer.poll(any()))
			.willReturn(new ConsumerRecords<>(Map.of(PARTITION, List.of(tombstone)), Map.of()));
		given(this.consumer.acquisitionLockTimeoutMs()).willReturn(Optional.of(30_000));
		given(this.consumer.commitSync(any())).willReturn(Map.of());
		given(this.runs.read(any(), any())).willReturn(new DirectRecord(0, null));
		AtomicBoolean polled = new AtomicBoolean();
		new ShareMember(this.topic, this.consumer, this.runs, mock(DirectWorker.class), this.counts, polled::get)
			.run(() -> polled.set(true));
		assertThat(this.counts.count(Outcome.UNACKNOWLEDGED)).isOne();
	}

	/**
	 * The first polls return nothing before the brokers refuse the consumer.
	 */
	@Test
	void consumerWithoutRecordsWorksAfterSomeTime() throws InterruptedException {
		AtomicInteger polls = new AtomicInteger();
		AtomicBoolean works = new AtomicBoolean();
		ShareMember member = new ShareMember(this.topic, this.consumer, this.runs, mock(DirectWorker.class),
				this.counts, () -> works.get() || polls.get() == 10);
		given(this.consumer.poll(any())).willAnswer((call) -> {
			if (polls.incrementAndGet() == 3) {
				((Deadline) ReflectionTestUtils.getField(member, "trial")).reset(Duration.ZERO);
			}
			return ConsumerRecords.empty();
		});
		member.run(() -> works.set(true));
		assertThat(polls).hasValue(3);
	}

}
