package io.jobqueue.boot.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;
import io.jobqueue.JobPuller;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobSource;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.Priority;
import io.jobqueue.PulledJob;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.internal.boot.metrics.TestClock;
import io.jobqueue.internal.maintenance.Reaper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Meters of an application on a database.
 */
class MetricsConfigurationTests extends MeterTestBase {

	private static final String HISTOGRAM = "management.metrics.distribution.percentiles-histogram.";

	private static final List<String> TIMERS = List.of("job_run", "job_wait", "enqueue", "claim");

	private final ApplicationContextRunner application = this.metered.withBean(Farewells.class)
		.withPropertyValues("jobqueue.worker.priorities=99");

	private final ApplicationContextRunner prometheus = this.contextRunner
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, PrometheusMetricsExportAutoConfiguration.class))
		.withBean(Farewells.class);

	@Test
	void gaugesShowJobs() {
		this.application.withPropertyValues("jobqueue.queues.farewells.concurrency=1").run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			queue.enqueue(JobRequest.of(new Greeting("world")).priority(Priority.INTERACTIVE));
			queue.enqueue(JobRequest.of(new Greeting("moon")).delay(Duration.ofHours(1)));
			queue.enqueue(new Greeting("stars"));
			this.sql
				.sql("""
						UPDATE jobqueue_job SET failures = 3, run_at = run_at - interval '1 day' WHERE payload LIKE '%world%'
						""")
				.update();
			await().untilAsserted(() -> {
				assertThat(jobs(context, "farewells", "interactive", "ready")).isOne();
				assertThat(jobs(context, "farewells", "user_visible", "scheduled")).isOne();
				assertThat(gauge(context, "jobqueue.jobs.max.age", "farewells", "interactive")).isGreaterThan(86_400);
				assertThat(gauge(context, "jobqueue.jobs.max.age", "farewells", "user_visible"))
					.isBetween(Double.MIN_VALUE, 3_600.0);
				assertThat(gauge(context, "jobqueue.jobs.max.attempts", "farewells", "interactive")).isEqualTo(3);
				assertThat(gauge(context, "jobqueue.jobs.max.attempts", "farewells", "user_visible")).isZero();
			});
		});
	}

	@Test
	void ticksAreTimed() {
		this.application.run((context) -> {
			assertThat(taggedGauge(context, "jobqueue.recurring.max.lateness")).isZero();
			context.getBean(RecurringJobs.class)
				.save(RecurringJobRequest.of("hello", new Greeting("world")).fixedRate(Duration.ofSeconds(1)));
			Timer lateness = context.getBean(MeterRegistry.class).get("jobqueue.recurring.lateness").timer();
			await().until(() -> lateness.count() > 0);
			assertThat(lateness.max(TimeUnit.MINUTES)).isLessThan(1);
		});
	}

	@Test
	void scheduleThatIsNotTickedIsLate() {
		this.application.withPropertyValues("jobqueue.worker.heartbeat-interval=100ms").run((context) -> {
			context.getBean(RecurringJobs.class)
				.save(RecurringJobRequest.of("hello", new Greeting("world")).fixedRate(Duration.ofSeconds(1)));
			context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				context.getBean(JdbcClient.class).sql("LOCK jobqueue_recurring").update();
				await().until(() -> taggedGauge(context, "jobqueue.recurring.max.lateness") > 0.5);
			});
			await().until(() -> taggedGauge(context, "jobqueue.recurring.max.lateness") == 0);
		});
	}

	@Test
	void nodeWithoutAWorkerIsNeverLate() {
		this.application.withPropertyValues("jobqueue.worker.enabled=false")
			.run((context) -> assertThat(
					context.getBean(MeterRegistry.class).find("jobqueue.recurring.max.lateness").gauge())
				.isNull());
	}

	@Test
	void clockOfTheApplicationDrivesTheRefresh() {
		TestClock clock = new TestClock();
		this.application.withBean(Clock.class, () -> clock)
			.withPropertyValues("jobqueue.metrics.refresh-interval=10s")
			.run((context) -> {
				await().untilAsserted(() -> assertThat(jobs(context, "farewells", "user_visible", "ready")).isZero());
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				assertThat(jobs(context, "farewells", "user_visible", "ready")).isZero();
				clock.move(Duration.ofSeconds(10));
				await().untilAsserted(() -> assertThat(jobs(context, "farewells", "user_visible", "ready")).isOne());
			});
	}

	@Test
	void everyOutcomeIsTimedAndCounted() {
		this.application.withBean(Outcomes.class)
			.withPropertyValues("jobqueue.worker.priorities=0-99", "jobqueue.defaults.backoff.type=fixed",
					"jobqueue.defaults.backoff.delay=1ms")
			.run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				for (String outcome : List.of("succeeded", "retried", "dead", "snoozed", "cancelled", "lost")) {
					queue.enqueue(JobRequest.of("outcomes", outcome).type("outcome").maxAttempts(2));
				}
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				await().untilAsserted(() -> assertThat(runs(registry)).containsExactlyInAnyOrder("succeeded 2",
						"retried 2", "dead 1", "snoozed 1", "cancelled 1", "lost 1"));
				assertThat(registry.get("jobqueue.jobs.retried").tag("type", "outcome").counter().count()).isEqualTo(2);
				assertThat(registry.get("jobqueue.jobs.dead").tag("type", "outcome").counter().count()).isOne();
				assertThat(registry.get("jobqueue.enqueue").tag("queue", "outcomes").timer().count()).isEqualTo(6);
				assertThat(registry.get("jobqueue.claim").tag("queue", "outcomes").timer().count()).isPositive();
				assertThat(registry.get("jobqueue.job.wait")
					.tags("queue", "outcomes", "priority", "user_visible")
					.timer()
					.count()).isEqualTo(8);
			});
	}

	@Test
	void jobsThatFailWithAPredecessorAreCounted() {
		this.application.withBean(Outcomes.class).run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			JobRequest request = JobRequest.of("outcomes", "succeeded").type("outcome");
			UUID first = queue.enqueue(request.delay(Duration.ofHours(1))).id();
			queue.enqueue(request.after(first).ifPredecessorFails(OnPredecessorFailure.FAIL));
			context.getBean(JobOperations.class).cancel(first);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			await().untilAsserted(
					() -> assertThat(registry.get("jobqueue.jobs.dead").tag("type", "outcome").counter().count())
						.isOne());
			await().untilAsserted(
					() -> assertThat(gauge(context, "jobqueue.jobs.dead.archived", "outcomes", "user_visible"))
						.isOne());
		});
	}

	private static List<String> runs(MeterRegistry registry) {
		return registry.find("jobqueue.job.run")
			.tags("queue", "outcomes", "type", "outcome")
			.timers()
			.stream()
			.map((timer) -> timer.getId().getTag("outcome") + " " + timer.count())
			.toList();
	}

	@Test
	void runningHandlerIsShown() {
		this.application.withBean(Outcomes.class)
			.withPropertyValues("jobqueue.worker.priorities=0-99")
			.run((context) -> {
				assertThat(gauge(context, "jobqueue.jobs.max.run.time", "outcomes", "user_visible")).isZero();
				context.getBean(JobQueue.class).enqueue(JobRequest.of("outcomes", "running").type("outcome"));
				await().untilAsserted(
						() -> assertThat(gauge(context, "jobqueue.jobs.max.run.time", "outcomes", "user_visible"))
							.isPositive());
				assertThat(gauge(context, "jobqueue.jobs.max.run.time", "outcomes", "interactive")).isZero();
				context.getBean(Outcomes.class).release.countDown();
				await().untilAsserted(
						() -> assertThat(gauge(context, "jobqueue.jobs.max.run.time", "outcomes", "user_visible"))
							.isZero());
			});
	}

	@Test
	void pulledJobIsShown() {
		this.application.withPropertyValues("jobqueue.worker.enabled=false", "jobqueue.worker.priorities=0-99")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("farewells", new Greeting("world"));
				try (PulledJob<Greeting> pulled = context.getBean(JobPuller.class)
					.tryPull(JobSource.of("farewells", Greeting.class))) {
					assertThat(pulled).isNotNull();
					await().untilAsserted(
							() -> assertThat(gauge(context, "jobqueue.jobs.max.run.time", "farewells", "user_visible"))
								.isPositive());
				}
			});
	}

	/**
	 * Others may use the server, too.
	 */
	@Test
	void databaseIsShown() {
		this.application.run((context) -> {
			await().untilAsserted(() -> assertThat(gauges(context))
				.filteredOn((gauge) -> gauge.getId().getName().startsWith("jobqueue.database."))
				.isNotEmpty()
				.allMatch((gauge) -> Double.isFinite(value(gauge))));
			assertThat(gauges(context)).extracting((gauge) -> gauge.getId().getTag("table"))
				.contains("jobqueue_archive");
		});
	}

	@Test
	void thereAreNoBucketsByDefault() {
		this.prometheus.run((context) -> {
			for (String timer : TIMERS) {
				assertThat(buckets(context, timer)).as(timer).isZero();
			}
		});
	}

	@Test
	void bucketsOfAllTimersCanBeEnabled() {
		this.prometheus.withPropertyValues(HISTOGRAM + "jobqueue=true").run((context) -> {
			for (String timer : TIMERS) {
				assertThat(buckets(context, timer)).as(timer).isBetween(20L, 120L);
			}
		});
	}

	@Test
	void bucketsOfOneTimerCanBeEnabled() {
		this.prometheus
			.withPropertyValues(HISTOGRAM + "jobqueue.job.wait=true",
					"management.metrics.distribution.maximum-expected-value.jobqueue.job.wait=10ms")
			.run((context) -> {
				assertThat(buckets(context, "job_wait")).isBetween(4L, 20L);
				assertThat(buckets(context, "job_run")).isZero();
			});
	}

	private static long buckets(ApplicationContext context, String timer) {
		context.getBean(JobQueue.class).enqueue(new Greeting("world"));
		PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
		await().untilAsserted(() -> assertThat(series(registry, "jobqueue_job_run_seconds_count")).isPositive());
		return series(registry, "jobqueue_" + timer + "_seconds_bucket");
	}

	private static long series(PrometheusMeterRegistry registry, String name) {
		return registry.scrape()
			.lines()
			.filter((line) -> line.startsWith(name + "{") && line.contains("\"farewells\""))
			.count();
	}

	@Test
	void reapedJobsAreCounted() {
		this.application.run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			leaveToASilentWorker();
			context.getBean(Reaper.class).runOnce();
			await().untilAsserted(() -> assertThat(context.getBean(MeterRegistry.class)
				.get("jobqueue.jobs.reaped")
				.tags("queue", "farewells", "type", "Greeting")
				.counter()
				.count()).isOne());
		});
	}

	private void leaveToASilentWorker() {
		this.sql.sql("""
				WITH held AS (
				    UPDATE jobqueue_job SET locked_by = gen_random_uuid(), claim = 1, attempts = 1,
				           lease_until = now() + interval '1 hour'
				    RETURNING id, locked_by)
				INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids)
				SELECT locked_by, 1, now() + interval '1 hour', 25, 'farewells', ARRAY[id] FROM held
				""").update();
	}

	private static double jobs(ApplicationContext context, String queue, String priority, String state) {
		return taggedGauge(context, "jobqueue.jobs", "queue", queue, "priority", priority, "state", state);
	}

	private static List<Meter> gauges(ApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.filter((meter) -> meter.getId().getName().startsWith("jobqueue.")
					&& meter.getId().getType() == Meter.Type.GAUGE)
			.toList();
	}

	private static double value(Meter meter) {
		return meter.measure().iterator().next().getValue();
	}

	/**
	 * Ends as its payload says.
	 */
	static final class Outcomes {

		private final JdbcClient sql;

		private final CountDownLatch release = new CountDownLatch(1);

		Outcomes(JdbcClient sql) {
			this.sql = sql;
		}

		@JobHandler(queue = "outcomes", type = "outcome")
		JobResult handle(String outcome, JobContext job) throws InterruptedException {
			return switch (outcome) {
				case "retried" -> (job.attempt() == 1) ? JobResult.retryIn(Duration.ZERO) : JobResult.success();
				case "dead" -> JobResult.retryIn(Duration.ZERO);
				case "snoozed" -> JobResult.snooze(Duration.ofHours(1));
				case "cancelled" -> cancelled(job);
				case "lost" -> lost(job);
				case "running" -> running();
				default -> JobResult.success();
			};
		}

		private JobResult cancelled(JobContext job) {
			this.sql.sql("UPDATE jobqueue_job SET cancel_requested = true WHERE id = ?").param(job.id()).update();
			return JobResult.retryIn(Duration.ZERO);
		}

		private JobResult lost(JobContext job) {
			this.sql.sql("DELETE FROM jobqueue_job WHERE id = ?").param(job.id()).update();
			return JobResult.success();
		}

		private JobResult running() throws InterruptedException {
			this.release.await();
			return JobResult.success();
		}

	}

}
