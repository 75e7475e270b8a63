package io.jobqueue.boot.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobAlert;
import io.jobqueue.JobAlert.Metric;
import io.jobqueue.JobAlertEvent;
import io.jobqueue.JobAlertRaised;
import io.jobqueue.JobAlertRecovered;
import io.jobqueue.JobHandler;
import io.jobqueue.JobPuller;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.PulledJob;
import io.jobqueue.internal.boot.alert.Alerts;
import io.jobqueue.internal.boot.health.AlertStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Alerts of an application on a database.
 */
@ExtendWith(OutputCaptureExtension.class)
class AlertConfigurationTests extends QueueTestBase {

	private static final LoggingSystem LOGGING = LoggingSystem.get(AlertConfigurationTests.class.getClassLoader());

	private final ApplicationContextRunner application = this.contextRunner
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
		.withBean(Listening.class)
		.withPropertyValues("jobqueue.alerts.interval=50ms");

	private final ApplicationContextRunner producer = this.application
		.withPropertyValues("jobqueue.worker.enabled=false");

	@BeforeEach
	void logRecoveries() {
		LOGGING.setLogLevel(Alerts.class.getName(), LogLevel.INFO);
	}

	@AfterEach
	void resetLogging() {
		LOGGING.setLogLevel(Alerts.class.getName(), null);
	}

	@Test
	void producerRaisesAnAlertForJobsWithoutAWorker(CapturedOutput output) {
		this.producer.withPropertyValues("jobqueue.alerts.interactive.age=500ms").run((context) -> {
			context.getBean(JobQueue.class).enqueue(JobRequest.of(new Greeting("world")).priority(Priority.of(7)));
			JobAlert raised = awaitEvent(context, JobAlertRaised.class).alert();
			assertThat(raised.queue()).isEqualTo("default");
			assertThat(raised.priority()).isEqualTo(PriorityClass.INTERACTIVE);
			assertThat(raised.metric()).isEqualTo(Metric.AGE);
			assertThat(raised.type()).isNull();
			assertThat(raised.value()).isGreaterThanOrEqualTo(0.5);
			assertThat(raised.threshold()).isEqualTo(0.5);
			assertThat(context.getBean(Alerts.class).current()).hasSize(1);
			assertThat(context.getBean(AlertStatus.class).crossed()).singleElement()
				.asString()
				.startsWith("Alert[queue=default, priority=interactive, age=");
			await().until(() -> percent(context, "interactive") > 100);
			update("run_at = now() + interval '1 hour'");
			JobAlert recovered = awaitEvent(context, JobAlertRecovered.class).alert();
			assertThat(recovered.since()).isEqualTo(raised.since());
			assertThat(recovered.value()).isZero();
			assertThat(context.getBean(Alerts.class).current()).isEmpty();
			assertThat(output.getOut().lines())
				.anyMatch((line) -> line.contains("WARN")
						&& line.contains("Raised: Alert[queue=default, priority=interactive, age=")
						&& line.contains("threshold=500ms]"))
				.anyMatch((line) -> line.contains("INFO") && line.contains("Recovered: Alert[queue=default"));
		});
	}

	/**
	 * One commit: after a costly scan, a new queue may be missed for a minute.
	 */
	@Test
	void declaredQueuesAloneAreReadAndAlertAmongVeryManyQueues() {
		this.producer
			.withPropertyValues("jobqueue.alerts.interactive.age=500ms", "jobqueue.alerts.reporting.age=500ms",
					"jobqueue.alerts.queues=declared")
			.run((context) -> {
				new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
					.executeWithoutResult((status) -> {
						JdbcClient.create(context.getBean(DataSource.class))
							.sql("""
									INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
									SELECT gen_random_uuid(), now(), now(), 99, 'a' || number, 'mail', '{}' FROM generate_series(1, 1000) number
									""")
							.update();
						context.getBean(JobQueue.class)
							.enqueue(JobRequest.of(new Greeting("world")).priority(Priority.of(7)));
					});
				assertThat(awaitEvent(context, JobAlertRaised.class).alert().queue()).isEqualTo("default");
				assertThat(context.getBean(Alerts.class).current()).extracting(JobAlert::queue).containsOnly("default");
			});
	}

	@Test
	void attemptsOfATypeHaveTheirOwnThreshold() {
		this.producer.withPropertyValues("jobqueue.alerts.types.Greeting.attempts=20").run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			update("failures = 19");
			await().until(() -> percent(context, "user_visible") == 95);
			update("failures = 20");
			JobAlert alert = awaitEvent(context, JobAlertRaised.class).alert();
			assertThat(alert.type()).isEqualTo("Greeting");
			assertThat(alert.metric()).isEqualTo(Metric.ATTEMPTS);
			assertThat(alert.value()).isEqualTo(20);
		});
	}

	@Test
	void longRunTimeRaisesAnAlert() {
		this.application.withBean(Slow.class)
			.withPropertyValues("jobqueue.alerts.user-visible.run-time=200ms")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				JobAlert alert = awaitEvent(context, JobAlertRaised.class).alert();
				assertThat(alert.metric()).isEqualTo(Metric.RUN_TIME);
				assertThat(alert.value()).isGreaterThanOrEqualTo(0.2);
				context.getBean(Slow.class).end.countDown();
				awaitEvent(context, JobAlertRecovered.class);
			});
	}

	@Test
	void longRunTimeOfAPulledJobRaisesAnAlert() {
		this.producer.withPropertyValues("jobqueue.alerts.types.Greeting.run-time=200ms").run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			PulledJob<Greeting> job = context.getBean(JobPuller.class).tryPull("default", Greeting.class);
			assertThat(awaitEvent(context, JobAlertRaised.class).alert().type()).isEqualTo("Greeting");
			job.end(JobResult.success());
			awaitEvent(context, JobAlertRecovered.class);
		});
	}

	private void update(String change) {
		this.sql.sql("UPDATE jobqueue_job SET " + change).update();
	}

	private static <T extends JobAlertEvent> T awaitEvent(ApplicationContext context, Class<T> kind) {
		List<JobAlertEvent> events = context.getBean(Listening.class).events;
		return await()
			.until(() -> events.stream().filter(kind::isInstance).map(kind::cast).findFirst(),
					(found) -> found.isPresent())
			.orElseThrow();
	}

	private static double percent(ApplicationContext context, String priority) {
		return context.getBean(MeterRegistry.class)
			.get("jobqueue.jobs.alert.percent")
			.tags("queue", "default", "priority", priority)
			.gauge()
			.value();
	}

	static class Listening {

		private final List<JobAlertEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void on(JobAlertEvent event) {
			this.events.add(event);
		}

	}

	/**
	 * Takes its time.
	 */
	@JobHandler
	static class Slow {

		private final CountDownLatch end = new CountDownLatch(1);

		void handle(Greeting greeting) throws InterruptedException {
			this.end.await();
		}

	}

}
