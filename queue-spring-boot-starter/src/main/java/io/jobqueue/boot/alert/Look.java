package io.jobqueue.boot.alert;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.store.GaugeReading;
import io.jobqueue.store.GaugeStore;
import io.jobqueue.store.Tier;
import io.jobqueue.store.TierReading;
import io.jobqueue.worker.RunningJob;

/**
 * Looks how late, slow and failing jobs are: at what runs in this JVM, and at what is
 * urgent in the database, without counting anything.
 */
public final class Look {

	private static final Logger logger = LoggerFactory.getLogger(Look.class);

	private final GaugeStore store;

	private final Supplier<Set<String>> queues;

	private final Supplier<Stream<RunningJob>> running;

	private final Thresholds thresholds;

	private boolean failing;

	/**
	 * Create a look.
	 * @param store what reads the database
	 * @param queues the queues that are read whatever the cost
	 * @param running what runs in this JVM
	 * @param thresholds what is too much
	 */
	public Look(GaugeStore store, Supplier<Set<String>> queues, Supplier<Stream<RunningJob>> running,
			Thresholds thresholds) {
		this.store = store;
		this.queues = queues;
		this.running = running;
		this.thresholds = thresholds;
	}

	/**
	 * What runs here is known whether or not the database answers.
	 */
	Levels take() {
		Measuring measuring = new Measuring(this.thresholds);
		this.running.get().forEach(measuring::runTime);
		try {
			Set<String> known = this.queues.get();
			boolean complete = read(known, measuring);
			this.failing = false;
			return measuring.levels(known, complete);
		}
		catch (RuntimeException ex) {
			report(ex);
			return measuring.levels(Set.of(), false);
		}
	}

	private boolean read(Set<String> known, Measuring measuring) {
		GaugeReading reading = this.store.look(known);
		reading.tiers().forEach(measuring::age);
		if (this.thresholds.anyTypeHas(Metric.ATTEMPTS)) {
			readTypes(reading.tiers(), measuring);
		}
		else {
			reading.tiers().forEach(measuring::attempts);
		}
		return reading.complete();
	}

	private void readTypes(List<TierReading> tiers, Measuring measuring) {
		List<Tier> failed = tiers.stream().filter((tier) -> tier.maxFailures() > 0).map(Measuring::tier).toList();
		if (!failed.isEmpty()) {
			this.store.failuresByType(failed).forEach(measuring::attempts);
		}
	}

	private void report(RuntimeException failure) {
		if (!this.failing) {
			logger.warn("It is not known whether jobs are late or failing until the database tells", failure);
		}
		this.failing = true;
	}

	Levels unknown() {
		return Levels.unknown(this.thresholds);
	}

}
