package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.junit.jupiter.api.Test;

import org.springframework.kafka.event.ListenerContainerIdleEvent;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.test.util.ReflectionTestUtils;

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

	/**
	 * By default, the container polls again at once, and logs each failure.
	 */
	@Test
	void pollThatFailsIsTriedAgainLater() {
		ConsumedTopic topic = ConsumedTopic.of("orders",
				new Consume("inbox", Mode.INBOX, null, false, "shop", GroupType.CONSUMER, Duration.ofDays(1)),
				() -> null);
		RecordReader reader = mock(RecordReader.class);
		given(reader.cluster()).willReturn(new ClusterId());
		InboxConsumer inbox = new InboxConsumer(topic, new ConsumerSettings(topic, Map.of()), reader,
				mock(Outbox.class), new RecordCounts());
		ConcurrentMessageListenerContainer<?, ?> container = Objects.requireNonNull(
				(ConcurrentMessageListenerContainer<?, ?>) ReflectionTestUtils.getField(inbox, "container"));
		CommonErrorHandler errors = Objects.requireNonNull(container.getCommonErrorHandler());
		MessageListenerContainer running = mock(MessageListenerContainer.class);
		given(running.isRunning()).willReturn(true);
		errors.handleOtherException(new InconsistentGroupProtocolException("not a consumer group"),
				mock(Consumer.class), running, true);
		then(running).should(atLeastOnce().description("A pause asks whether it goes on")).isRunning();
		assertThat(inbox.problem()).contains("The consumer of topic 'orders' fails", "not a consumer group");
		Objects.requireNonNull(container.getApplicationEventPublisher())
			.publishEvent(
					new ListenerContainerIdleEvent(container, container, 0, "id", null, mock(Consumer.class), false));
		assertThat(inbox.problem()).isNull();
	}

}
