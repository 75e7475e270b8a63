package io.jobqueue.boot.metrics;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.jobqueue.PriorityClass;
import io.jobqueue.QueuePause;
import io.jobqueue.store.MonitoringStore;
import io.jobqueue.worker.execution.RunningJob;

/**
 * Gauges of the unfinished jobs. All but the run times, which the JVM knows, come from
 * one snapshot of the database. Unknown values are NaN.
 */
public final class JobGauges implements MeterBinder {

	private final MonitoringStore store;

	private final Supplier<List<QueuePause>> pauses;

	private final TagValues tags;

	private final ToDoubleBiFunction<Predicate<String>, PriorityClass> alertPercent;

	private final CachedValue<JobSnapshot> snapshot;

	private final LongestRuns longestRuns;

	private final Map<MeterRegistry, Set<String>> queuesByRegistry = new ConcurrentHashMap<>();

	/**
	 * Create gauges.
	 * @param store reads the database
	 * @param pauses returns the pauses
	 * @param tags the names that have meters of their own
	 * @param cache caches what was read
	 * @param running returns the jobs that run in this JVM
	 * @param alertPercent returns the highest value of the matching queues as a
	 * percentage of its alert threshold, NaN if it is not known
	 */
	public JobGauges(MonitoringStore store, Supplier<List<QueuePause>> pauses, TagValues tags,
			CachedValue.Factory cache, Supplier<Stream<RunningJob>> running,
			ToDoubleBiFunction<Predicate<String>, PriorityClass> alertPercent) {
		this.store = store;
		this.pauses = pauses;
		this.tags = tags;
		this.alertPercent = alertPercent;
		this.snapshot = cache.create("the job gauges", this::read);
		this.longestRuns = new LongestRuns(running, tags, System::nanoTime);
		tags.onAdded(() -> this.queuesByRegistry.keySet().forEach(this::register));
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.tags.refresh();
		register(registry);
		Gauge.builder("jobqueue.batches.oldest.open.age", this, (gauges) -> gauges.current().unresolved().oldestBatch())
			.description("Time since the oldest batch that is not finished was started")
			.baseUnit("seconds")
			.strongReference(true)
			.register(registry);
	}

	private JobSnapshot current() {
		return Objects.requireNonNullElse(this.snapshot.current(), JobSnapshot.UNKNOWN);
	}

	private JobSnapshot read() {
		this.tags.refresh();
		this.tags.addForeign(this.store.servedQueues());
		Set<String> queues = Set.copyOf(this.tags.queues());
		return JobSnapshot.of(this.store.read(queues), this.pauses.get(), this.store.unresolved(), queues);
	}

	/**
	 * Micrometer warns of a gauge that is registered twice.
	 */
	private void register(MeterRegistry registry) {
		Set<String> registered = this.queuesByRegistry.computeIfAbsent(registry,
				(added) -> ConcurrentHashMap.newKeySet());
		Stream.concat(this.tags.queues().stream(), Stream.of(DeclaredNames.OTHER))
			.filter(registered::add)
			.forEach((queue) -> register(queue, registry));
	}

	private void register(String queue, MeterRegistry registry) {
		Gauge.builder("jobqueue.queue.paused", this, (gauges) -> gauges.current().pauses().of(queue))
			.tag("queue", queue)
			.description("1 if the whole queue is paused, else 0")
			.strongReference(true)
			.register(registry);
		Gauge
			.builder("jobqueue.jobs.waiting.for.failed", this, (gauges) -> gauges.current().unresolved().waiting(queue))
			.tag("queue", queue)
			.description("Number of jobs that wait for a predecessor that failed")
			.strongReference(true)
			.register(registry);
		for (PriorityClass priority : PriorityClass.values()) {
			new ClassGauges(queue, priority, this::current, this.longestRuns, () -> alertPercent(queue, priority))
				.bindTo(registry);
		}
	}

	private double alertPercent(String queue, PriorityClass priority) {
		return this.alertPercent.applyAsDouble((name) -> this.tags.queue(name).equals(queue), priority);
	}

}
