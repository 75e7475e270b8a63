package io.jobqueue.boot.alert;

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
import io.jobqueue.store.MonitoringStore.TypeFailures;
import io.jobqueue.store.Tier;
import io.jobqueue.worker.execution.RunningJob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of alerts while it is not known how jobs fare.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownAlertsTests extends AlertTestBase {

	private static final LoggingSystem LOGGING = LoggingSystem.get(UnknownAlertsTests.class.getClassLoader());

	@BeforeEach
	void logRecoveries() {
		LOGGING.setLogLevel(AlertMeasurement.class.getName(), LogLevel.INFO);
	}

	@AfterEach
	void logAsBefore() {
		LOGGING.setLogLevel(AlertMeasurement.class.getName(), null);
	}

	@Test
	void whatIsNotKnownNeitherRaisesNorRecovers() {
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 0));
		look();
		this.store.isDown = true;
		look();
		look();
		assertThat(this.told).isEmpty();
		this.store.isDown = false;
		look();
		assertThat(this.told).hasOnlyElementsOfType(JobAlertRaised.class).hasSize(1);
		this.store.isDown = true;
		look();
		look();
		assertThat(this.told).hasSize(1);
		assertThat(this.alerts.current()).hasSize(1);
	}

	@Test
	void whatRunsHereIsKnownWithoutTheDatabase() {
		this.store.isDown = true;
		this.running.add(new RunningJob("emails", "Mail", Priority.of(15), Duration.ofSeconds(90)));
		look();
		look();
		this.running.clear();
		look();
		look();
		assertThat(this.told).extracting(JobAlertEvent::alert)
			.extracting(JobAlert::metric)
			.containsExactly(Metric.RUN_TIME, Metric.RUN_TIME);
		assertThat(this.told).hasExactlyElementsOfTypes(JobAlertRaised.class, JobAlertRecovered.class);
	}

	@Test
	void queuesThatWereLeftOutForTheirCostDoNotRecover() {
		this.tiers.add(tier("faxes", 10, Duration.ofSeconds(200), 0));
		look();
		look();
		this.tiers.clear();
		this.store.complete = false;
		look();
		look();
		assertThat(this.told).hasSize(1);
	}

	@Test
	void jobsThatNobodyLookedAtNeitherRaiseNorRecover() {
		this.alerts = alerts(THRESHOLDS, 1);
		this.tiers.add(tier("emails", 10, null, 30));
		this.failures.add(new TypeFailures(new Tier("emails", 10), "Mail", 5, 0));
		look();
		assertThat(this.told).hasOnlyElementsOfType(JobAlertRaised.class).hasSize(1);
		this.failures.set(0, new TypeFailures(new Tier("emails", 10), "Import", 30, 5));
		look();
		assertThat(this.alerts.current()).extracting(JobAlert::type).containsExactlyInAnyOrder(null, "Import");
		this.failures.set(0, new TypeFailures(new Tier("emails", 10), "Import", 30, 4));
		look();
		assertThat(this.alerts.current()).extracting(JobAlert::type).containsExactly("Import");
	}

	@Test
	void whatIsFoundIsToldThoughOthersMayBeWorse() {
		this.alerts = alerts(THRESHOLDS, 1);
		this.tiers.add(tier("emails", 10, null, 30));
		this.tiers.add(tier("emails", 11, null, 20));
		this.failures.add(new TypeFailures(new Tier("emails", 10), "Mail", 30, 25));
		this.failures.add(new TypeFailures(new Tier("emails", 11), "Import", 20, 4));
		look();
		assertThat(this.alerts.current()).extracting(JobAlert::type).containsExactlyInAnyOrder(null, "Import");
		this.failures.set(1, new TypeFailures(new Tier("emails", 11), "Import", 19, 4));
		look();
		assertThat(this.alerts.current()).extracting(JobAlert::type).containsExactlyInAnyOrder(null, "Import");
	}

	@Test
	void whatWasLookedAtRecoversThoughQueuesWereLeftOut() {
		this.alerts = alerts(OF_CLASSES, 1);
		this.store.complete = false;
		this.tiers.add(tier("faxes", 10, Duration.ofSeconds(200), 0));
		look();
		assertThat(this.alerts.current()).hasSize(1);
		this.tiers.set(0, tier("faxes", 10, Duration.ofSeconds(20), 0));
		look();
		assertThat(this.alerts.current()).isEmpty();
	}

	/**
	 * Of the queues of this application all is read, whatever is left out.
	 */
	@Test
	void queueThatHasNoJobAnyMoreRecoversThoughOthersWereLeftOut() {
		this.alerts = alerts(OF_CLASSES, 1);
		this.store.complete = false;
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 0));
		look();
		assertThat(this.alerts.current()).hasSize(1);
		this.tiers.clear();
		look();
		assertThat(this.alerts.current()).isEmpty();
	}

	@Test
	void whereTypesCannotBeReadAgesAreKnownNevertheless(CapturedOutput output) {
		this.alerts = alerts(THRESHOLDS, 1);
		this.tiers.add(tier("emails", 10, null, 20));
		this.tiers.add(tier("faxes", 10, Duration.ofSeconds(200), 4));
		this.failures.add(new TypeFailures(new Tier("emails", 10), "Import", 20, 0));
		look();
		this.store.typesAreUnreadable = true;
		look();
		look();
		assertThat(this.alerts.current()).extracting(JobAlert::queue).containsExactlyInAnyOrder("emails", "faxes");
		this.tiers.set(0, tier("emails", 10, null, 19));
		look();
		assertThat(this.alerts.current()).extracting(JobAlert::queue).containsExactly("faxes");
		assertThat(output).containsOnlyOnce("The alert state of job types is unknown").doesNotContain("\tat ");
		this.store.typesAreUnreadable = false;
		look();
		assertThat(output).containsOnlyOnce("The alert state of job types is known again");
	}

	@Test
	void percentIsNaNWhereItIsNotKnown() {
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
		look();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isZero();
		this.store.complete = false;
		look();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isZero();
		assertThat(percent("faxes", PriorityClass.USER_VISIBLE)).isNaN();
		this.store.isDown = true;
		look();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
	}

	@Test
	void lookThatWasGivenUpTellsOnlyWhatIsCrossed() {
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(90), 0));
		this.tiers.add(tier("emails", 20, Duration.ofHours(2), 8));
		this.store.complete = false;
		this.store.known = false;
		look();
		look();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
		assertThat(percent("emails", PriorityClass.REPORTING)).isNaN();
		this.tiers.set(0, tier("emails", 10, Duration.ofMinutes(3), 0));
		look();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isEqualTo(100);
	}

	@Test
	void percentIsNaNOnceNobodyLooksAnyMore() {
		this.alerts.runOnce();
		this.clock.move(INTERVAL.multipliedBy(3));
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isZero();
		this.clock.move(Duration.ofMillis(1));
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
	}

	@Test
	void percentIsNaNWhereTheClockWasPutBack() {
		this.alerts.runOnce();
		this.clock.move(Duration.ofMillis(-1));
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
		this.alerts.runOnce();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isZero();
	}

}
