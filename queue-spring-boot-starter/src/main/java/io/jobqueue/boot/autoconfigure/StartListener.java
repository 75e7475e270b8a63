package io.jobqueue.boot.autoconfigure;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.SmartApplicationListener;

import io.jobqueue.internal.boot.properties.WorkerProperties.Start;

/**
 * Starts the worker when the application accepts traffic, which {@link SpringApplication}
 * publishes after all listeners of {@link ApplicationReadyEvent} have returned. Events of
 * parent and child contexts do not count. An asynchronous multicaster calls it on the
 * thread that starts the application, too, so that a failure ends the start.
 */
final class StartListener implements SmartApplicationListener {

	/**
	 * The singleton of a context that {@link SpringApplication} prepares, and for which
	 * it publishes these events.
	 */
	private static final String PREPARED = "springApplicationArguments";

	private final WorkerLifecycle lifecycle;

	private final ConfigurableApplicationContext context;

	private final Start start;

	private volatile boolean ready;

	StartListener(WorkerLifecycle lifecycle, ConfigurableApplicationContext context, Start start) {
		this.lifecycle = lifecycle;
		this.context = context;
		this.start = start;
	}

	@Override
	public boolean supportsEventType(Class<? extends ApplicationEvent> type) {
		return ContextRefreshedEvent.class.isAssignableFrom(type) || ApplicationReadyEvent.class.isAssignableFrom(type)
				|| AvailabilityChangeEvent.class.isAssignableFrom(type);
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		if (event instanceof ContextRefreshedEvent refreshed && refreshed.getApplicationContext() == this.context) {
			refreshed();
		}
		else if (event instanceof ApplicationReadyEvent ready && ready.getApplicationContext() == this.context) {
			this.ready = true;
		}
		else if (event instanceof AvailabilityChangeEvent<?> change && change.getSource() == this.context) {
			changed(change);
		}
	}

	private void refreshed() {
		this.lifecycle.refreshed();
		if (this.start == Start.READY && this.context.getBeanFactory().containsSingleton(PREPARED)) {
			this.lifecycle.awaitRunners();
		}
		else {
			this.lifecycle.start();
		}
	}

	/**
	 * A runner may publish the state, too.
	 */
	private void changed(AvailabilityChangeEvent<?> change) {
		if (this.ready && change.getState() == ReadinessState.ACCEPTING_TRAFFIC) {
			this.lifecycle.start();
		}
	}

	@Override
	public boolean supportsAsyncExecution() {
		return false;
	}

}
