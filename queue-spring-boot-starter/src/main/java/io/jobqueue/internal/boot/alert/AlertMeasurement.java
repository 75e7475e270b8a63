package io.jobqueue.internal.boot.alert;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.worker.execution.RunningJob;

/**
 * Measures ages, run times and failed attempts: of the jobs that run in this JVM, and of
 * the most urgent jobs in the database. It counts no jobs.
 */
public final class AlertMeasurement {

	private static final Logger logger = LoggerFactory.getLogger(AlertMeasurement.class);

	private final MonitoringStore store;

	private final Supplier<Set<String>> queues;

	private final Supplier<Stream<RunningJob>> running;

	private final Thresholds thresholds;

	private final BooleanSupplier empty;

	private final FailureLog jobs = unknown("The alert state of queues");

	private final FailureLog types = unknown("The alert state of job types");

	/**
	 * Create a measurement.
	 * @param store reads the database
	 * @param queues the queues that are read completely, whatever their number of jobs
	 * @param running the jobs that run in this JVM
	 * @param thresholds the thresholds
	 * @param empty whether the database is known to hold no jobs, so that it is not asked
	 */
	public AlertMeasurement(MonitoringStore store, Supplier<Set<String>> queues, Supplier<Stream<RunningJob>> running,
			Thresholds thresholds, BooleanSupplier empty) {
		this.store = store;
		this.queues = queues;
		this.running = running;
		this.thresholds = thresholds;
		this.empty = empty;
	}

	private static FailureLog unknown(String what) {
		return new FailureLog(logger, what + " is unknown until the database answers", what + " is known again");
	}

	/**
	 * Measure now. Run times are known even if the database does not answer.
	 */
	AlertLevels measure() {
		AlertLevels.Builder levels = new AlertLevels.Builder(this.thresholds);
		this.running.get().forEach(levels::runTime);
		try {
			GaugeSnapshot snapshot = snapshot();
			read(snapshot, levels);
			this.jobs.succeeded();
			return levels.build(snapshot.known(), snapshot.complete());
		}
		catch (RuntimeException ex) {
			Duration unused = this.jobs.failed(ex);
			return levels.build(Set.of(), false);
		}
	}

	private GaugeSnapshot snapshot() {
		Set<String> read = this.queues.get();
		return this.empty.getAsBoolean() ? new GaugeSnapshot(List.of(), true, read) : this.store.scan(read);
	}

	private void read(GaugeSnapshot snapshot, AlertLevels.Builder levels) {
		snapshot.tiers().forEach(levels::age);
		if (this.thresholds.anyTypeHas(Metric.ATTEMPTS)) {
			readTypes(snapshot.tiers(), levels);
		}
		else {
			snapshot.tiers().forEach(levels::attempts);
		}
	}

	private void readTypes(List<TierSnapshot> tiers, AlertLevels.Builder levels) {
		List<TierSnapshot> failed = tiers.stream().filter((tier) -> tier.maxFailures() > 0).toList();
		try {
			if (!failed.isEmpty()) {
				this.store.failuresByType(failed.stream().map(AlertLevels.Builder::tier).toList())
					.forEach(levels::attempts);
			}
			this.types.succeeded();
		}
		catch (RuntimeException ex) {
			failed.forEach((tier) -> levels.unread(AlertLevels.Builder.tier(tier), tier.maxFailures()));
			Duration unused = this.types.failed(ex);
		}
	}

	AlertLevels unknown() {
		return AlertLevels.unknown(this.thresholds);
	}

}
