package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.outbox.Outbox;

/**
 * Consumes a topic whose records become jobs before they run.
 */
final class InboxConsumer implements TopicConsumer {

	private static final Logger logger = LoggerFactory.getLogger(InboxConsumer.class);

	/**
	 * The time that a stop leaves to a transaction.
	 */
	private static final Duration LAST_WRITE = Duration.ofSeconds(5);

	private final ConsumedTopic topic;

	private final ConsumerSettings settings;

	private final RecordReader reader;

	private final Outbox outbox;

	private final RecordCounts counts;

	private final ConsumerHealth health;

	private final ConsumerHealth database;

	private final ConsumerThread thread;

	InboxConsumer(ConsumedTopic topic, ConsumerSettings settings, RecordReader reader, Outbox outbox,
			RecordCounts counts) {
		this.topic = topic;
		this.settings = settings;
		this.reader = reader;
		this.outbox = outbox;
		this.counts = counts;
		this.health = new ConsumerHealth(logger, "The consumer of topic '%s'".formatted(topic.topic()));
		this.database = new ConsumerHealth(logger, "The inbox of topic '%s'".formatted(topic.topic()));
		this.thread = new ConsumerThread("jobqueue-inbox-" + topic.topic() + "-", this.health, this::consume);
	}

	private void consume(BooleanSupplier stopping) {
		Consumer<byte[], byte[]> consumer = this.settings.factory(this.reader.cluster()).createConsumer();
		try {
			new InboxLoop(this.topic, consumer, new Inbox(this.reader, this.outbox, this.counts), this.health,
					this.database)
				.runUntil(stopping);
		}
		finally {
			ConsumerThread.close(consumer);
		}
	}

	@Override
	public ConsumedTopic topic() {
		return this.topic;
	}

	@Override
	public void start() {
		this.thread.start();
	}

	@Override
	public void beginStop() {
		this.thread.beginStop();
	}

	@Override
	public void stop() {
		this.thread.stop(LAST_WRITE);
	}

	@Override
	public boolean isRunning() {
		return this.thread.isRunning();
	}

	@Override
	public @Nullable String problem() {
		String problem = this.health.problem();
		return (problem != null) ? problem : this.database.problem();
	}

}
