package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.junit.jupiter.api.Test;

import org.springframework.kafka.event.ListenerContainerIdleEvent;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Consume;
import io.jobqueue.internal.kafka.consume.KafkaProperties.GroupType;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Mode;
import io.jobqueue.internal.outbox.Outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;

/**
 * The consumer of an inbox without a broker.
 */
class InboxConsumerTests {

	private final InboxConsumer inbox = inbox();

	private final ConcurrentMessageListenerContainer<?, ?> container = Objects.requireNonNull(
			(ConcurrentMessageListenerContainer<?, ?>) ReflectionTestUtils.getField(this.inbox, "container"));

	private static InboxConsumer inbox() {
		ConsumedTopic topic = ConsumedTopic.of("orders",
				new Consume("inbox", Mode.INBOX, null, false, "shop", GroupType.CONSUMER, Duration.ofDays(1)),
				() -> null);
		RecordReader reader = mock(RecordReader.class);
		given(reader.cluster()).willReturn(new ClusterId());
		return new InboxConsumer(topic, new ConsumerSettings(topic, Map.of()), reader, mock(Outbox.class),
				new RecordCounts());
	}

	/**
	 * By default, the container polls again at once, and logs each failure.
	 */
	@Test
	void pollThatFailsIsTriedAgainLater() {
		MessageListenerContainer running = fail();
		then(running).should(atLeastOnce().description("A pause asks whether it goes on")).isRunning();
		assertThat(this.inbox.problem()).contains("The consumer of topic 'orders' fails", "not a consumer group");
	}

	@Test
	void consumerWithoutRecordsWorksAfterSomeTime() {
		fail();
		idle();
		assertThat(this.inbox.problem()).isNotNull();
		Object health = ReflectionTestUtils.getField(this.inbox, "consumer");
		((Deadline) ReflectionTestUtils.getField(health, "trial")).reset(Duration.ZERO);
		idle();
		assertThat(this.inbox.problem()).isNull();
	}

	private void idle() {
		assertThat(this.container.getContainerProperties().getIdleEventInterval()).isEqualTo(1_000);
		assertThat(this.container.getContainerProperties().getIdleBeforeDataMultiplier()).isEqualTo(1);
		Objects.requireNonNull(this.container.getApplicationEventPublisher())
			.publishEvent(new ListenerContainerIdleEvent(this.container, this.container, 0, "id", null,
					mock(Consumer.class), false));
	}

	@Test
	void consumerWithRecordsWorks() {
		fail();
		((BatchMessageListener<?, ?>) this.container.getContainerProperties().getMessageListener())
			.onMessage(List.of());
		assertThat(this.inbox.problem()).isNull();
	}

	private MessageListenerContainer fail() {
		MessageListenerContainer running = mock(MessageListenerContainer.class);
		given(running.isRunning()).willReturn(true);
		Objects.requireNonNull(this.container.getCommonErrorHandler())
			.handleOtherException(new InconsistentGroupProtocolException("not a consumer group"), mock(Consumer.class),
					running, true);
		return running;
	}

}
