package io.jobqueue.internal.boot.alert;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.jobqueue.JobAlert;
import io.jobqueue.JobAlert.Metric;
import io.jobqueue.JobAlertRaised;
import io.jobqueue.JobAlertRecovered;
import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TypeFailures;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.worker.execution.RunningJob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

/**
 * When alerts are raised and recover.
 */
@ExtendWith(OutputCaptureExtension.class)
class AlertsTests extends AlertTestBase {

	@Test
	void alertIsRaisedAfterTwoMeasurements() {
		this.tiers.add(tier("emails", 10, Duration.ofMinutes(3), 0));
		Instant crossed = this.clock.instant();
		measure();
		assertThat(this.events).isEmpty();
		assertThat(this.alerts.current()).isEmpty();
		measure();
		JobAlert alert = new JobAlert("emails", PriorityClass.USER_VISIBLE, Metric.AGE, null, 180, 180, crossed);
		assertThat(this.events).containsExactly(new JobAlertRaised(alert));
		assertThat(this.alerts.current()).containsExactly(alert);
		measure();
		assertThat(this.events).hasSize(1);
	}

	/**
	 * Run times of this JVM are measured as before.
	 */
	@Test
	void alertRecoversWithoutAskingADatabaseThatIsKnownToHoldNoJobs() {
		raise();
		this.empty = true;
		this.running.add(new RunningJob("faxes", "Fax", Priority.of(10), Duration.ofHours(1)));
		measure();
		measure();
		assertThat(this.events).hasSize(2)
			.hasAtLeastOneElementOfType(JobAlertRecovered.class)
			.hasAtLeastOneElementOfType(JobAlertRaised.class);
	}

	@Test
	void shortPeaksRaiseNothing() {
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 0));
		measure();
		this.tiers.clear();
		measure();
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 0));
		Instant crossed = this.clock.instant();
		measure();
		assertThat(this.events).isEmpty();
		measure();
		assertThat(this.events).extracting((event) -> event.alert().since()).containsExactly(crossed);
	}

	@Test
	void shortRecoveriesAreIgnored() {
		raise();
		for (int cycle = 0; cycle < 3; cycle++) {
			this.tiers.set(0, tier("emails", 10, Duration.ofSeconds(20), 0));
			measure();
			this.tiers.set(0, tier("emails", 10, Duration.ofSeconds(200), 0));
			measure();
		}
		assertThat(this.events).isEmpty();
		assertThat(this.alerts.current()).hasSize(1);
	}

	@Test
	void alertRecoversAfterTwoMeasurements() {
		raise();
		this.tiers.set(0, tier("emails", 10, Duration.ofSeconds(20), 0));
		measure();
		assertThat(this.events).isEmpty();
		assertThat(this.alerts.current()).extracting(JobAlert::value).containsExactly(20.0);
		measure();
		assertThat(this.events).singleElement()
			.isInstanceOfSatisfying(JobAlertRecovered.class,
					(event) -> assertThat(event.alert().value()).isEqualTo(20));
		assertThat(this.alerts.current()).isEmpty();
		measure();
		assertThat(this.events).hasSize(1);
	}

	@Test
	void crossingAgainResetsTheRecovery() {
		raise();
		TierSnapshot late = this.tiers.remove(0);
		measure();
		this.tiers.add(late);
		measure();
		this.tiers.clear();
		measure();
		assertThat(this.events).isEmpty();
		assertThat(this.alerts.current()).hasSize(1);
	}

	@Test
	void eachThresholdHasItsOwnState() {
		this.alerts = alerts(OF_CLASSES, 1);
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 4));
		this.tiers.add(tier("emails", 19, null, 5));
		measure();
		assertThat(this.alerts.current()).extracting(JobAlert::metric)
			.containsExactlyInAnyOrder(Metric.AGE, Metric.ATTEMPTS);
	}

	@Test
	void thresholdOfATypeReplacesThatOfTheClass() {
		this.alerts = alerts(THRESHOLDS, 1);
		this.running.add(new RunningJob("emails", "Import", Priority.of(10), Duration.ofMinutes(30)));
		this.running.add(new RunningJob("emails", "Mail", Priority.of(10), Duration.ofSeconds(89)));
		this.tiers.add(tier("emails", 10, null, 19));
		this.failures.add(new TypeFailures(new Tier("emails", 10), "Import", 19, 0));
		this.failures.add(new TypeFailures(new Tier("emails", 10), "Mail", 4, 0));
		measure();
		assertThat(this.events).isEmpty();
		this.running.set(0, new RunningJob("emails", "Import", Priority.of(10), Duration.ofHours(1)));
		this.failures.set(0, new TypeFailures(new Tier("emails", 10), "Import", 20, 0));
		this.failures.set(1, new TypeFailures(new Tier("emails", 10), "Mail", 5, 0));
		measure();
		assertThat(this.alerts.current())
			.extracting(JobAlert::metric, JobAlert::type, JobAlert::value, JobAlert::threshold)
			.containsExactlyInAnyOrder(tuple(Metric.RUN_TIME, "Import", 3600.0, 3600.0),
					tuple(Metric.ATTEMPTS, "Import", 20.0, 20.0), tuple(Metric.ATTEMPTS, null, 5.0, 5.0));
	}

	@Test
	void whereManyQueuesAreLateTheLogHasTheFirst(CapturedOutput output) {
		IntStream.range(0, 25).forEach((each) -> this.tiers.add(tier("queue-" + each, 10, Duration.ofHours(1), 0)));
		measure();
		measure();
		assertThat(this.events).hasSize(25);
		assertThat(output.getOut().lines()).filteredOn((line) -> line.contains("Raised: Alert[")).hasSize(20);
		assertThat(output).containsOnlyOnce("Raised: 5 more alerts");
		this.tiers.replaceAll((late) -> tier(late.queue(), 10, Duration.ZERO, 0));
		this.tiers.add(tier("emails", 10, Duration.ofHours(1), 0));
		measure();
		measure();
		assertThat(output).containsOnlyOnce("Raised: Alert[queue=emails").doesNotContain("Recovered: ");
	}

	@Test
	void typeWithoutAThresholdHasThatOfTheClass() {
		this.alerts = alerts(new Thresholds(THRESHOLDS.classes(), Map.of("Import", Map.of(Metric.ATTEMPTS, 20.0))), 1);
		this.running.add(new RunningJob("emails", "Import", Priority.of(10), Duration.ofSeconds(90)));
		measure();
		assertThat(this.alerts.current()).extracting(JobAlert::type, JobAlert::threshold)
			.containsExactly(tuple(null, 90.0));
	}

	@Test
	void percentIsThatOfTheNearestThreshold() {
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(45), 3));
		this.tiers.add(tier("emails", 20, Duration.ofDays(45), 0));
		this.tiers.add(tier("faxes", 10, Duration.ofMinutes(6), 0));
		measure();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isEqualTo(60);
		this.running.add(new RunningJob("emails", "Mail", Priority.of(10), Duration.ofSeconds(81)));
		measure();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isEqualTo(90);
		assertThat(percent("emails", PriorityClass.EVENTUAL)).isZero();
		assertThat(percent("faxes", PriorityClass.USER_VISIBLE)).isEqualTo(200);
		assertThat(percent("labels", PriorityClass.USER_VISIBLE)).isZero();
	}

}
