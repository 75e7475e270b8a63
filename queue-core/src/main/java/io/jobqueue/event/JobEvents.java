package io.jobqueue.event;

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
 * Tells the listeners of an application context what happened to jobs, and of alerts,
 * while the context is running. What happens before it starts is told then.
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
	 * Return whether anybody wants to hear of events of a kind.
	 * @param kind the class of the events
	 * @return {@code false} if nobody listens
	 */
	public boolean areWanted(Class<? extends JobEvent> kind) {
		Listeners current = listeners();
		return (current != null) ? current.want(kind) : isEarly();
	}

	private synchronized boolean isEarly() {
		return this.early != null;
	}

	/**
	 * Listeners may still come. To look for them must do no harm to what is told of.
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
	 * Tell what happened. Returns before anybody hears of it, and throws nothing.
	 * @param events the events, in their order
	 */
	public synchronized void publish(Collection<?> events) {
		EventThread running = this.thread;
		try {
			if (running != null && !events.isEmpty()) {
				running.tell(events);
			}
			else if (this.early != null) {
				this.early.addAll(events);
			}
		}
		catch (RuntimeException | Error ex) {
			logger.error("Could not publish job events; dropped events: {}", events.size(), ex);
		}
	}

	private void tell(Object event) {
		Listeners current = listeners();
		if (current != null) {
			current.tell(event);
		}
	}

	/**
	 * Return what the log calls an event: headers are not for everybody.
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
			this.thread = new EventThread(this.node, this::tell);
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
	 * Starts before workers and web servers and stops after them, so that what they still
	 * do is told.
	 */
	@Override
	public int getPhase() {
		return Integer.MAX_VALUE - 4096;
	}

}
