package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.concurrent.NamedThreads;

/**
 * Consumes a topic on a thread of its own, which opens the consumer again after a
 * failure.
 */
final class PollingConsumer implements TopicConsumer {

	private static final Logger logger = LoggerFactory.getLogger(PollingConsumer.class);

	private static final Duration CLOSE = Duration.ofSeconds(5);

	private final ConsumedTopic topic;

	private final Polling polling;

	private final ConsumerHealth health;

	private final ThreadFactory factory;

	private final Deadline end = new Deadline();

	private @Nullable CountDownLatch stop;

	private volatile @Nullable Thread thread;

	PollingConsumer(ConsumedTopic topic, Polling polling) {
		this.topic = topic;
		this.polling = polling;
		this.health = new ConsumerHealth(logger, "The consumer of topic '%s'".formatted(topic.topic()));
		this.factory = NamedThreads.daemons("jobqueue-%s-%s-".formatted(topic.kind(), topic.topic()));
	}

	@Override
	public ConsumedTopic topic() {
		return this.topic;
	}

	@Override
	public synchronized void start() {
		CountDownLatch own = new CountDownLatch(1);
		Thread next = this.factory.newThread(() -> run(own));
		this.stop = own;
		this.thread = next;
		next.start();
	}

	private void run(CountDownLatch own) {
		try {
			Duration pause = Duration.ZERO;
			while (!own.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
				pause = tryToPoll(() -> own.getCount() == 0);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private Duration tryToPoll(BooleanSupplier stopping) throws InterruptedException {
		try {
			this.polling.run(this.health, stopping);
			return Duration.ZERO;
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Exception | Error ex) {
			return this.health.failed(ex);
		}
	}

	/**
	 * Close a consumer, which leaves its group.
	 */
	static void close(Consumer<?, ?> consumer) {
		consumer.close(CloseOptions.timeout(CLOSE));
	}

	/**
	 * Several topics have the same time to end.
	 */
	@Override
	public synchronized void beginStop() {
		if (this.stop != null) {
			this.stop.countDown();
			this.stop = null;
			this.end.reset(this.polling.timeToEnd().plus(CLOSE));
		}
	}

	@Override
	public void stop() {
		beginStop();
		Thread last = this.thread;
		this.thread = null;
		if (last != null) {
			try {
				last.join(Math.max(1, this.end.remaining().toMillis()));
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
		return (problem != null) ? problem : this.polling.problem();
	}

	/**
	 * What is done from the opening of a consumer to its end.
	 */
	interface Polling {

		void run(ConsumerHealth health, BooleanSupplier stopping) throws InterruptedException;

		/**
		 * Return how long a stop waits before it interrupts, beside the time for leaving
		 * the group.
		 */
		Duration timeToEnd();

		/**
		 * Return why records are not consumed although they are polled, {@code null} if
		 * they are.
		 */
		@Nullable String problem();

	}

}
