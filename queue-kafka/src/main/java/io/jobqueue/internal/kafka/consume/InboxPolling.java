package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.kafka.consume.PollingConsumer.Polling;
import io.jobqueue.internal.outbox.Outbox;

/**
 * Polls a topic whose records become jobs before they run.
 */
final class InboxPolling implements Polling {

	private static final Logger logger = LoggerFactory.getLogger(InboxPolling.class);

	private static final Duration LAST_WRITE = Duration.ofSeconds(5);

	private final ConsumedTopic topic;

	private final ConsumerSettings settings;

	private final RecordReader reader;

	private final Inbox inbox;

	private final ConsumerHealth database;

	InboxPolling(ConsumedTopic topic, ConsumerSettings settings, RecordReader reader, Outbox outbox,
			RecordCounts counts) {
		this.topic = topic;
		this.settings = settings;
		this.reader = reader;
		this.inbox = new Inbox(reader, outbox, counts);
		this.database = new ConsumerHealth(logger, "The inbox of topic '%s'".formatted(topic.topic()));
	}

	@Override
	public void run(ConsumerHealth health, BooleanSupplier stopping) {
		Consumer<byte[], byte[]> consumer = this.settings.factory(this.reader.cluster()).createConsumer();
		try {
			new InboxLoop(this.topic, consumer, this.inbox, health, this.database).runUntil(stopping);
		}
		finally {
			PollingConsumer.close(consumer);
		}
	}

	@Override
	public Duration timeToEnd() {
		return LAST_WRITE;
	}

	@Override
	public @Nullable String problem() {
		return this.database.problem();
	}

}
