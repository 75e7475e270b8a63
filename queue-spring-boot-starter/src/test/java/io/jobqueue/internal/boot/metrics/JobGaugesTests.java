package io.jobqueue.internal.boot.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.jobqueue.Priority;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore.DeadJobs;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.MonitoringStore.Unresolved;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.worker.execution.RunningJob;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class JobGaugesTests {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private final TestMonitoringStore store = new TestMonitoringStore();

	private final List<RunningJob> running = new ArrayList<>();

	private final Map<String, Double> percents = new HashMap<>();

	private final List<QueuePause> pauses = new ArrayList<>();

	private int looks;

	private final TestClock clock = new TestClock();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final JobGauges gauges = new JobGauges(this.store, () -> List.copyOf(this.pauses),
			new TagValues(new TestNames()), new CachedValue.Factory(this.clock, INTERVAL, Runnable::run), this::running,
			(queues, priority) -> percent(queues));

	@Test
	void declaredQueuesAreZeroFilled() {
		this.gauges.bindTo(this.registry);
		assertThat(queues()).containsExactlyInAnyOrder("emails", "(other)");
		assertThat(this.registry.getMeters()).hasSize(2 * (4 * 12 + 2) + 1)
			.allSatisfy((meter) -> assertThat(value(meter)).isZero());
	}

	@Test
	void tagsAreLowerCase() {
		this.gauges.bindTo(this.registry);
		assertThat(tagValues("priority")).containsExactlyInAnyOrder("interactive", "user_visible", "eventual",
				"reporting");
		assertThat(tagValues("state")).containsExactlyInAnyOrder("scheduled", "ready", "running", "retrying",
				"blocked");
	}

	@Test
	void prioritiesOfAClassAreAddedUp() {
		this.store.tiers.add(tier("emails", 10, 3, Duration.ofMillis(1500), 1, 2, 3, 4, 5));
		this.store.tiers.add(tier("emails", 19, 2, Duration.ofSeconds(3), 10, 20, 30, 40, 50));
		this.store.tiers.add(tier("emails", 20, 9, null, 0, 0, 0, 100, 0));
		this.gauges.bindTo(this.registry);
		assertThat(gauge("jobqueue.jobs.max.attempts", "emails", "user_visible")).isEqualTo(3);
		assertThat(gauge("jobqueue.jobs.max.age", "emails", "user_visible")).isEqualTo(3);
		assertThat(count("emails", "scheduled")).isEqualTo(11);
		assertThat(count("emails", "ready")).isEqualTo(22);
		assertThat(count("emails", "running")).isEqualTo(33);
		assertThat(count("emails", "retrying")).isEqualTo(44);
		assertThat(count("emails", "blocked")).isEqualTo(55);
		assertThat(gauge("jobqueue.jobs.max.attempts", "emails", "eventual")).isEqualTo(9);
		assertThat(gauge("jobqueue.jobs.max.age", "emails", "eventual")).isZero();
	}

	@Test
	void cappedNumbersAreMarked() {
		this.store.tiers.add(tier("emails", 10, 0, null, 1, 2, 3, 4, 0).with(new TierCounts(new JobCount(1, false),
				new JobCount(10_000, true), new JobCount(3, false), new JobCount(4, false), new JobCount(5, false))));
		this.store.tiers.add(tier("emails", 11, 0, null, 1, 2, 3, 4, 0));
		this.gauges.bindTo(this.registry);
		assertThat(count("emails", "ready")).isEqualTo(10_002);
		assertThat(gauge("jobqueue.jobs.capped", "emails", "user_visible")).isOne();
		assertThat(gauge("jobqueue.jobs.capped", "emails", "eventual")).isZero();
	}

	@Test
	void agesAndAttemptsAreKnownWithoutCounts() {
		this.store.tiers.add(new TierSnapshot("emails", 10, 3, 4, Duration.ofSeconds(2), null));
		this.store.tiers.add(new TierSnapshot("emails", 11, 3, 5, Duration.ofSeconds(2), null));
		this.gauges.bindTo(this.registry);
		assertThat(gauge("jobqueue.jobs.max.releases", "emails", "user_visible")).isEqualTo(5);
		assertThat(gauge("jobqueue.jobs.max.attempts", "emails", "user_visible")).isEqualTo(3);
		assertThat(gauge("jobqueue.jobs.max.age", "emails", "user_visible")).isEqualTo(2);
		assertThat(count("emails", "ready")).isNaN();
		assertThat(gauge("jobqueue.jobs.capped", "emails", "user_visible")).isNaN();
	}

	@Test
	void othersAreUnknownWhereNotAllOfThemWereRead() {
		this.store.complete = false;
		this.store.tiers.add(tier("faxes", 10, 3, null, 1, 2, 3, 4, 0));
		this.gauges.bindTo(this.registry);
		assertThat(gauge("jobqueue.jobs.max.attempts", "(other)", "user_visible")).isNaN();
		assertThat(gauge("jobqueue.jobs.max.attempts", "emails", "user_visible")).isZero();
	}

	@Test
	void tiersThatAnAbortedScanHasNotReadAreUnknown() {
		this.store.complete = false;
		this.store.known = false;
		this.store.tiers.add(tier("emails", 10, 3, null, 1, 2, 3, 4, 0));
		this.gauges.bindTo(this.registry);
		assertThat(gauge("jobqueue.jobs.max.attempts", "emails", "user_visible")).isEqualTo(3);
		assertThat(gauge("jobqueue.jobs.max.attempts", "emails", "eventual")).isNaN();
	}

	@Test
	void queueThatIsAddedAtRunTimeRegistersNoOtherGaugeAgain(CapturedOutput output) {
		LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
		logging.setLogLevel(MeterRegistry.class.getName(), LogLevel.DEBUG);
		try {
			this.gauges.bindTo(this.registry);
			this.store.served.add("faxes");
			this.clock.move(INTERVAL);
			assertThat(count("(other)", "scheduled")).isZero();
			assertThat(queues()).containsExactlyInAnyOrder("emails", "faxes", "(other)");
		}
		finally {
			logging.setLogLevel(MeterRegistry.class.getName(), null);
		}
		assertThat(output).doesNotContain("already registered");
	}

	@Test
	void ageIsInSeconds() {
		this.store.tiers.add(tier("emails", 0, 0, Duration.ofMillis(1500), 0, 1, 0, 0, 0));
		this.gauges.bindTo(this.registry);
		assertThat(gauge("jobqueue.jobs.max.age", "emails", "interactive")).isEqualTo(1.5);
		assertThat(this.registry.get("jobqueue.jobs.max.age").gauges())
			.allSatisfy((age) -> assertThat(age.getId().getBaseUnit()).isEqualTo("seconds"));
	}

	@Test
	void alertsOfUndeclaredQueuesAreThoseOfOthers() {
		this.percents.putAll(Map.of("emails", 50.0, "faxes", 200.0, "one", 70.0, "two", 120.0));
		this.gauges.bindTo(this.registry);
		assertThat(gauge("jobqueue.jobs.alert.percent", "(other)", "user_visible")).isEqualTo(200);
		this.store.served.add("faxes");
		this.clock.move(INTERVAL);
		assertThat(count("(other)", "scheduled")).isZero();
		assertThat(gauge("jobqueue.jobs.alert.percent", "emails", "user_visible")).isEqualTo(50);
		assertThat(gauge("jobqueue.jobs.alert.percent", "faxes", "user_visible")).isEqualTo(200);
		assertThat(gauge("jobqueue.jobs.alert.percent", "(other)", "user_visible")).isEqualTo(120);
	}

	@Test
	void undeclaredQueuesAreOthers() {
		this.store.tiers.add(tier("one", 10, 1, Duration.ofSeconds(1), 1, 0, 0, 0, 0));
		this.store.tiers.add(tier("two", 10, 2, Duration.ofSeconds(2), 2, 0, 0, 0, 0));
		this.gauges.bindTo(this.registry);
		assertThat(count("(other)", "scheduled")).isEqualTo(3);
		assertThat(gauge("jobqueue.jobs.max.attempts", "(other)", "user_visible")).isEqualTo(2);
		assertThat(queues()).containsExactlyInAnyOrder("emails", "(other)");
	}

	@Test
	void queueThatAnotherNodeBeginsToServeGetsItsMeters() {
		this.store.tiers.add(tier("plugins", 10, 0, null, 7, 0, 0, 0, 0));
		this.gauges.bindTo(this.registry);
		assertThat(count("(other)", "scheduled")).isEqualTo(7);
		this.store.served.add("plugins");
		this.clock.move(INTERVAL);
		assertThat(count("(other)", "scheduled")).isZero();
		assertThat(count("plugins", "scheduled")).isEqualTo(7);
	}

	@Test
	void longestRunIsThatOfThisNode() {
		this.running.add(running("emails", Priority.INTERACTIVE, Duration.ofSeconds(3)));
		this.running.add(running("emails", Priority.of(9), Duration.ofMillis(4500)));
		this.running.add(running("emails", Priority.USER_VISIBLE, Duration.ofSeconds(60)));
		this.running.add(running("faxes", Priority.INTERACTIVE, Duration.ofSeconds(70)));
		this.store.isDown = true;
		this.gauges.bindTo(this.registry);
		assertThat(gauge("jobqueue.jobs.max.run.time", "emails", "interactive")).isEqualTo(4.5);
		assertThat(gauge("jobqueue.jobs.max.run.time", "emails", "user_visible")).isEqualTo(60);
		assertThat(gauge("jobqueue.jobs.max.run.time", "emails", "reporting")).isZero();
		assertThat(gauge("jobqueue.jobs.max.run.time", "(other)", "interactive")).isEqualTo(70);
	}

	@Test
	void whatNeedsAnOperatorIsSummedUp() {
		this.store.unresolved = new Unresolved(
				List.of(dead("emails", 10, 2), dead("emails", 19, 3), dead("one", 10, 10_000), dead("two", 10, 1)),
				true, Map.of("emails", 4L, "one", 5L, "two", 6L), true, Duration.ofMillis(1500));
		this.gauges.bindTo(this.registry);
		assertThat(gauge("jobqueue.jobs.dead.archived", "emails", "user_visible")).isEqualTo(5);
		assertThat(gauge("jobqueue.jobs.dead.archived", "emails", "eventual")).isZero();
		assertThat(gauge("jobqueue.jobs.dead.archived", "(other)", "user_visible")).isEqualTo(10_001);
		assertThat(waitingForFailed("emails")).isEqualTo(4);
		assertThat(waitingForFailed("(other)")).isEqualTo(11);
		assertThat(this.registry.get("jobqueue.batches.oldest.open.age").gauge().value()).isEqualTo(1.5);
	}

	@Test
	void whatTheCapHidesIsUnknown() {
		this.store.unresolved = new Unresolved(List.of(dead("one", 10, 2)), false, Map.of("one", 10_000L), false,
				Duration.ZERO);
		this.gauges.bindTo(this.registry);
		assertThat(gauge("jobqueue.jobs.dead.archived", "emails", "user_visible")).isNaN();
		assertThat(gauge("jobqueue.jobs.dead.archived", "(other)", "user_visible")).isEqualTo(2);
		assertThat(waitingForFailed("emails")).isNaN();
		assertThat(waitingForFailed("(other)")).isEqualTo(10_000);
	}

	@Test
	void whatNeedsAnOperatorMayBeUnknownAlone() {
		this.store.unresolved = null;
		this.gauges.bindTo(this.registry);
		assertThat(gauge("jobqueue.jobs.dead.archived", "emails", "user_visible")).isNaN();
		assertThat(waitingForFailed("emails")).isNaN();
		assertThat(this.registry.get("jobqueue.batches.oldest.open.age").gauge().value()).isNaN();
		assertThat(gauge("jobqueue.jobs.max.attempts", "emails", "user_visible")).isZero();
	}

	@Test
	void runningJobsAreReadOnceForAllGauges() {
		this.gauges.bindTo(this.registry);
		this.registry.getMeters().forEach(JobGaugesTests::value);
		assertThat(this.looks).isPositive().isLessThan(8);
	}

	@Test
	void allComesFromOneReading() {
		this.gauges.bindTo(this.registry);
		assertThat(count("emails", "ready")).isZero();
		this.store.tiers.add(tier("emails", 10, 1, null, 0, 1, 0, 0, 0));
		this.pauses.add(new QueuePause("emails", null, Instant.EPOCH, null, null));
		this.registry.getMeters().forEach((meter) -> assertThat(value(meter)).isZero());
		this.clock.move(INTERVAL);
		assertThat(count("emails", "ready")).isOne();
		assertThat(this.registry.get("jobqueue.queue.paused").tag("queue", "emails").gauge().value()).isOne();
	}

	@Test
	void whatIsNotKnownIsNaN() {
		this.gauges.bindTo(this.registry);
		this.store.isDown = true;
		assertThat(this.registry.getMeters())
			.filteredOn((meter) -> !meter.getId().getName().equals("jobqueue.jobs.max.run.time"))
			.allSatisfy((meter) -> assertThat(value(meter)).isNaN());
		this.store.isDown = false;
		this.clock.move(INTERVAL);
		assertThat(this.registry.getMeters()).allSatisfy((meter) -> assertThat(value(meter)).isZero());
	}

	@Test
	void gaugesLiveAsLongAsTheirRegistry() {
		this.gauges.bindTo(this.registry);
		GarbageCollection.run();
		assertThat(this.registry.getMeters()).allSatisfy((meter) -> assertThat(value(meter)).isZero());
	}

	private Stream<RunningJob> running() {
		this.looks++;
		return this.running.stream();
	}

	private double percent(Predicate<String> queues) {
		if (this.store.isDown) {
			return Double.NaN;
		}
		return this.percents.entrySet()
			.stream()
			.filter((each) -> queues.test(each.getKey()))
			.mapToDouble(Map.Entry::getValue)
			.max()
			.orElse(0);
	}

	private static TierSnapshot tier(String queue, int priority, int maxFailures, @Nullable Duration maxAge,
			long scheduled, long ready, long running, long retrying, long blocked) {
		return new TierSnapshot(queue, priority, maxFailures, 0, maxAge,
				new TierCounts(new JobCount(scheduled, false), new JobCount(ready, false), new JobCount(running, false),
						new JobCount(retrying, false), new JobCount(blocked, false)));
	}

	private static DeadJobs dead(String queue, int priority, long jobs) {
		return new DeadJobs(new Tier(queue, priority), jobs);
	}

	private double waitingForFailed(String queue) {
		return this.registry.get("jobqueue.jobs.waiting.for.failed").tag("queue", queue).gauge().value();
	}

	private static RunningJob running(String queue, Priority priority, Duration time) {
		return new RunningJob(queue, "Mail", priority, time);
	}

	private double count(String queue, String state) {
		return ofState("jobqueue.jobs", queue, state);
	}

	private double ofState(String name, String queue, String state) {
		return this.registry.get(name).tags("queue", queue, "priority", "user_visible", "state", state).gauge().value();
	}

	private double gauge(String name, String queue, String priority) {
		return this.registry.get(name).tags("queue", queue, "priority", priority).gauge().value();
	}

	private Set<String> queues() {
		return tagValues("queue");
	}

	private Set<String> tagValues(String key) {
		return this.registry.getMeters()
			.stream()
			.map((meter) -> meter.getId().getTag(key))
			.filter((value) -> value != null)
			.collect(Collectors.toSet());
	}

	private static double value(Meter meter) {
		return meter.measure().iterator().next().getValue();
	}

}
