package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.kafka.consume.KafkaProperties.GroupType;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * The consumers of a share group without a broker.
 */
class ShareGroupConsumerTests {

	private final ShareGroupConsumer group = group();

	private static ShareGroupConsumer group() {
		ConsumedTopic topic = new ConsumedTopic("orders", Mode.DIRECT, "inbox", null, false, "shop", GroupType.SHARE,
				Duration.ofDays(1));
		RecordReader reader = mock(RecordReader.class);
		given(reader.cluster()).willReturn(new ClusterId());
		return new ShareGroupConsumer(topic, new ConsumerSettings(topic, Map.of("bootstrap.servers", "localhost:1")),
				mock(DirectWorker.class), reader, new RecordCounts());
	}

	@Test
	void groupWorksOnceAllOfItsConsumersDo() {
		ReflectionTestUtils.setField(this.group, "failing", new HashSet<>(Set.of(0, 1)));
		assertThat(health().failed(new IllegalStateException("refused"))).isPositive();
		works(0);
		assertThat(this.group.problem()).contains("The share group of topic 'orders' fails", "refused");
		works(1);
		assertThat(this.group.problem()).isNull();
	}

	private ConsumerHealth health() {
		return Objects.requireNonNull((ConsumerHealth) ReflectionTestUtils.getField(this.group, "health"));
	}

	private void works(int number) {
		ReflectionTestUtils.invokeMethod(this.group, "works", number);
	}

}
