package io.jobqueue.boot.metrics;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.jobqueue.PriorityClass;
import io.jobqueue.QueuePause;
import io.jobqueue.boot.metrics.CachedValue.Factory;
import io.jobqueue.store.MonitoringStore;
import io.jobqueue.worker.execution.RunningJob;

/**
 * Gauges of the unfinished jobs, all from one reading of the database but for run times,
 * which the JVM knows. What is not known is NaN.
 */
public final class JobGauges implements MeterBinder {

	private final MonitoringStore store;

	private final Supplier<List<QueuePause>> pauses;

	private final TagValues tags;

	private final AlertPercent alerts;

	private final CachedValue<JobSnapshot> reading;

	private final LongestRuns longestRuns;

	private final Collection<MeterRegistry> registries = new CopyOnWriteArrayList<>();

	/**
	 * Create gauges.
	 * @param store what reads the database
	 * @param pauses returns what is paused
	 * @param tags the names that have meters of their own
	 * @param readings how that is done
	 * @param running returns the jobs that run in this JVM
	 * @param alerts how far queues are toward an alert
	 */
	public JobGauges(MonitoringStore store, Supplier<List<QueuePause>> pauses, TagValues tags, Factory readings,
			Supplier<Stream<RunningJob>> running, AlertPercent alerts) {
		this.store = store;
		this.pauses = pauses;
		this.tags = tags;
		this.alerts = alerts;
		this.reading = readings.read("the job gauges", this::read);
		this.longestRuns = new LongestRuns(running, tags, System::nanoTime);
		tags.onMore(() -> this.registries.forEach(this::register));
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.tags.refresh();
		this.registries.add(registry);
		register(registry);
	}

	private JobSnapshot current() {
		return Objects.requireNonNullElse(this.reading.current(), JobSnapshot.UNKNOWN);
	}

	private JobSnapshot read() {
		this.tags.refresh();
		this.tags.addForeign(this.store.servedQueues());
		Set<String> queues = Set.copyOf(this.tags.queues());
		return JobSnapshot.of(this.store.read(queues), this.pauses.get(), queues);
	}

	private void register(MeterRegistry registry) {
		this.tags.queues().forEach((queue) -> register(queue, registry));
		register(DeclaredNames.OTHER, registry);
	}

	private void register(String queue, MeterRegistry registry) {
		Gauge.builder("jobqueue.queue.paused", this, (gauges) -> gauges.current().pauses().of(queue))
			.tag("queue", queue)
			.description("1 if the whole queue is paused, else 0")
			.strongReference(true)
			.register(registry);
		for (PriorityClass priority : PriorityClass.values()) {
			new ClassGauges(queue, priority, this::current, this.longestRuns, () -> alertPercent(queue, priority))
				.bindTo(registry);
		}
	}

	private double alertPercent(String queue, PriorityClass priority) {
		return this.alerts.of((name) -> this.tags.queue(name).equals(queue), priority);
	}

}
