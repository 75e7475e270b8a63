package io.jobqueue.internal.event;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

import io.jobqueue.JobAlertEvent;
import io.jobqueue.JobEvent;

/**
 * Publishes the events of jobs and alerts to the listeners of an application context
 * while the context is running. Events before the start of the context are published at
 * its start; events after its stop are dropped.
 */
public final class JobEvents implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(JobEvents.class);

	private static final Duration LAST_EVENTS = Duration.ofSeconds(5);

	private final ApplicationContext context;

	private final String node;

	private @Nullable List<Object> early = new ArrayList<>();

	private volatile @Nullable Listeners listeners;

	private volatile @Nullable EventThread thread;

	/**
	 * Create events.
	 * @param context the context
	 * @param node the name of this node, for its threads
	 */
	public JobEvents(ApplicationContext context, String node) {
		this.context = context;
		this.node = node;
	}

	/**
	 * Return whether there may be listeners for events of a class.
	 * @param kind the class of the events
	 * @return {@code false} if there is no listener; always {@code true} before the first
	 * start
	 */
	public boolean areWanted(Class<? extends JobEvent> kind) {
		Listeners current = listeners();
		return (current != null) ? current.want(kind) : isEarly();
	}

	private synchronized boolean isEarly() {
		return this.early != null;
	}

	/**
	 * Listeners may be added at any time. A failed lookup must not fail the operation
	 * that publishes.
	 */
	private @Nullable Listeners listeners() {
		Listeners current = this.listeners;
		if (current != null && this.thread != null && current.areOutdated()) {
			try {
				current = new Listeners(this.context);
				this.listeners = current;
			}
			catch (RuntimeException ex) {
				logger.warn("Could not look up the listeners of job events; the next event tries again", ex);
			}
		}
		return current;
	}

	/**
	 * Publish events asynchronously. This does not throw exceptions; events that cannot
	 * be published are logged and dropped.
	 * @param events the events, in their order
	 */
	public synchronized void publish(Collection<?> events) {
		EventThread running = this.thread;
		try {
			if (running != null && !events.isEmpty()) {
				running.publish(events);
			}
			else if (this.early != null) {
				this.early.addAll(events);
			}
		}
		catch (RuntimeException | Error ex) {
			logger.error("Could not publish job events; dropped events: {}", events.size(), ex);
		}
	}

	private void deliver(Object event) {
		Listeners current = listeners();
		if (current != null) {
			current.deliver(event);
		}
	}

	/**
	 * Return the subject of an event for log lines, without headers, which may be
	 * confidential.
	 */
	static Object subject(Object event) {
		if (event instanceof JobEvent job) {
			return job.job();
		}
		return (event instanceof JobAlertEvent alert) ? alert.alert() : event;
	}

	@Override
	public void start() {
		this.listeners = new Listeners(this.context);
		begin();
	}

	private synchronized void begin() {
		if (this.thread == null) {
			this.thread = new EventThread(this.node, this::deliver);
			if (this.early != null) {
				publish(this.early);
			}
			this.early = null;
		}
	}

	@Override
	public void stop() {
		EventThread last = end();
		if (last != null) {
			last.close(LAST_EVENTS);
		}
	}

	private synchronized @Nullable EventThread end() {
		EventThread last = this.thread;
		this.thread = null;
		return last;
	}

	@Override
	public boolean isRunning() {
		return this.thread != null;
	}

	/**
	 * The publisher starts before workers and web servers and stops after them, so that
	 * their last events are published.
	 */
	@Override
	public int getPhase() {
		return Integer.MAX_VALUE - 4096;
	}

}
