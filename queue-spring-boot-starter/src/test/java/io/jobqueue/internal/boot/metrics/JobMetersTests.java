package io.jobqueue.internal.boot.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.worker.completion.RunOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

@ExtendWith(OutputCaptureExtension.class)
class JobMetersTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final TestNames names = new TestNames();

	private final TagValues tags = new TagValues(this.names);

	private final JobMeters meters = new JobMeters(this.tags);

	@Test
	void declaredNamesBeginWithZero() {
		this.meters.bindTo(this.registry);
		assertThat(counter("retried", "emails", "Mail")).isZero();
		assertThat(counter("dead", "emails", "Mail")).isZero();
		assertThat(counter("reaped", "emails", "Mail")).isZero();
		assertThat(timer("jobqueue.enqueue", "queue", "emails").count()).isZero();
		assertThat(timer("jobqueue.claim", "queue", "emails").count()).isZero();
		assertThat(this.registry.find("jobqueue.job.wait").timers()).isEmpty();
		assertThat(this.registry.getMeters()).hasSize(14);
	}

	@Test
	void undeclaredNamesBeginWithZero() {
		this.meters.bindTo(this.registry);
		for (String counter : List.of("retried", "dead", "reaped")) {
			assertThat(counter(counter, "emails", "(other)")).isZero();
			assertThat(counter(counter, "(other)", "(other)")).isZero();
		}
	}

	@Test
	void queuesOfOtherApplicationsAreCountedAndNotTimed() {
		this.meters.bindTo(this.registry);
		this.tags.addForeign(List.of("invoices"));
		assertThat(counter("dead", "invoices", "(other)")).isZero();
		assertThat(timers("invoices")).isEmpty();
		this.meters.enqueued(Map.of("invoices", "Mail"), SECOND);
		assertThat(timers("invoices")).containsExactly("jobqueue.enqueue");
	}

	@Test
	void queueOfAnotherApplicationIsTimedOnceThisOneDeclaresIt() {
		this.meters.bindTo(this.registry);
		this.tags.addForeign(List.of("invoices"));
		this.names.ofPayloads.add("invoices");
		this.tags.refresh();
		assertThat(timers("invoices")).contains("jobqueue.enqueue", "jobqueue.claim");
	}

	private List<String> timers(String queue) {
		return Search.in(this.registry)
			.tag("queue", queue)
			.timers()
			.stream()
			.map((timer) -> timer.getId().getName())
			.toList();
	}

	@Test
	void ticksAreTimedAndCounted() {
		this.meters.bindTo(this.registry);
		assertThat(this.registry.get("jobqueue.recurring.lateness").timer().count()).isZero();
		assertThat(this.registry.get("jobqueue.recurring.skipped").counter().count()).isZero();
		this.meters.ticked(SECOND);
		this.meters.left(2, 3);
		this.meters.left(0, 1);
		assertThat(this.registry.get("jobqueue.recurring.lateness").timer().totalTime(TimeUnit.SECONDS)).isOne();
		assertThat(this.registry.get("jobqueue.recurring.skipped").counter().count()).isEqualTo(2);
		assertThat(this.registry.get("jobqueue.recurring.missed").counter().count()).isEqualTo(4);
	}

	@Test
	void runsAreTimedByTheirOutcome() {
		this.meters.bindTo(this.registry);
		int runs = 0;
		for (RunOutcome outcome : RunOutcome.values()) {
			runs++;
			for (int run = 0; run < runs; run++) {
				this.meters.ended(job("emails", "Mail"), outcome, SECOND);
			}
		}
		assertThat(runs("succeeded")).isEqualTo(1);
		assertThat(runs("retried")).isEqualTo(2 + 3);
		assertThat(runs("dead")).isEqualTo(4);
		assertThat(runs("snoozed")).isEqualTo(5);
		assertThat(runs("cancelled")).isEqualTo(6);
		assertThat(runs("lost")).isEqualTo(7);
		assertThat(counter("retried", "emails", "Mail")).isEqualTo(2);
		assertThat(counter("dead", "emails", "Mail")).isEqualTo(4);
		assertThat(counter("reaped", "emails", "Mail")).isZero();
	}

	@Test
	void expectedFailureIsNotCountedAsARetry() {
		this.meters.bindTo(this.registry);
		this.meters.ended(job("emails", "Mail"), RunOutcome.EXPECTED, SECOND);
		assertThat(runs("retried")).isOne();
		assertThat(counter("retried", "emails", "Mail")).isZero();
	}

	@Test
	void waitsAreTimedByPriorityClass() {
		this.meters.bindTo(this.registry);
		this.meters.begins(job("emails", "Mail"), SECOND);
		assertThat(timer("jobqueue.job.wait", "priority", "eventual").count()).isOne();
		assertThat(seconds("jobqueue.job.wait", "priority", "eventual")).isOne();
		assertThat(this.registry.get("jobqueue.job.wait").timers()).hasSize(1);
	}

	@Test
	void claimsAreTimedByQueue() {
		this.meters.bindTo(this.registry);
		this.meters.claimed("emails", SECOND);
		this.meters.claimed("faxes", SECOND.multipliedBy(2));
		assertThat(seconds("jobqueue.claim", "queue", "emails")).isOne();
		assertThat(seconds("jobqueue.claim", "queue", "(other)")).isEqualTo(2);
	}

	@Test
	void everyRegistryRecordsEverything() {
		SimpleMeterRegistry another = new SimpleMeterRegistry();
		this.meters.bindTo(another);
		this.meters.bindTo(this.registry);
		this.meters.claimed("emails", SECOND);
		assertThat(seconds("jobqueue.claim", "queue", "emails")).isOne();
		assertThat(another.get("jobqueue.claim").timer().count()).isOne();
	}

	@Test
	void enabledBucketsHaveBounds() {
		PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		prometheus.config().meterFilter(new Histograms());
		this.meters.bindTo(prometheus);
		this.meters.begins(job("emails", "Mail"), SECOND);
		this.meters.ended(job("emails", "Mail"), RunOutcome.SUCCEEDED, SECOND);
		assertThat(buckets(prometheus, "jobqueue_job_run")).startsWith(0.001).endsWith(1800, Double.POSITIVE_INFINITY);
		assertThat(buckets(prometheus, "jobqueue_job_wait")).startsWith(0.001).endsWith(3600, Double.POSITIVE_INFINITY);
		assertThat(buckets(prometheus, "jobqueue_enqueue")).startsWith(0.0001).endsWith(10, Double.POSITIVE_INFINITY);
		assertThat(buckets(prometheus, "jobqueue_claim")).startsWith(0.0001).endsWith(10, Double.POSITIVE_INFINITY);
	}

	private static double[] buckets(PrometheusMeterRegistry prometheus, String name) {
		return prometheus.scrape()
			.lines()
			.filter((line) -> line.startsWith(name + "_seconds_bucket{"))
			.map((line) -> line.replaceAll(".*le=\"([^\"]+)\".*", "$1").replace("+Inf", "Infinity"))
			.mapToDouble(Double::parseDouble)
			.distinct()
			.sorted()
			.toArray();
	}

	@Test
	void callToSeveralQueuesIsOneCall() {
		this.meters.bindTo(this.registry);
		this.meters.enqueued(Map.of("emails", "Mail"), SECOND);
		this.meters.enqueued(Map.of("emails", "Mail", "faxes", "Mail"), SECOND.multipliedBy(2));
		this.meters.enqueued(Map.of("faxes", "Mail"), SECOND);
		assertThat(seconds("jobqueue.enqueue", "queue", "emails")).isOne();
		assertThat(seconds("jobqueue.enqueue", "queue", "(several)")).isEqualTo(2);
		assertThat(timer("jobqueue.enqueue", "queue", "(several)").count()).isOne();
		assertThat(seconds("jobqueue.enqueue", "queue", "(other)")).isOne();
	}

	@Test
	void reapedJobsMayBeDead() {
		this.meters.bindTo(this.registry);
		this.meters.reaped(reaped("emails", "Mail", null, 2));
		this.meters.reaped(reaped("emails", "Mail", JobState.DEAD, 3));
		assertThat(counter("reaped", "emails", "Mail")).isEqualTo(5);
		assertThat(counter("dead", "emails", "Mail")).isEqualTo(3);
	}

	@Test
	void undeclaredNamesAreOthers() {
		this.meters.bindTo(this.registry);
		this.meters.reaped(reaped("emails", "Fax", null, 1));
		this.meters.reaped(reaped("faxes", "Mail", null, 2));
		this.meters.reaped(reaped("faxes", "Fax", null, 4));
		assertThat(counter("reaped", "emails", "(other)")).isEqualTo(1);
		assertThat(counter("reaped", "(other)", "(other)")).isEqualTo(6);
	}

	@Test
	void thousandsOfUndeclaredNamesMakeNoMeters() {
		this.meters.bindTo(this.registry);
		for (int number = 0; number < 1000; number++) {
			ClaimedJob job = job("queue-" + number, "Type" + number);
			this.meters.enqueued(Map.of(job.queue(), "Mail"), SECOND);
			this.meters.claimed(job.queue(), SECOND);
			this.meters.begins(job, SECOND);
			this.meters.ended(job, RunOutcome.SUCCEEDED, SECOND);
		}
		assertThat(this.registry.getMeters()).hasSizeLessThan(30);
	}

	@Test
	void namesThatAreDeclaredLaterGetTheirMeters() {
		this.meters.bindTo(this.registry);
		this.names.handled.put("plugins", Set.of("Plugin"));
		this.tags.refresh();
		assertThat(counter("dead", "plugins", "Plugin")).isZero();
		assertThat(timer("jobqueue.claim", "queue", "plugins").count()).isZero();
	}

	@Test
	void failingFilterAffectsNoJobAndIsLoggedOnce(CapturedOutput output) {
		this.registry.config().meterFilter(new FailingFilter());
		this.meters.bindTo(this.registry);
		for (int run = 0; run < 2; run++) {
			assertThatNoException()
				.isThrownBy(() -> this.meters.ended(job("emails", "Mail"), RunOutcome.SUCCEEDED, SECOND));
		}
		assertThat(output.getOut().split("Could not record a meter", -1)).hasSize(2);
	}

	/**
	 * Bound by the names of its components: meters use no other ones.
	 */
	private static ClaimedJob job(String queue, String type) {
		Map<String, Object> components = Map.of("job.queue", queue, "job.type", type, "job.priority", 20);
		return new Binder(new MapConfigurationPropertySource(components)).bindOrCreate("job", ClaimedJob.class);
	}

	private static ReapedJobs reaped(String queue, String type, @Nullable JobState ended, long count) {
		return new ReapedJobs(new Tier(queue, 10), JobPosition.at(Instant.EPOCH), type, "w", ended, count);
	}

	private double runs(String outcome) {
		return seconds("jobqueue.job.run", "outcome", outcome);
	}

	private double seconds(String name, String tag, String value) {
		return timer(name, tag, value).totalTime(TimeUnit.SECONDS);
	}

	private Timer timer(String name, String tag, String value) {
		return this.registry.get(name).tag(tag, value).timer();
	}

	private double counter(String name, String queue, String type) {
		return this.registry.get("jobqueue.jobs." + name).tags("queue", queue, "type", type).counter().count();
	}

	/**
	 * Asks for buckets as Spring Boot does for its settings.
	 */
	private static final class Histograms implements MeterFilter {

		@Override
		public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
			return DistributionStatisticConfig.builder().percentilesHistogram(true).build().merge(config);
		}

	}

	/**
	 * Fails on meters that are registered while jobs run.
	 */
	private static final class FailingFilter implements MeterFilter {

		@Override
		public Meter.Id map(Meter.Id id) {
			if (id.getTags().contains(Tag.of("outcome", "succeeded"))) {
				throw new IllegalStateException("A filter failed");
			}
			return id;
		}

	}

}
