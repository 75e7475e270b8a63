package io.jobqueue.internal.boot.alert;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.jobqueue.JobAlert;
import io.jobqueue.JobAlert.Metric;
import io.jobqueue.JobAlertEvent;
import io.jobqueue.JobAlertRaised;
import io.jobqueue.JobAlertRecovered;
import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.internal.store.MonitoringStore.TypeFailures;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.worker.execution.RunningJob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Alerts while values are unknown.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownAlertsTests extends AlertTestBase {

	private static final LoggingSystem LOGGING = LoggingSystem.get(UnknownAlertsTests.class.getClassLoader());

	@BeforeEach
	void logRecoveries() {
		LOGGING.setLogLevel(AlertMeasurement.class.getName(), LogLevel.INFO);
	}

	@AfterEach
	void resetLogging() {
		LOGGING.setLogLevel(AlertMeasurement.class.getName(), null);
	}

	@Test
	void unknownValuesNeitherRaiseNorRecover() {
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 0));
		measure();
		this.store.isDown = true;
		measure();
		measure();
		assertThat(this.events).isEmpty();
		this.store.isDown = false;
		measure();
		assertThat(this.events).hasOnlyElementsOfType(JobAlertRaised.class).hasSize(1);
		this.store.isDown = true;
		measure();
		measure();
		assertThat(this.events).hasSize(1);
		assertThat(this.alerts.current()).hasSize(1);
	}

	@Test
	void runTimesAreKnownWithoutTheDatabase() {
		this.store.isDown = true;
		this.running.add(new RunningJob("emails", "Mail", Priority.of(15), Duration.ofSeconds(90)));
		measure();
		measure();
		this.running.clear();
		measure();
		measure();
		assertThat(this.events).extracting(JobAlertEvent::alert)
			.extracting(JobAlert::metric)
			.containsExactly(Metric.RUN_TIME, Metric.RUN_TIME);
		assertThat(this.events).hasExactlyElementsOfTypes(JobAlertRaised.class, JobAlertRecovered.class);
	}

	@Test
	void queuesThatWereLeftOutForTheirCostDoNotRecover() {
		this.tiers.add(tier("faxes", 10, Duration.ofSeconds(200), 0));
		measure();
		measure();
		this.tiers.clear();
		this.store.complete = false;
		measure();
		measure();
		assertThat(this.events).hasSize(1);
	}

	@Test
	void jobsThatWereNotReadNeitherRaiseNorRecover() {
		this.alerts = alerts(THRESHOLDS, 1);
		this.tiers.add(tier("emails", 10, null, 30));
		this.failures.add(new TypeFailures(new Tier("emails", 10), "Mail", 5, 0));
		measure();
		assertThat(this.events).hasOnlyElementsOfType(JobAlertRaised.class).hasSize(1);
		this.failures.set(0, new TypeFailures(new Tier("emails", 10), "Import", 30, 5));
		measure();
		assertThat(this.alerts.current()).extracting(JobAlert::type).containsExactlyInAnyOrder(null, "Import");
		this.failures.set(0, new TypeFailures(new Tier("emails", 10), "Import", 30, 4));
		measure();
		assertThat(this.alerts.current()).extracting(JobAlert::type).containsExactly("Import");
	}

	@Test
	void knownValuesRaiseAlthoughUnreadOnesMayBeHigher() {
		this.alerts = alerts(THRESHOLDS, 1);
		this.tiers.add(tier("emails", 10, null, 30));
		this.tiers.add(tier("emails", 11, null, 20));
		this.failures.add(new TypeFailures(new Tier("emails", 10), "Mail", 30, 25));
		this.failures.add(new TypeFailures(new Tier("emails", 11), "Import", 20, 4));
		measure();
		assertThat(this.alerts.current()).extracting(JobAlert::type).containsExactlyInAnyOrder(null, "Import");
		this.failures.set(1, new TypeFailures(new Tier("emails", 11), "Import", 19, 4));
		measure();
		assertThat(this.alerts.current()).extracting(JobAlert::type).containsExactlyInAnyOrder(null, "Import");
	}

	@Test
	void queueThatWasReadRecoversAlthoughOthersWereLeftOut() {
		this.alerts = alerts(OF_CLASSES, 1);
		this.store.complete = false;
		this.tiers.add(tier("faxes", 10, Duration.ofSeconds(200), 0));
		measure();
		assertThat(this.alerts.current()).hasSize(1);
		this.tiers.set(0, tier("faxes", 10, Duration.ofSeconds(20), 0));
		measure();
		assertThat(this.alerts.current()).isEmpty();
	}

	/**
	 * Of the queues of this application all is read, whatever is left out.
	 */
	@Test
	void emptyQueueRecoversAlthoughOthersWereLeftOut() {
		this.alerts = alerts(OF_CLASSES, 1);
		this.store.complete = false;
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 0));
		measure();
		assertThat(this.alerts.current()).hasSize(1);
		this.tiers.clear();
		measure();
		assertThat(this.alerts.current()).isEmpty();
	}

	@Test
	void agesAreKnownWithoutTypes(CapturedOutput output) {
		this.alerts = alerts(THRESHOLDS, 1);
		this.tiers.add(tier("emails", 10, null, 20));
		this.tiers.add(tier("faxes", 10, Duration.ofSeconds(200), 4));
		this.failures.add(new TypeFailures(new Tier("emails", 10), "Import", 20, 0));
		measure();
		this.store.typesAreUnreadable = true;
		measure();
		measure();
		assertThat(this.alerts.current()).extracting(JobAlert::queue).containsExactlyInAnyOrder("emails", "faxes");
		this.tiers.set(0, tier("emails", 10, null, 19));
		measure();
		assertThat(this.alerts.current()).extracting(JobAlert::queue).containsExactly("faxes");
		assertThat(output).containsOnlyOnce("The alert state of job types is unknown").doesNotContain("\tat ");
		this.store.typesAreUnreadable = false;
		measure();
		assertThat(output).containsOnlyOnce("The alert state of job types is known again");
	}

	@Test
	void unknownPercentIsNaN() {
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
		measure();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isZero();
		this.store.complete = false;
		measure();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isZero();
		assertThat(percent("faxes", PriorityClass.USER_VISIBLE)).isNaN();
		this.store.isDown = true;
		measure();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
	}

	@Test
	void incompleteMeasurementShowsOnlyCrossedThresholds() {
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(90), 0));
		this.tiers.add(tier("emails", 20, Duration.ofHours(2), 8));
		this.store.complete = false;
		this.store.known = false;
		measure();
		measure();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
		assertThat(percent("emails", PriorityClass.REPORTING)).isNaN();
		this.tiers.set(0, tier("emails", 10, Duration.ofMinutes(3), 0));
		measure();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isEqualTo(100);
	}

	@Test
	void percentIsNaNOnceMeasurementsStop() {
		this.alerts.runOnce();
		this.clock.move(INTERVAL.multipliedBy(3));
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isZero();
		this.clock.move(Duration.ofMillis(1));
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
	}

	@Test
	void percentIsNaNAfterTheClockWasSetBack() {
		this.alerts.runOnce();
		this.clock.move(Duration.ofMillis(-1));
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
		this.alerts.runOnce();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isZero();
	}

}
