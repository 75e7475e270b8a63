package io.jobqueue.boot.metrics;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.jobqueue.PriorityClass;
import io.jobqueue.store.GaugeStore;

/**
 * Gauges of the unfinished jobs, all from one reading of the database. What is not known
 * is NaN.
 */
public final class JobGauges implements MeterBinder {

	private final GaugeStore store;

	private final DeclaredNames names;

	private final AlertPercent alerts;

	private final CachedReading reading;

	private final Set<String> queues = ConcurrentHashMap.newKeySet();

	private final Collection<MeterRegistry> registries = new CopyOnWriteArrayList<>();

	/**
	 * Create gauges.
	 * @param store what reads the database
	 * @param names the names that this node knows of
	 * @param clock the application's clock
	 * @param refreshInterval how long a reading is good for
	 * @param alerts how far queues are toward an alert
	 */
	public JobGauges(GaugeStore store, DeclaredNames names, Clock clock, Duration refreshInterval,
			AlertPercent alerts) {
		this.store = store;
		this.names = names;
		this.alerts = alerts;
		this.reading = new CachedReading(this::read, clock, refreshInterval);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.queues.addAll(this.names.queues());
		this.registries.add(registry);
		this.queues.forEach((queue) -> register(queue, registry));
		register(DeclaredNames.OTHER, registry);
	}

	private Reading read() {
		this.store.servedQueues().stream().filter(this.queues::add).forEach(this::registerEverywhere);
		return Reading.of(this.store.read(this.queues), this.queues);
	}

	private void registerEverywhere(String queue) {
		this.registries.forEach((registry) -> register(queue, registry));
	}

	private void register(String queue, MeterRegistry registry) {
		for (PriorityClass priority : PriorityClass.values()) {
			new TierGauges(queue, priority, this.reading, () -> this.alerts.of(meantBy(queue), priority))
				.bindTo(registry);
		}
	}

	private Predicate<String> meantBy(String queue) {
		return queue.equals(DeclaredNames.OTHER) ? (name) -> !this.queues.contains(name) : queue::equals;
	}

}
