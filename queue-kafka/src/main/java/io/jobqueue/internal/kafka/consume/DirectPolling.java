package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.kafka.consume.PollingConsumer.Polling;

/**
 * Polls a topic whose records run before they are jobs.
 */
final class DirectPolling implements Polling {

	private static final Logger logger = LoggerFactory.getLogger(DirectPolling.class);

	private final ConsumedTopic topic;

	private final ConsumerSettings settings;

	private final DirectWorker worker;

	private final RecordReader reader;

	private final RecordCounts counts;

	private final ConsumerHealth database;

	DirectPolling(ConsumedTopic topic, ConsumerSettings settings, DirectWorker worker, RecordReader reader,
			RecordCounts counts) {
		this.topic = topic;
		this.settings = settings;
		this.worker = worker;
		this.reader = reader;
		this.counts = counts;
		this.database = new ConsumerHealth(logger, "Reading the live keys of topic '%s'".formatted(topic.topic()));
	}

	@Override
	public void run(ConsumerHealth health, BooleanSupplier stopping) throws InterruptedException {
		DirectRuns runs = new DirectRuns(this.topic.queue(), this.worker, this.reader, this.counts);
		try (AssignedPartitions partitions = new AssignedPartitions(this.topic, this.worker, runs, this.database)) {
			poll(partitions, runs, health, stopping);
		}
	}

	private void poll(AssignedPartitions partitions, DirectRuns runs, ConsumerHealth health, BooleanSupplier stopping)
			throws InterruptedException {
		Consumer<byte[], byte[]> consumer = this.settings.factory(this.reader.cluster()).createConsumer();
		try {
			new PollLoop(this.topic, this.settings, consumer, partitions, runs, this.worker, health).runUntil(stopping);
		}
		finally {
			PollingConsumer.close(consumer);
		}
	}

	/**
	 * Partitions are handed over, which has limits of time of its own.
	 */
	@Override
	public Duration timeToEnd() {
		return this.worker.shutdownTimeout().plus(PollLoop.AFTER_TIMEOUT);
	}

	@Override
	public @Nullable String problem() {
		return this.database.problem();
	}

}
