package io.jobqueue.boot.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.boot.metrics.TestClock;
import io.jobqueue.maintenance.Reaper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Meters of an application on a database.
 */
class MetricsConfigurationTests extends QueueTestBase {

	private final ApplicationContextRunner application = this.contextRunner
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
		.withBean(Farewells.class)
		.withPropertyValues("jobqueue.metrics.refresh-interval=1ms", "jobqueue.worker.priorities=99");

	@Test
	void gaugesShowJobs() {
		this.application.withPropertyValues("jobqueue.queues.farewells.concurrency=1").run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			queue.enqueue(JobRequest.of(new Greeting("world")).priority(Priority.INTERACTIVE));
			queue.enqueue(JobRequest.of(new Greeting("moon")).delay(Duration.ofHours(1)));
			await().untilAsserted(() -> {
				assertThat(jobs(context, "farewells", "interactive", "ready")).isOne();
				assertThat(jobs(context, "farewells", "user_visible", "scheduled")).isOne();
				assertThat(gauge(context, "jobqueue.jobs.max.age", "farewells", "interactive")).isPositive();
				assertThat(gauge(context, "jobqueue.jobs.max.attempts", "farewells", "interactive")).isZero();
			});
		});
	}

	@Test
	void clockOfTheApplicationDrivesTheRefresh() {
		TestClock clock = new TestClock();
		this.application.withBean(Clock.class, () -> clock)
			.withPropertyValues("jobqueue.metrics.refresh-interval=10s")
			.run((context) -> {
				assertThat(jobs(context, "farewells", "user_visible", "ready")).isZero();
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				assertThat(jobs(context, "farewells", "user_visible", "ready")).isZero();
				clock.move(Duration.ofSeconds(10));
				assertThat(jobs(context, "farewells", "user_visible", "ready")).isOne();
			});
	}

	@Test
	void queuesOfSettingsAndHandlersAreDeclared() {
		this.application
			.withPropertyValues("jobqueue.worker.queues=farewells,plugins", "jobqueue.queues.plugins.concurrency=1")
			.run((context) -> assertThat(queues(context)).containsExactlyInAnyOrder("farewells", "plugins", "(other)"));
	}

	@Test
	void producerPublishesGaugesToo() {
		this.application.withPropertyValues("jobqueue.worker.enabled=false", "jobqueue.queues.elsewhere.concurrency=1")
			.run((context) -> assertThat(queues(context)).containsExactlyInAnyOrder("farewells", "elsewhere",
					"(other)"));
	}

	@Test
	void defaultQueueIsDeclaredWhereNothingElseIs() {
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.run((context) -> assertThat(queues(context)).containsExactlyInAnyOrder("default", "(other)"));
	}

	@Test
	void gaugesAreNaNWithoutTheDatabase() {
		TestClock clock = new TestClock();
		this.application.withBean(Clock.class, () -> clock)
			.withPropertyValues("jobqueue.metrics.refresh-interval=10s", "jobqueue.alerts.interval=100ms",
					"spring.datasource.hikari.connection-timeout=250")
			.run((context) -> {
				await().untilAsserted(() -> assertThat(gauges(context)).isNotEmpty()
					.noneMatch((gauge) -> Double.isNaN(value(gauge))));
				this.database.close();
				clock.move(Duration.ofSeconds(10));
				await().untilAsserted(
						() -> assertThat(gauges(context)).isNotEmpty().allMatch((gauge) -> Double.isNaN(value(gauge))));
			});
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
		return context.getBean(MeterRegistry.class)
			.get("jobqueue.jobs")
			.tags("queue", queue, "priority", priority, "state", state)
			.gauge()
			.value();
	}

	private static double gauge(ApplicationContext context, String name, String queue, String priority) {
		return context.getBean(MeterRegistry.class)
			.get(name)
			.tags("queue", queue, "priority", priority)
			.gauge()
			.value();
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

	private static List<String> queues(ApplicationContext context) {
		return gauges(context).stream().map((gauge) -> gauge.getId().getTag("queue")).distinct().toList();
	}

}
