package io.jobqueue.boot.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import io.jobqueue.PriorityClass;

/**
 * The timers of one queue in one registry.
 */
final class QueueMeters {

	private final Timer claims;

	private final Map<PriorityClass, Timer> waits = new ConcurrentHashMap<>();

	private final Tags tags;

	private final MeterRegistry registry;

	QueueMeters(String queue, MeterRegistry registry) {
		this.tags = Tags.of("queue", queue);
		this.registry = registry;
		this.claims = JobTimer.CLAIM.register(registry, this.tags);
	}

	void claimed(Duration took) {
		this.claims.record(took);
	}

	void waited(PriorityClass priority, Duration time) {
		this.waits.computeIfAbsent(priority, this::waits).record(time);
	}

	private Timer waits(PriorityClass priority) {
		return JobTimer.WAIT.register(this.registry, this.tags.and("priority", priority.tagValue()));
	}

}
