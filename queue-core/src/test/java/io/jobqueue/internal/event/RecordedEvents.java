package io.jobqueue.internal.event;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.context.event.EventListener;

import io.jobqueue.JobEvent;

/**
 * Records the events that it receives.
 */
final class RecordedEvents {

	private final List<JobEvent> events = new CopyOnWriteArrayList<>();

	@EventListener
	void on(JobEvent event) {
		this.events.add(event);
	}

	<T extends JobEvent> List<T> of(Class<T> kind) {
		return this.events.stream().filter(kind::isInstance).map(kind::cast).toList();
	}

	List<JobEvent> all() {
		return this.events;
	}

}
