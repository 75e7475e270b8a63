package io.jobqueue.boot.autoconfigure;

import java.util.List;
import java.util.Objects;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Which queues have meters of their own.
 */
class DeclaredQueuesTests extends MeterTestBase {

	private final ApplicationContextRunner application = this.metered.withBean(Farewells.class);

	@Test
	void queuesOfSettingsAndHandlersAreDeclared() {
		this.application
			.withPropertyValues("jobqueue.worker.queues=farewells,plugins,served",
					"jobqueue.queues.plugins.concurrency=1")
			.run((context) -> assertThat(queues(context)).containsExactlyInAnyOrder("farewells", "plugins", "served",
					"(other)"));
	}

	@Test
	void producerPublishesGaugesToo() {
		this.application.withPropertyValues("jobqueue.worker.enabled=false", "jobqueue.queues.elsewhere.concurrency=1")
			.run((context) -> assertThat(queues(context)).containsExactlyInAnyOrder("farewells", "elsewhere",
					"(other)"));
	}

	@Test
	void defaultQueueIsDeclaredWhereNothingElseIs() {
		this.metered.run((context) -> assertThat(queues(context)).containsExactlyInAnyOrder("default", "(other)"));
	}

	@Test
	void handlerThatIsRegisteredWhileRunningGetsItsMeters() {
		this.application.run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.find("jobqueue.jobs.dead").tag("queue", "plugins").counter()).isNull();
			context.getBean(JobHandlerRegistry.class)
				.register("plugins", Greeting.class, (greeting, job) -> JobResult.success());
			assertThat(
					registry.get("jobqueue.jobs.dead").tags("queue", "plugins", "type", "Greeting").counter().count())
				.isZero();
			assertThat(gauge(context, "jobqueue.jobs.max.run.time", "plugins", "interactive")).isZero();
		});
	}

	@Test
	void queueThatAPayloadNamesIsDeclaredOnceItIsEnqueued() {
		this.metered.withPropertyValues("jobqueue.worker.enabled=false").run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			queue.enqueue(JobRequest.of("elsewhere", new Greeting("world")));
			assertThat(queues(context)).containsExactlyInAnyOrder("default", "(other)");
			queue.enqueue(new Invoice(7));
			assertThat(calls(context, "invoices")).isOne();
			assertThat(calls(context, "(other)")).isOne();
			queue.enqueueAll(List.of(JobRequest.of(new Receipt(7)), JobRequest.of(new Invoice(8))));
			assertThat(calls(context, "(several)")).isOne();
			await().untilAsserted(() -> {
				assertThat(gauge(context, "jobqueue.jobs.max.attempts", "(other)", "interactive")).isZero();
				assertThat(queues(context)).containsExactlyInAnyOrder("default", "invoices", "receipts", "(other)");
			});
		});
	}

	@Test
	void payloadThatNamesNoValidQueueDeclaresNone() {
		this.metered.withPropertyValues("jobqueue.worker.enabled=false").run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> queue.enqueue(new Misspelt()));
			queue.enqueue(new Invoice(7));
			await().untilAsserted(() -> {
				assertThat(gauge(context, "jobqueue.jobs.max.attempts", "(other)", "interactive")).isZero();
				assertThat(queues(context)).contains("invoices").doesNotContain("Mis Spelt");
			});
			assertThat(context.getBean(NodeNames.class).queues()).containsExactly("invoices");
		});
	}

	private static long calls(ApplicationContext context, String queue) {
		return context.getBean(MeterRegistry.class).get("jobqueue.enqueue").tag("queue", queue).timer().count();
	}

	private static List<String> queues(ApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.filter((meter) -> meter.getId().getType() == Meter.Type.GAUGE)
			.map((gauge) -> gauge.getId().getTag("queue"))
			.filter(Objects::nonNull)
			.distinct()
			.toList();
	}

	@JobType(queue = "invoices")
	record Invoice(long number) {
	}

	@JobType(queue = "Mis Spelt")
	record Misspelt() {
	}

	@JobType(queue = "receipts")
	record Receipt(long number) {
	}

}
