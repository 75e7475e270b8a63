package io.jobqueue.boot.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The number of series that a Prometheus stores for one node.
 */
class SeriesCountTests extends QueueTestBase {

	private static final List<String> FAILURES = List.of("retried", "dead", "snoozed", "cancelled", "lost");

	private static final Pattern DOCUMENTED = Pattern.compile("\\*\\*(\\d+) series\\*\\*");

	private final ApplicationContextRunner application = this.contextRunner
		.withConfiguration(
				AutoConfigurations.of(MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
						PrometheusMetricsExportAutoConfiguration.class, ObservationAutoConfiguration.class))
		.withBean(SevenTypes.class)
		.withPropertyValues("jobqueue.defaults.backoff.type=fixed", "jobqueue.defaults.backoff.delay=1ms",
				"jobqueue.defaults.max-attempts=2");

	@Test
	void threeQueuesAndSevenTypesHaveAsManyAsDocumented() {
		this.application.run((context) -> {
			runEachOutcome(context);
			assertThat(series(context)).isEqualTo(documented()).isLessThanOrEqualTo(330);
		});
	}

	private static void runEachOutcome(ApplicationContext context) {
		JobQueue queue = context.getBean(JobQueue.class);
		SevenTypes.QUEUES.forEach((type, name) -> queue.enqueue(JobRequest.of(name, "succeeded").type(type)));
		FAILURES.forEach((outcome) -> queue.enqueue(JobRequest.of("orders", outcome).type("order")));
		await().untilAsserted(
				() -> assertThat(scrape(context).filter((line) -> line.startsWith("jobqueue_job_run_seconds_count{")))
					.hasSize(7 + FAILURES.size()));
	}

	private static long series(ApplicationContext context) {
		return scrape(context).filter((line) -> line.startsWith("jobqueue_")).count();
	}

	private static Stream<String> scrape(ApplicationContext context) {
		return context.getBean(PrometheusMeterRegistry.class).scrape().lines();
	}

	private static long documented() throws IOException {
		Matcher matcher = DOCUMENTED.matcher(Files.readString(Path.of("..", "docs", "metrics.md")));
		assertThat(matcher.find()).isTrue();
		return Long.parseLong(matcher.group(1));
	}

	/**
	 * Handles seven types in three queues; each job ends as its payload says.
	 */
	static final class SevenTypes {

		private static final Map<String, String> QUEUES = Map.of("order", "orders", "refund", "orders", "charge",
				"payments", "payout", "payments", "mail", "messages", "sms", "messages", "push", "messages");

		private final MetricsConfigurationTests.Outcomes outcomes;

		SevenTypes(JdbcClient sql) {
			this.outcomes = new MetricsConfigurationTests.Outcomes(sql);
		}

		@JobHandler(queue = "orders", type = "order")
		JobResult order(String outcome, JobContext job) throws InterruptedException {
			return this.outcomes.handle(outcome, job);
		}

		@JobHandler(queue = "orders", type = "refund")
		JobResult refund(String outcome, JobContext job) throws InterruptedException {
			return this.outcomes.handle(outcome, job);
		}

		@JobHandler(queue = "payments", type = "charge")
		JobResult charge(String outcome, JobContext job) throws InterruptedException {
			return this.outcomes.handle(outcome, job);
		}

		@JobHandler(queue = "payments", type = "payout")
		JobResult payout(String outcome, JobContext job) throws InterruptedException {
			return this.outcomes.handle(outcome, job);
		}

		@JobHandler(queue = "messages", type = "mail")
		JobResult mail(String outcome, JobContext job) throws InterruptedException {
			return this.outcomes.handle(outcome, job);
		}

		@JobHandler(queue = "messages", type = "sms")
		JobResult sms(String outcome, JobContext job) throws InterruptedException {
			return this.outcomes.handle(outcome, job);
		}

		@JobHandler(queue = "messages", type = "push")
		JobResult push(String outcome, JobContext job) throws InterruptedException {
			return this.outcomes.handle(outcome, job);
		}

	}

}
