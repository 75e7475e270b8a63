package io.jobqueue.internal.kafka.consume;

import java.util.function.BooleanSupplier;

import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.direct.DirectWorker;

/**
 * Consumes a topic whose records run before they are jobs.
 */
final class DirectConsumer implements TopicConsumer {

	private static final Logger logger = LoggerFactory.getLogger(DirectConsumer.class);

	private final ConsumedTopic topic;

	private final ConsumerSettings settings;

	private final DirectWorker worker;

	private final RecordReader reader;

	private final RecordCounts counts;

	private final ConsumerHealth health;

	private final ConsumerHealth database;

	private final ConsumerThread thread;

	DirectConsumer(ConsumedTopic topic, ConsumerSettings settings, DirectWorker worker, RecordReader reader,
			RecordCounts counts) {
		this.topic = topic;
		this.settings = settings;
		this.worker = worker;
		this.reader = reader;
		this.counts = counts;
		this.health = new ConsumerHealth(logger, "The consumer of topic '%s'".formatted(topic.topic()));
		this.database = new ConsumerHealth(logger, "Reading the live keys of topic '%s'".formatted(topic.topic()));
		this.thread = new ConsumerThread("jobqueue-direct-" + topic.topic() + "-", this.health, this::consume);
	}

	private void consume(BooleanSupplier stopping) throws InterruptedException {
		DirectRuns runs = new DirectRuns(this.topic.queue(), this.worker, this.reader, this.counts);
		try (AssignedPartitions partitions = new AssignedPartitions(this.topic, this.worker, runs, this.database)) {
			consume(partitions, runs, stopping);
		}
	}

	private void consume(AssignedPartitions partitions, DirectRuns runs, BooleanSupplier stopping)
			throws InterruptedException {
		Consumer<byte[], byte[]> consumer = this.settings.factory(this.reader.cluster()).createConsumer();
		try {
			new PollLoop(this.topic, this.settings, consumer, partitions, runs, this.worker, this.health)
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

	/**
	 * Wait until the partitions are handed over, which has limits of time of its own.
	 */
	@Override
	public void stop() {
		this.thread.stop(this.worker.shutdownTimeout().plus(PollLoop.AFTER_TIMEOUT));
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
