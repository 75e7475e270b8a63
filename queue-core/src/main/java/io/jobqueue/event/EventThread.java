package io.jobqueue.event;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.concurrent.NamedThreads;

/**
 * Calls listeners, one event after the other. Whoever has something to tell never waits
 * for them: if they fall too far behind, events are lost, and the log says so. The thread
 * is there while there is something to tell.
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
	 * Tell listeners of events soon. What comes at a time is taken as a whole.
	 */
	synchronized void tell(Collection<?> events) {
		if (this.waiting.get() >= MAX_BACKLOG) {
			lose(events.size());
			return;
		}
		reportLost();
		this.waiting.addAndGet(events.size());
		this.executor.execute(() -> events.forEach(this::tell));
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

	private void tell(Object event) {
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
	 * Take no further events.
	 * @param patience how long to wait until listeners have heard of those that came
	 */
	void close(Duration patience) {
		this.executor.shutdown();
		try {
			if (!this.executor.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
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
