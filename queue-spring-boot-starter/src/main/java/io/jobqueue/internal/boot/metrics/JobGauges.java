package io.jobqueue.internal.boot.metrics;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.jobqueue.PriorityClass;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.worker.execution.RunningJob;

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
		gauge("jobqueue.batches.oldest.open.age", Tags.empty(), (gauges) -> gauges.current().oldestBatch())
			.description("Time since the oldest batch that is not finished was started")
			.baseUnit("seconds")
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
		Tags tags = Tags.of("queue", queue);
		gauge("jobqueue.queue.paused", tags, (gauges) -> gauges.current().paused().of(queue))
			.description("1 if the whole queue is paused, else 0")
			.register(registry);
		gauge("jobqueue.jobs.waiting.for.failed", tags, (gauges) -> gauges.current().waiting().of(queue))
			.description("Number of jobs that wait for a predecessor that failed")
			.register(registry);
		for (PriorityClass priority : PriorityClass.values()) {
			register(new QueueClass(queue, priority), tags.and("priority", priority.tagValue()), registry);
		}
	}

	private void register(QueueClass key, Tags tags, MeterRegistry registry) {
		gauge("jobqueue.jobs.max.run.time", tags, (gauges) -> gauges.longestRuns.seconds(key))
			.description("Run time so far of the longest-running handler on this node")
			.baseUnit("seconds")
			.register(registry);
		gauge("jobqueue.jobs.alert.percent", tags, (gauges) -> gauges.alertPercent(key))
			.description("Highest value of the queue as a percentage of its alert threshold")
			.register(registry);
		gauge("jobqueue.jobs.dead.archived", tags, (gauges) -> gauges.current().dead().of(key))
			.description("Number of dead jobs in the archive")
			.register(registry);
		for (TierGauge gauge : TierGauge.values()) {
			gauge.builder(this, (gauges) -> gauges.current().tier(gauge, key))
				.tags(tags)
				.strongReference(true)
				.register(registry);
		}
	}

	private Gauge.Builder<JobGauges> gauge(String name, Tags tags, ToDoubleFunction<JobGauges> value) {
		return Gauge.builder(name, this, value).tags(tags).strongReference(true);
	}

	private double alertPercent(QueueClass key) {
		return this.alertPercent.applyAsDouble((name) -> this.tags.queue(name).equals(key.queue()), key.priority());
	}

}
