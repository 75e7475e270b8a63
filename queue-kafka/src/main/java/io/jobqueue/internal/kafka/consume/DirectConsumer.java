package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.direct.DirectWorker;

/**
 * Consumes a topic whose records run before they are jobs, on a thread of its own that
 * opens the consumer again after a failure.
 */
final class DirectConsumer implements TopicConsumer, Runnable {

	private static final Logger logger = LoggerFactory.getLogger(DirectConsumer.class);

	private static final Duration CLOSE = Duration.ofSeconds(5);

	private final ConsumedTopic topic;

	private final ConsumerSettings settings;

	private final DirectWorker worker;

	private final RecordReader reader;

	private final RecordCounts counts;

	private final ConsumerHealth health;

	private final ConsumerHealth database;

	private volatile CountDownLatch stop = new CountDownLatch(0);

	private volatile @Nullable Thread thread;

	DirectConsumer(ConsumedTopic topic, ConsumerSettings settings, DirectWorker worker, RecordReader reader,
			RecordCounts counts) {
		this.topic = topic;
		this.settings = settings;
		this.worker = worker;
		this.reader = reader;
		this.counts = counts;
		this.health = new ConsumerHealth(logger, "The consumer of topic '%s'".formatted(topic.topic()));
		this.database = new ConsumerHealth(logger, "Reading the live keys of topic '%s'".formatted(topic.topic()));
	}

	@Override
	public ConsumedTopic topic() {
		return this.topic;
	}

	@Override
	public synchronized void start() {
		this.stop = new CountDownLatch(1);
		Thread next = NamedThreads.daemons("jobqueue-direct-" + this.topic.topic() + "-").newThread(this);
		this.thread = next;
		next.start();
	}

	@Override
	public void run() {
		while (!isStopping()) {
			DirectRuns runs = new DirectRuns(this.topic.queue(), this.worker, this.reader, this.counts);
			try (AssignedPartitions partitions = new AssignedPartitions(this.topic, this.worker, runs, this.database)) {
				consume(partitions, runs);
			}
			catch (InterruptedException ex) {
				return;
			}
			catch (Exception | Error ex) {
				if (stopsWithin(this.health.failed(ex))) {
					return;
				}
			}
		}
	}

	private void consume(AssignedPartitions partitions, DirectRuns runs) throws InterruptedException {
		Consumer<byte[], byte[]> consumer = this.settings.factory(this.reader.cluster()).createConsumer();
		try {
			PollLoop loop = new PollLoop(this.topic, this.settings, consumer, partitions, runs, this.worker,
					this.health);
			loop.runUntil(this::isStopping);
		}
		finally {
			consumer.close(CloseOptions.timeout(CLOSE));
		}
	}

	private boolean isStopping() {
		return this.stop.getCount() == 0;
	}

	private boolean stopsWithin(Duration time) {
		try {
			return this.stop.await(time.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			return true;
		}
	}

	@Override
	public void beginStop() {
		this.stop.countDown();
	}

	/**
	 * Wait until the partitions are handed over, which has limits of time of its own.
	 */
	@Override
	public void stop() {
		beginStop();
		Thread last = this.thread;
		this.thread = null;
		if (last != null) {
			try {
				last.join(this.worker.shutdownTimeout().plus(PollLoop.AFTER_TIMEOUT).plus(CLOSE).toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			last.interrupt();
		}
	}

	@Override
	public boolean isRunning() {
		return this.thread != null;
	}

	@Override
	public @Nullable String problem() {
		String problem = this.health.problem();
		return (problem != null) ? problem : this.database.problem();
	}

}
