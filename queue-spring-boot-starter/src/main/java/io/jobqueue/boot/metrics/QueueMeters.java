package io.jobqueue.boot.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import io.jobqueue.PriorityClass;

/**
 * The timers of one queue in one registry.
 */
final class QueueMeters {

	private final Timer claims;

	private final Map<PriorityClass, Timer> waits = new EnumMap<>(PriorityClass.class);

	QueueMeters(String queue, MeterRegistry registry) {
		Tags tags = Tags.of("queue", queue);
		this.claims = JobTimer.CLAIM.register(registry, tags);
		for (PriorityClass priority : PriorityClass.values()) {
			this.waits.put(priority, JobTimer.WAIT.register(registry, tags.and("priority", priority.tagValue())));
		}
	}

	void claimed(Duration took) {
		this.claims.record(took);
	}

	void waited(PriorityClass priority, Duration time) {
		Timer timer = this.waits.get(priority);
		if (timer != null) {
			timer.record(time);
		}
	}

}
