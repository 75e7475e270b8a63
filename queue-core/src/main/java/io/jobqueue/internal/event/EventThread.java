package io.jobqueue.internal.event;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.NamedThreads;

/**
 * Calls the listeners of events on one thread, in the order of the events. Publishers do
 * not wait for listeners: beyond {@value #MAX_BACKLOG} pending events, further events are
 * dropped and logged. The thread ends after {@value #KEEP_ALIVE_SECONDS} seconds without
 * events.
 */
final class EventThread {

	static final int MAX_BACKLOG = 100_000;

	private static final Logger logger = LoggerFactory.getLogger(EventThread.class);

	private static final long KEEP_ALIVE_SECONDS = 10;

	private final Consumer<Object> listeners;

	private final ThreadPoolExecutor executor;

	private final AtomicInteger waiting = new AtomicInteger();

	private long lost;

	EventThread(String node, Consumer<Object> listeners) {
		this.listeners = listeners;
		this.executor = new ThreadPoolExecutor(1, 1, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				NamedThreads.daemons(node, "events"));
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Deliver events asynchronously. The events of one call are accepted or dropped
	 * together.
	 */
	synchronized void publish(Collection<?> events) {
		if (this.waiting.get() >= MAX_BACKLOG) {
			lose(events.size());
			return;
		}
		reportLost();
		this.waiting.addAndGet(events.size());
		try {
			this.executor.execute(() -> events.forEach(this::deliver));
		}
		catch (RuntimeException | Error ex) {
			this.waiting.addAndGet(-events.size());
			throw ex;
		}
	}

	private void lose(int events) {
		if (this.lost == 0) {
			logger.error("Listeners of job events are {} events behind; further events are dropped until they catch up",
					MAX_BACKLOG);
		}
		this.lost += events;
	}

	private void reportLost() {
		if (this.lost > 0) {
			logger.error("Listeners of job events have caught up; dropped events: {}", this.lost);
		}
		this.lost = 0;
	}

	private void deliver(Object event) {
		try {
			this.listeners.accept(event);
		}
		catch (Throwable ex) {
			logger.error("Could not deliver an event of {} to its listeners: a {} whose stack trace cannot be printed",
					JobEvents.subject(event), ex.getClass().getName());
		}
		finally {
			this.waiting.decrementAndGet();
		}
	}

	/**
	 * Accept no further events.
	 * @param timeout the longest time to wait for the delivery of pending events
	 */
	void close(Duration timeout) {
		this.executor.shutdown();
		try {
			if (!this.executor.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
				logger.error("Listeners of job events did not finish before the stop; dropped events: {}",
						this.waiting.get());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.executor.shutdownNow();
		}
	}

}
