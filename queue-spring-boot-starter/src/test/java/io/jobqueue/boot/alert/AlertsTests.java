package io.jobqueue.boot.alert;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.JobAlert;
import io.jobqueue.JobAlert.Metric;
import io.jobqueue.JobAlertEvent;
import io.jobqueue.JobAlertRaised;
import io.jobqueue.JobAlertRecovered;
import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.boot.metrics.TestClock;
import io.jobqueue.store.GaugeReading;
import io.jobqueue.store.GaugeStore;
import io.jobqueue.store.Tier;
import io.jobqueue.store.TierReading;
import io.jobqueue.store.TypeFailures;
import io.jobqueue.store.WorkerCount;
import io.jobqueue.worker.RunningJob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

/**
 * When alerts are raised and recover.
 */
class AlertsTests {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private static final Thresholds THRESHOLDS = new Thresholds(
			Map.of(PriorityClass.USER_VISIBLE, Map.of(Metric.AGE, 180.0, Metric.RUN_TIME, 90.0, Metric.ATTEMPTS, 5.0),
					PriorityClass.EVENTUAL, Map.of(Metric.AGE, 0.0)),
			Map.of("Import", Map.of(Metric.RUN_TIME, 3600.0, Metric.ATTEMPTS, 20.0)));

	private static final Thresholds OF_CLASSES = new Thresholds(THRESHOLDS.classes(), Map.of());

	private final TestClock clock = new TestClock();

	private final List<TierReading> tiers = new ArrayList<>();

	private final List<TypeFailures> failures = new ArrayList<>();

	private final List<RunningJob> running = new ArrayList<>();

	private final List<JobAlertEvent> told = new ArrayList<>();

	private boolean databaseIsDown;

	private boolean complete = true;

	private Alerts alerts = alerts(OF_CLASSES, 2);

	@Test
	void alertIsRaisedOnceItHasHeld() {
		this.tiers.add(tier("emails", 10, Duration.ofMinutes(3), 0));
		Instant crossed = this.clock.instant();
		look();
		assertThat(this.told).isEmpty();
		assertThat(this.alerts.current()).isEmpty();
		look();
		JobAlert alert = new JobAlert("emails", PriorityClass.USER_VISIBLE, Metric.AGE, null, 180, 180, crossed);
		assertThat(this.told).containsExactly(new JobAlertRaised(alert));
		assertThat(this.alerts.current()).containsExactly(alert);
		look();
		assertThat(this.told).hasSize(1);
	}

	@Test
	void whatComesAndGoesIsNotTold() {
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 0));
		look();
		this.tiers.clear();
		look();
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 0));
		look();
		assertThat(this.told).isEmpty();
	}

	@Test
	void alertRecoversOnceThatHasHeld() {
		raise();
		this.tiers.set(0, tier("emails", 10, Duration.ofSeconds(20), 0));
		look();
		assertThat(this.told).isEmpty();
		assertThat(this.alerts.current()).extracting(JobAlert::value).containsExactly(20.0);
		look();
		assertThat(this.told).singleElement()
			.isInstanceOfSatisfying(JobAlertRecovered.class,
					(event) -> assertThat(event.alert().value()).isEqualTo(20));
		assertThat(this.alerts.current()).isEmpty();
		look();
		assertThat(this.told).hasSize(1);
	}

	@Test
	void recoveryBeginsAnewWhenTheThresholdIsCrossedAgain() {
		raise();
		TierReading late = this.tiers.remove(0);
		look();
		this.tiers.add(late);
		look();
		this.tiers.clear();
		look();
		assertThat(this.told).isEmpty();
		assertThat(this.alerts.current()).hasSize(1);
	}

	@Test
	void whatIsNotKnownNeitherRaisesNorRecovers() {
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 0));
		look();
		this.databaseIsDown = true;
		look();
		look();
		assertThat(this.told).isEmpty();
		this.databaseIsDown = false;
		look();
		assertThat(this.told).hasOnlyElementsOfType(JobAlertRaised.class).hasSize(1);
		this.databaseIsDown = true;
		look();
		look();
		assertThat(this.told).hasSize(1);
		assertThat(this.alerts.current()).hasSize(1);
	}

	@Test
	void whatRunsHereIsKnownWithoutTheDatabase() {
		this.databaseIsDown = true;
		this.running.add(new RunningJob("emails", "Mail", Priority.of(15), Duration.ofSeconds(90)));
		look();
		look();
		this.running.clear();
		look();
		look();
		assertThat(this.told).extracting(JobAlertEvent::alert)
			.extracting(JobAlert::metric)
			.containsExactly(Metric.RUN_TIME, Metric.RUN_TIME);
	}

	@Test
	void queuesThatWereLeftOutForTheirCostDoNotRecover() {
		this.tiers.add(tier("faxes", 10, Duration.ofSeconds(200), 0));
		look();
		look();
		this.tiers.clear();
		this.complete = false;
		look();
		look();
		assertThat(this.told).hasSize(1);
	}

	@Test
	void eachThresholdIsWatchedByItself() {
		this.alerts = alerts(OF_CLASSES, 1);
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 4));
		this.tiers.add(tier("emails", 19, null, 5));
		look();
		assertThat(this.alerts.current()).extracting(JobAlert::metric)
			.containsExactlyInAnyOrder(Metric.AGE, Metric.ATTEMPTS);
	}

	@Test
	void thresholdOfATypeReplacesThatOfTheClass() {
		this.alerts = alerts(THRESHOLDS, 1);
		this.running.add(new RunningJob("emails", "Import", Priority.of(10), Duration.ofMinutes(30)));
		this.running.add(new RunningJob("emails", "Mail", Priority.of(10), Duration.ofSeconds(89)));
		this.tiers.add(tier("emails", 10, null, 19));
		this.failures.add(new TypeFailures(new Tier("emails", 10), "Import", 19));
		this.failures.add(new TypeFailures(new Tier("emails", 10), "Mail", 4));
		look();
		assertThat(this.told).isEmpty();
		this.running.set(0, new RunningJob("emails", "Import", Priority.of(10), Duration.ofHours(1)));
		this.failures.set(0, new TypeFailures(new Tier("emails", 10), "Import", 20));
		this.failures.set(1, new TypeFailures(new Tier("emails", 10), "Mail", 5));
		look();
		assertThat(this.alerts.current())
			.extracting(JobAlert::metric, JobAlert::type, JobAlert::value, JobAlert::threshold)
			.containsExactlyInAnyOrder(tuple(Metric.RUN_TIME, "Import", 3600.0, 3600.0),
					tuple(Metric.ATTEMPTS, "Import", 20.0, 20.0), tuple(Metric.ATTEMPTS, null, 5.0, 5.0));
	}

	@Test
	void percentIsThatOfTheNearestThreshold() {
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(45), 3));
		this.tiers.add(tier("emails", 20, Duration.ofDays(45), 0));
		this.tiers.add(tier("faxes", 10, Duration.ofMinutes(6), 0));
		look();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isEqualTo(60);
		this.running.add(new RunningJob("emails", "Mail", Priority.of(10), Duration.ofSeconds(81)));
		look();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isEqualTo(90);
		assertThat(percent("emails", PriorityClass.EVENTUAL)).isZero();
		assertThat(percent("faxes", PriorityClass.USER_VISIBLE)).isEqualTo(200);
		assertThat(percent("labels", PriorityClass.USER_VISIBLE)).isZero();
	}

	@Test
	void percentIsNaNWhereItIsNotKnown() {
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
		look();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isZero();
		this.complete = false;
		look();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isZero();
		assertThat(percent("faxes", PriorityClass.USER_VISIBLE)).isNaN();
		this.databaseIsDown = true;
		look();
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
	}

	@Test
	void percentIsNaNOnceNobodyLooksAnyMore() {
		this.alerts.runOnce();
		this.clock.move(INTERVAL.multipliedBy(3));
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isZero();
		this.clock.move(Duration.ofMillis(1));
		assertThat(percent("emails", PriorityClass.USER_VISIBLE)).isNaN();
	}

	private Alerts alerts(Thresholds thresholds, int looks) {
		Look look = new Look(new TestStore(), () -> Set.of("emails"), this.running::stream, thresholds);
		return new Alerts(look, this.clock, INTERVAL, looks, this.told::addAll);
	}

	private void raise() {
		this.tiers.add(tier("emails", 10, Duration.ofSeconds(200), 0));
		look();
		look();
		assertThat(this.told).hasSize(1);
		this.told.clear();
	}

	private void look() {
		this.alerts.runOnce();
		this.clock.move(INTERVAL);
	}

	private double percent(String queue, PriorityClass priority) {
		return this.alerts.percent(queue::equals, priority);
	}

	private static TierReading tier(String queue, int priority, @Nullable Duration maxAge, int maxFailures) {
		return new TierReading(queue, priority, maxFailures, maxAge, null);
	}

	private final class TestStore implements GaugeStore {

		@Override
		public GaugeReading look(Collection<String> queues) {
			if (AlertsTests.this.databaseIsDown) {
				throw new DataAccessResourceFailureException("The database is down");
			}
			return new GaugeReading(List.copyOf(AlertsTests.this.tiers), AlertsTests.this.complete);
		}

		@Override
		public GaugeReading read(Collection<String> queues) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<TypeFailures> failuresByType(Collection<Tier> tiers) {
			return AlertsTests.this.failures;
		}

		@Override
		public WorkerCount workers(String name) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<String> servedQueues() {
			throw new UnsupportedOperationException();
		}

	}

}
