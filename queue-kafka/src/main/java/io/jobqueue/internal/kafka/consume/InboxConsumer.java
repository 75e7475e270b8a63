package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.kafka.KafkaException;
import org.springframework.kafka.event.ConcurrentContainerStoppedEvent;
import org.springframework.kafka.event.ConsumerRetryAuthEvent;
import org.springframework.kafka.event.ConsumerRetryAuthSuccessfulEvent;
import org.springframework.kafka.event.ConsumerStoppedEvent.Reason;
import org.springframework.kafka.event.ListenerContainerIdleEvent;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ListenerUtils;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

import io.jobqueue.internal.outbox.Outbox;

/**
 * Consumes a topic whose records become jobs before they run.
 */
final class InboxConsumer implements TopicConsumer {

	private static final Logger logger = LoggerFactory.getLogger(InboxConsumer.class);

	private static final Duration PAUSE = Duration.ofMillis(200);

	private static final Duration LOGIN_PAUSE = Duration.ofSeconds(10);

	private static final Duration IDLE_EVENTS = Duration.ofSeconds(1);

	private final ConsumedTopic topic;

	private final ConcurrentMessageListenerContainer<byte[], byte[]> container;

	private final ConsumerHealth database;

	private final ConsumerHealth consumer;

	private volatile boolean running;

	InboxConsumer(ConsumedTopic topic, ConsumerSettings settings, RecordReader reader, Outbox outbox,
			RecordCounts counts) {
		this.topic = topic;
		this.database = new ConsumerHealth(logger, "The inbox of topic '%s'".formatted(topic.topic()));
		this.consumer = new ConsumerHealth(logger, "The consumer of topic '%s'".formatted(topic.topic()));
		ContainerProperties properties = new ContainerProperties(topic.topic());
		properties.setGroupId(topic.group());
		properties.setAckMode(ContainerProperties.AckMode.BATCH);
		properties.setFixTxOffsets(true);
		properties.setMessageListener(new InboxListener(reader, outbox, counts, this.consumer, this.database));
		properties.setAuthExceptionRetryInterval(LOGIN_PAUSE);
		properties.setIdleEventInterval(IDLE_EVENTS.toMillis());
		properties.setIdleBeforeDataMultiplier(1);
		this.container = new ConcurrentMessageListenerContainer<>(settings.factory(reader.cluster()), properties);
		this.container.setBeanName("jobqueue-inbox-" + topic.topic());
		this.container.setCommonErrorHandler(new Retries());
		this.container.setApplicationEventPublisher(this::published);
	}

	private void published(Object event) {
		if (event instanceof ConsumerRetryAuthEvent failed) {
			Duration unused = this.consumer
				.failed(new IllegalStateException("a login or a right is missing (%s)".formatted(failed.getReason())));
		}
		else if (event instanceof ConsumerRetryAuthSuccessfulEvent) {
			this.consumer.succeeded();
		}
		else if (event instanceof ListenerContainerIdleEvent) {
			this.consumer.idles();
		}
		else if (event instanceof ConcurrentContainerStoppedEvent ended && ended.getReason() != Reason.NORMAL) {
			Duration pause = this.consumer
				.failed(new IllegalStateException("it has ended (%s)".formatted(ended.getReason())));
			CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS).execute(this::startAgain);
		}
	}

	/**
	 * The container ends after an error, without an offset to begin with, and if another
	 * member has the same id.
	 */
	private synchronized void startAgain() {
		if (this.running && !this.container.isRunning()) {
			this.container.start();
		}
	}

	@Override
	public ConsumedTopic topic() {
		return this.topic;
	}

	@Override
	public synchronized void start() {
		this.running = true;
		this.container.start();
	}

	@Override
	public synchronized void stop() {
		this.running = false;
		this.container.stop();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public @Nullable String problem() {
		String problem = this.consumer.problem();
		return (problem != null) ? problem : this.database.problem();
	}

	/**
	 * Retries without an end: records stay in memory until the database answers, and the
	 * consumer in its group.
	 */
	private final class Retries extends DefaultErrorHandler {

		Retries() {
			super(new FixedBackOff(PAUSE.toMillis(), FixedBackOff.UNLIMITED_ATTEMPTS));
			setClassifications(Map.of(), true);
			setLogLevel(KafkaException.Level.DEBUG);
		}

		/**
		 * A poll has failed, as in a group of another type. The container would poll
		 * again at once.
		 */
		@Override
		public void handleOtherException(Exception failure, Consumer<?, ?> polled, MessageListenerContainer owner,
				boolean batch) {
			try {
				ListenerUtils.stoppableSleep(owner, InboxConsumer.this.consumer.failed(failure).toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
