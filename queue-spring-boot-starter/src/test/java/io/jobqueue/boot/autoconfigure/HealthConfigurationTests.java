package io.jobqueue.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.boot.health.AlertStatus;
import io.jobqueue.boot.health.QueueHealthIndicator;
import io.jobqueue.worker.JobWorker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.awaitility.Awaitility.await;

/**
 * Health of a node, with its reasons.
 */
class HealthConfigurationTests extends QueueTestBase {

	private final ApplicationContextRunner application = this.contextRunner.withPropertyValues(
			"jobqueue.health.refresh-interval=1ms", "jobqueue.health.start-grace=0s", "jobqueue.worker.name=here");

	@Test
	void workingNodeIsUp() {
		this.application.withBean(Greetings.class).run((context) -> await().untilAsserted(() -> {
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("problems", List.of())
				.containsEntry("node", "here")
				.containsEntry("worker", "running")
				.containsEntry("queues", List.of("default"))
				.containsEntry("wakeUp", "signals")
				.containsEntry("stuckHandlers", Map.of())
				.containsEntry("workers", Map.of("living", 1L, "here", 1L));
			assertThat(health.getDetails().get("lastPoll")).asString().startsWith("20");
		}));
	}

	@Test
	void backlogIsShownAndIsNoReasonToBeDown() {
		this.application.withBean(Greetings.class)
			.withPropertyValues("jobqueue.worker.priorities=99")
			.run((context) -> {
				context.getBean(JobQueue.class)
					.enqueue(JobRequest.of(new Greeting("world")).priority(Priority.INTERACTIVE));
				this.sql.sql("UPDATE jobqueue_job SET failures = 7, run_at = run_at - interval '2 hours'").update();
				Health health = health(context);
				assertThat(health.getStatus()).isEqualTo(Status.UP);
				assertThat(health.getDetails().get("priorities")).asInstanceOf(MAP)
					.hasSize(4)
					.containsEntry("eventual", Map.of("oldest", "PT0S", "attempts", 0))
					.extractingByKey("interactive")
					.satisfies((reading) -> assertThat(reading.toString()).contains("PT2H", "attempts=7"));
			});
	}

	@Test
	void stoppedWorkerIsDown() {
		this.application.withBean(Greetings.class).run((context) -> {
			context.getBean(JobWorker.class).stop();
			assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			assertThat(health(context).getDetails()).containsEntry("problems", List.of("The worker is not running"))
				.containsEntry("worker", "stopped");
		});
	}

	@Test
	void nothingIsDownInTheGraceAfterTheStart() {
		this.application.withBean(Greetings.class)
			.withPropertyValues("jobqueue.health.start-grace=1h")
			.run((context) -> {
				context.getBean(JobWorker.class).stop();
				assertThat(health(context).getStatus()).isEqualTo(Status.UP);
				assertThat(health(context).getDetails()).containsEntry("problems",
						List.of("The worker is not running"));
			});
	}

	@Test
	void nodeThatOnlyEnqueuesIsUp() {
		this.application.withPropertyValues("jobqueue.worker.enabled=false")
			.run((context) -> assertThat(health(context).getDetails()).containsEntry("worker", "disabled"));
		this.application.run((context) -> assertThat(health(context)).satisfies((health) -> {
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("worker", "without handlers");
		}));
	}

	@Test
	void queueThatStuckHandlersStopIsDown() {
		AtomicBoolean released = new AtomicBoolean();
		this.application.withBean(Deaf.class, released)
			.withPropertyValues("jobqueue.defaults.concurrency=1", "jobqueue.defaults.max-run-time=50ms",
					"jobqueue.worker.shutdown-timeout=5s")
			.run((context) -> {
				context.getBean(JobQueue.class)
					.enqueueAll(List.of(JobRequest.of(new Greeting("one")), JobRequest.of(new Greeting("two"))));
				await().untilAsserted(() -> {
					Health health = health(context);
					assertThat(health.getStatus()).isEqualTo(Status.DOWN);
					assertThat(health.getDetails()).containsEntry("stuckHandlers", Map.of("default", 2))
						.containsEntry("stoppedQueues", List.of("default"));
				});
				released.set(true);
				await().until(() -> health(context).getStatus(), Status.UP::equals);
			});
	}

	@Test
	void queuesThatNobodyServesAndPausesAreShown() {
		this.application.withBean(Greetings.class)
			.withPropertyValues("jobqueue.worker.heartbeat-interval=100ms", "jobqueue.worker.timeout=300ms")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("nobody", new Greeting("world"));
				JobOperations operations = context.getBean(JobOperations.class);
				IntStream.range(10, 35).forEach((number) -> operations.pause("queue-" + number));
				await().untilAsserted(() -> {
					Health health = health(context);
					assertThat(health.getStatus()).isEqualTo(Status.UP);
					assertThat(health.getDetails()).containsEntry("unservedQueues", List.of("nobody"));
					assertThat(health.getDetails().get("pausedQueues")).asInstanceOf(LIST)
						.hasSize(21)
						.startsWith("queue-10")
						.endsWith("and 5 more");
				});
			});
	}

	@Test
	void alertsCountWhereTheyAreToldTo() {
		ApplicationContextRunner alerting = this.application.withBean(Greetings.class)
			.withBean(AlertStatus.class, () -> () -> List.of("age of interactive"));
		alerting.run((context) -> {
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(health(context).getDetails()).containsEntry("alerts", List.of("age of interactive"));
		});
		alerting.withPropertyValues("jobqueue.health.alerts=true").run((context) -> {
			assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			assertThat(health(context).getDetails()).containsEntry("problems", List.of("Alert: age of interactive"));
		});
	}

	@Test
	void healthCanBeSwitchedOffAndReplaced() {
		this.application.withPropertyValues("management.health.jobqueue.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(QueueHealthIndicator.class));
		this.application.withBean("jobqueueHealthIndicator", HealthIndicator.class, () -> () -> Health.up().build())
			.run((context) -> assertThat(context).doesNotHaveBean(QueueHealthIndicator.class));
		this.application.withClassLoader(new FilteredClassLoader(ConditionalOnEnabledHealthIndicator.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(QueueHealthIndicator.class));
	}

	private static Health health(ApplicationContext context) {
		Health health = context.getBean("jobqueueHealthContributor", HealthIndicator.class).health();
		assertThat(health).isNotNull();
		return health;
	}

	/**
	 * Does not end when interrupted.
	 */
	@JobHandler
	static class Deaf {

		private final AtomicBoolean released;

		Deaf(AtomicBoolean released) {
			this.released = released;
		}

		void handle(Greeting greeting) {
			while (!this.released.get()) {
				Thread.onSpinWait();
			}
		}

	}

}
