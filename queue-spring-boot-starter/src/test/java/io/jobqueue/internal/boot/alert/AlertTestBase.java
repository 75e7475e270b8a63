package io.jobqueue.internal.boot.alert;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.JobAlertEvent;
import io.jobqueue.PriorityClass;
import io.jobqueue.internal.boot.metrics.TestClock;
import io.jobqueue.internal.boot.metrics.TestMonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TypeFailures;
import io.jobqueue.internal.worker.execution.RunningJob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Measures levels that a test sets.
 */
abstract class AlertTestBase {

	static final Duration INTERVAL = Duration.ofSeconds(10);

	static final Thresholds THRESHOLDS = new Thresholds(
			Map.of(PriorityClass.USER_VISIBLE, Map.of(Metric.AGE, 180.0, Metric.RUN_TIME, 90.0, Metric.ATTEMPTS, 5.0),
					PriorityClass.EVENTUAL, Map.of(Metric.AGE, 0.0)),
			Map.of("Import", Map.of(Metric.RUN_TIME, 3600.0, Metric.ATTEMPTS, 20.0)));

	static final Thresholds OF_CLASSES = new Thresholds(THRESHOLDS.classes(), Map.of());

	final TestClock clock = new TestClock();

	final TestMonitoringStore store = new TestMonitoringStore();

	final List<TierSnapshot> tiers = this.store.tiers;

	final List<TypeFailures> failures = this.store.failures;

	final List<RunningJob> running = new ArrayList<>();

	boolean empty;

	final List<JobAlertEvent> events = new ArrayList<>();

	Alerts alerts = alerts(OF_CLASSES, 2);

	Alerts alerts(Thresholds thresholds, int required) {
		return new Alerts(measurement(this.running::stream, thresholds), (queue) -> true, this.clock, INTERVAL,
				required, this.events::addAll);
	}

	AlertMeasurement measurement(Supplier<Stream<RunningJob>> running, Thresholds thresholds) {
		return new AlertMeasurement(this.store, () -> Set.of("emails"), running, thresholds, () -> this.empty);
	}

	void raise() {
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 0));
		measure();
		measure();
		assertThat(this.events).hasSize(1);
		this.events.clear();
	}

	void measure() {
		this.alerts.runOnce();
		this.clock.move(INTERVAL);
	}

	double percent(String queue, PriorityClass priority) {
		return this.alerts.percent(queue::equals, priority);
	}

	static TierSnapshot tier(String queue, int priority, @Nullable Duration maxAge, int maxFailures) {
		return new TierSnapshot(queue, priority, maxFailures, 0, maxAge, null);
	}

}
