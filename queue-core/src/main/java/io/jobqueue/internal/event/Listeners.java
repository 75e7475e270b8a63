package io.jobqueue.internal.event;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

import io.jobqueue.JobCancelled;
import io.jobqueue.JobDied;
import io.jobqueue.JobEnqueued;
import io.jobqueue.JobEvent;
import io.jobqueue.JobFailed;
import io.jobqueue.JobSucceeded;

/**
 * A snapshot of the listeners of an application context and its parents. Unlike the
 * context, it reports whether there are any, and calls the other listeners after one has
 * thrown.
 */
final class Listeners extends SimpleApplicationEventMulticaster {

	private static final Logger logger = LoggerFactory.getLogger(Listeners.class);

	private static final Set<Class<? extends JobEvent>> KINDS = Set.of(JobEnqueued.class, JobSucceeded.class,
			JobFailed.class, JobDied.class, JobCancelled.class);

	private final ApplicationContext context;

	private final int count;

	private final Set<Class<? extends JobEvent>> wanted;

	Listeners(ApplicationContext context) {
		super(context.getAutowireCapableBeanFactory());
		this.context = context;
		this.count = count(context);
		addAll();
		this.wanted = KINDS.stream().filter(this::hasListener).collect(Collectors.toUnmodifiableSet());
	}

	private void addAll() {
		for (ApplicationContext each = this.context; each != null; each = each.getParent()) {
			if (each instanceof AbstractApplicationContext known) {
				List.copyOf(known.getApplicationListeners()).forEach(this::addApplicationListener);
			}
		}
		for (String bean : this.context.getBeanNamesForType(ApplicationListener.class, true, false)) {
			addApplicationListenerBean(bean);
		}
	}

	private boolean hasListener(Class<? extends JobEvent> kind) {
		ResolvableType type = ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, kind);
		return !getApplicationListeners(new PayloadApplicationEvent<>(this.context, kind), type).isEmpty();
	}

	/**
	 * Return whether the number of listeners has changed since this snapshot.
	 */
	boolean areOutdated() {
		return this.count != count(this.context);
	}

	private static int count(ApplicationContext context) {
		int count = 0;
		for (ApplicationContext each = context; each != null; each = each.getParent()) {
			count += (each instanceof AbstractApplicationContext known) ? known.getApplicationListeners().size() : 0;
		}
		return count;
	}

	boolean want(Class<? extends JobEvent> kind) {
		return this.wanted.contains(kind);
	}

	void deliver(Object event) {
		multicastEvent(new PayloadApplicationEvent<>(this.context, event));
	}

	@Override
	protected void invokeListener(ApplicationListener<?> listener, ApplicationEvent event) {
		try {
			super.invokeListener(listener, event);
		}
		catch (Throwable ex) {
			Object payload = ((PayloadApplicationEvent<?>) event).getPayload();
			logger.error("Listener {} failed on {} of {}", listener, payload.getClass().getSimpleName(),
					JobEvents.subject(payload), ex);
		}
	}

}
