package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Consume;
import io.jobqueue.internal.kafka.consume.KafkaProperties.GroupType;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Mode;
import io.jobqueue.internal.store.SourceStore.Assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * When the keys of live jobs are read.
 */
class AssignedPartitionsTests {

	private static final Duration READ = Duration.ofMillis(100);

	private final List<Long> begun = new CopyOnWriteArrayList<>();

	private final List<Long> ended = new CopyOnWriteArrayList<>();

	/**
	 * As with very many keys, whose reads would keep the database busy.
	 */
	@Test
	void readThatTakesLongIsFollowedByAPauseOfFourTimesItsTime() {
		DirectWorker worker = mock(DirectWorker.class);
		given(worker.assign(any())).willReturn(new Assignment("source", 1));
		given(worker.liveKeys(any(), any())).willAnswer((call) -> read());
		ConsumedTopic topic = ConsumedTopic.of("orders",
				new Consume("inbox", Mode.DIRECT, null, false, "shop", GroupType.CONSUMER, Duration.ofDays(1)),
				() -> null);
		try (AssignedPartitions partitions = new AssignedPartitions(topic, worker, mock(DirectRuns.class),
				new ConsumerHealth(LoggerFactory.getLogger(getClass()), "Reading"))) {
			partitions.add(new TopicPartition("orders", 0));
			partitions.all().forEach((each) -> each.suspect(null));
			await().pollInterval(Duration.ofMillis(1)).until(() -> {
				partitions.refresh();
				return this.begun.size() == 2;
			});
		}
		assertThat(this.begun.get(1) - this.ended.get(0)).isGreaterThanOrEqualTo(READ.multipliedBy(4).toNanos());
	}

	private Map<String, Set<String>> read() throws InterruptedException {
		this.begun.add(System.nanoTime());
		if (this.ended.isEmpty()) {
			Thread.sleep(READ.toMillis());
		}
		this.ended.add(System.nanoTime());
		return Map.of("kafka:shop:orders-0", Set.of("key"));
	}

}
