package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.concurrent.NamedThreads;

/**
 * Consumes a topic on a thread of its own, which opens the consumer again after a
 * failure.
 */
final class ConsumerThread {

	private static final Duration CLOSE = Duration.ofSeconds(5);

	private final ThreadFactory factory;

	private final ConsumerHealth health;

	private final Task task;

	private @Nullable CountDownLatch stop;

	private volatile @Nullable Thread thread;

	/**
	 * @param name the beginning of the thread's name
	 */
	ConsumerThread(String name, ConsumerHealth health, Task task) {
		this.factory = NamedThreads.daemons(name);
		this.health = health;
		this.task = task;
	}

	synchronized void start() {
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
				pause = tryToConsume(() -> own.getCount() == 0);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private Duration tryToConsume(BooleanSupplier stopping) throws InterruptedException {
		try {
			this.task.consume(stopping);
			return Duration.ZERO;
		}
		catch (RuntimeException | Error ex) {
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
	 * Begin to end, without waiting for it.
	 */
	synchronized void beginStop() {
		if (this.stop != null) {
			this.stop.countDown();
		}
	}

	/**
	 * Wait for the end, and interrupt what takes longer.
	 * @param atMost the time, beside that for leaving the group
	 */
	void stop(Duration atMost) {
		beginStop();
		Thread last = this.thread;
		this.thread = null;
		if (last != null) {
			try {
				last.join(atMost.plus(CLOSE).toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			last.interrupt();
		}
	}

	boolean isRunning() {
		return this.thread != null;
	}

	/**
	 * What is done from the opening of a consumer to its end.
	 */
	interface Task {

		void consume(BooleanSupplier stopping) throws InterruptedException;

	}

}
