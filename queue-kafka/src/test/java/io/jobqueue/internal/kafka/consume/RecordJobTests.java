package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecordJobTests {

	private static final ConsumedTopic TOPIC = new ConsumedTopic("orders", KafkaProperties.Mode.DIRECT, "inbox", null,
			false, "group", KafkaProperties.GroupType.CONSUMER, Duration.ofDays(1));

	/**
	 * Otherwise its record would be ignored as a duplicate of the one that had its
	 * position.
	 */
	@Test
	void recordOfATopicThatWasCreatedAgainHasAnotherId() {
		assertThat(id(7, 1_000)).isEqualTo(id(7, 1_000)).isNotEqualTo(id(7, 2_000)).isNotEqualTo(id(8, 1_000));
	}

	private static UUID id(long offset, long timestamp) {
		return new RecordJob(TOPIC, "cluster", new ConsumerRecord<>("orders", 0, offset, timestamp,
				TimestampType.CREATE_TIME, 0, 0, new byte[0], new byte[0], new RecordHeaders(), Optional.empty()), null)
			.id();
	}

}
