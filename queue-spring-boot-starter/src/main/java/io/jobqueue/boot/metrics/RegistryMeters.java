package io.jobqueue.boot.metrics;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * The timers and counters of one registry, at hand for each recording.
 */
final class RegistryMeters {

	/**
	 * What stands for the queues of a call that enqueues to several at once.
	 */
	private static final String SEVERAL = "(several)";

	private final MeterRegistry registry;

	private final TagValues tags;

	private final Map<String, Timer> enqueues = new ConcurrentHashMap<>();

	private final Map<String, QueueMeters> queues = new ConcurrentHashMap<>();

	private final Map<TypeTag, TypeMeters> types = new ConcurrentHashMap<>();

	RegistryMeters(MeterRegistry registry, TagValues tags) {
		this.registry = registry;
		this.tags = tags;
	}

	/**
	 * Begin with zero what may be counted here, since a counter that begins with its
	 * first increase does not show it, and what is timed here. A timer has many buckets:
	 * there is none for queues of other applications.
	 */
	void fill() {
		type(DeclaredNames.OTHER, DeclaredNames.OTHER);
		this.tags.typesByQueue().forEach((queue, types) -> {
			type(queue, DeclaredNames.OTHER);
			types.forEach((type) -> type(queue, type));
		});
		this.tags.ownQueues().forEach((queue) -> {
			Timer unused = enqueue(Set.of(queue));
			queue(queue);
		});
	}

	Timer enqueue(Set<String> queues) {
		String tag = (queues.size() == 1) ? this.tags.queue(queues.iterator().next()) : SEVERAL;
		return this.enqueues.computeIfAbsent(tag,
				(queue) -> JobTimer.ENQUEUE.register(this.registry, Tags.of("queue", queue)));
	}

	QueueMeters queue(String queue) {
		return this.queues.computeIfAbsent(this.tags.queue(queue), (tag) -> new QueueMeters(tag, this.registry));
	}

	TypeMeters type(String queue, String type) {
		return this.types.computeIfAbsent(new TypeTag(this.tags.queue(queue), this.tags.type(queue, type)),
				(tag) -> new TypeMeters(tag.queue(), tag.type(), this.registry));
	}

	private record TypeTag(String queue, String type) {
	}

}
