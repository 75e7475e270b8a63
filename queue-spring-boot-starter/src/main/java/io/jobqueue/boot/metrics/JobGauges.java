package io.jobqueue.boot.metrics;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.jobqueue.PriorityClass;
import io.jobqueue.store.GaugeStore;
import io.jobqueue.worker.RunningJob;

/**
 * Gauges of the unfinished jobs, all from one reading of the database but for run times,
 * which the JVM knows. What is not known is NaN.
 */
public final class JobGauges implements MeterBinder {

	private final GaugeStore store;

	private final TagValues tags;

	private final AlertPercent alerts;

	private final CachedReading<Reading> reading;

	private final LongestRuns longestRuns;

	private final Collection<MeterRegistry> registries = new CopyOnWriteArrayList<>();

	/**
	 * Create gauges.
	 * @param store what reads the database
	 * @param tags the names that have meters of their own
	 * @param clock the application's clock
	 * @param refreshInterval how long a reading is good for
	 * @param running tells of the jobs that run in this JVM
	 * @param alerts how far queues are toward an alert
	 */
	public JobGauges(GaugeStore store, TagValues tags, Clock clock, Duration refreshInterval,
			Supplier<? extends Collection<RunningJob>> running, AlertPercent alerts) {
		this.store = store;
		this.tags = tags;
		this.alerts = alerts;
		this.reading = new CachedReading<>(this::read, Reading.UNKNOWN, clock, refreshInterval);
		this.longestRuns = new LongestRuns(running, tags);
		tags.onMore(() -> this.registries.forEach(this::register));
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.tags.refresh();
		this.registries.add(registry);
		register(registry);
	}

	private Reading read() {
		this.tags.add(this.store.servedQueues());
		Set<String> queues = Set.copyOf(this.tags.queues());
		return Reading.of(this.store.read(queues), queues);
	}

	private void register(MeterRegistry registry) {
		this.tags.queues().forEach((queue) -> register(queue, registry));
		register(DeclaredNames.OTHER, registry);
	}

	private void register(String queue, MeterRegistry registry) {
		for (PriorityClass priority : PriorityClass.values()) {
			new TierGauges(queue, priority, this.reading, this.longestRuns, () -> alertPercent(queue, priority))
				.bindTo(registry);
		}
	}

	private double alertPercent(String queue, PriorityClass priority) {
		return this.alerts.of((name) -> this.tags.queue(name).equals(queue), priority);
	}

}
