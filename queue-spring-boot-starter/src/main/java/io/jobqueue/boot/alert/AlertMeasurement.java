package io.jobqueue.boot.alert;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.boot.alert.AlertLevels.Builder;
import io.jobqueue.logging.FailureLog;
import io.jobqueue.store.MonitoringStore;
import io.jobqueue.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.store.MonitoringStore.TierSnapshot;
import io.jobqueue.worker.execution.RunningJob;

/**
 * Looks how late, slow and failing jobs are: at what runs in this JVM, and at what is
 * urgent in the database, without counting anything.
 */
public final class AlertMeasurement {

	private static final Logger logger = LoggerFactory.getLogger(AlertMeasurement.class);

	private final MonitoringStore store;

	private final Supplier<Set<String>> queues;

	private final Supplier<Stream<RunningJob>> running;

	private final Thresholds thresholds;

	private final FailureLog jobs = unknown("The alert state of queues");

	private final FailureLog types = unknown("The alert state of job types");

	/**
	 * Create a look.
	 * @param store what reads the database
	 * @param queues the queues that are read whatever the cost
	 * @param running what runs in this JVM
	 * @param thresholds what is too much
	 */
	public AlertMeasurement(MonitoringStore store, Supplier<Set<String>> queues, Supplier<Stream<RunningJob>> running,
			Thresholds thresholds) {
		this.store = store;
		this.queues = queues;
		this.running = running;
		this.thresholds = thresholds;
	}

	private static FailureLog unknown(String what) {
		return new FailureLog(logger, what + " is unknown until the database answers", what + " is known again");
	}

	/**
	 * What runs here is known whether or not the database answers.
	 */
	AlertLevels take() {
		Builder measuring = new Builder(this.thresholds);
		this.running.get().forEach(measuring::runTime);
		try {
			GaugeSnapshot reading = this.store.scan(this.queues.get());
			read(reading, measuring);
			this.jobs.succeeded();
			return measuring.levels(reading.known(), reading.complete());
		}
		catch (RuntimeException ex) {
			Duration unused = this.jobs.failed(ex);
			return measuring.levels(Set.of(), false);
		}
	}

	private void read(GaugeSnapshot reading, Builder measuring) {
		reading.tiers().forEach(measuring::age);
		if (this.thresholds.anyTypeHas(Metric.ATTEMPTS)) {
			readTypes(reading.tiers(), measuring);
		}
		else {
			reading.tiers().forEach(measuring::attempts);
		}
	}

	private void readTypes(List<TierSnapshot> tiers, Builder measuring) {
		List<TierSnapshot> failed = tiers.stream().filter((tier) -> tier.maxFailures() > 0).toList();
		try {
			if (!failed.isEmpty()) {
				this.store.failuresByType(failed.stream().map(Builder::tier).toList()).forEach(measuring::attempts);
			}
			this.types.succeeded();
		}
		catch (RuntimeException ex) {
			failed.forEach((tier) -> measuring.unread(Builder.tier(tier), tier.maxFailures()));
			Duration unused = this.types.failed(ex);
		}
	}

	AlertLevels unknown() {
		return AlertLevels.unknown(this.thresholds);
	}

}
