package io.jobqueue.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.jobqueue.JobOperations;
import io.jobqueue.JobPuller;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.awaitility.Awaitility.await;

/**
 * What health shows of the database.
 */
class HealthDetailsTests extends QueueTestBase {

	private final ApplicationContextRunner application = this.contextRunner.withBean(Greetings.class)
		.withPropertyValues("jobqueue.health.refresh-interval=1ms", "jobqueue.health.start-grace=0s");

	@Test
	void backlogIsShownAndIsNoReasonToBeDown() {
		this.application.withPropertyValues("jobqueue.worker.priorities=99").run((context) -> {
			late(context, 0, 7, 2);
			late(context, 1, 3, 1);
			late(context, 50, 1, 5);
			await().untilAsserted(() -> {
				Health health = health(context);
				assertThat(health.getStatus()).isEqualTo(Status.UP);
				assertThat(health.getDetails().get("priorities")).asInstanceOf(MAP)
					.hasSize(4)
					.containsEntry("eventual", Map.of("oldest", "0ms", "attempts", 0))
					.hasEntrySatisfying("interactive",
							(reading) -> assertThat(reading.toString()).contains("2h", "attempts=7"))
					.hasEntrySatisfying("reporting",
							(reading) -> assertThat(reading.toString()).contains("5h", "attempts=1"));
				assertThat(health.getDetails()).containsEntry("partial", false);
			});
		});
	}

	@Test
	void servedQueuesAreShownAmongVeryMany() {
		this.application.withPropertyValues("jobqueue.worker.priorities=99").run((context) -> {
			late(context, 0, 7, 2);
			this.sql
				.sql("""
						INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
						SELECT gen_random_uuid(), now(), now(), 10, 'a' || number, 'mail', '{}' FROM generate_series(1, 1000) number
						""")
				.update();
			await().untilAsserted(() -> {
				assertThat(health(context).getDetails()).containsEntry("partial", true);
				assertThat(health(context).getDetails().get("priorities")).asInstanceOf(MAP)
					.hasEntrySatisfying("interactive", (reading) -> assertThat(reading.toString()).contains("2h"));
			});
		});
	}

	private void late(ApplicationContext context, int priority, int failures, int hours) {
		context.getBean(JobQueue.class).enqueue(JobRequest.of(new Greeting("world")).priority(Priority.of(priority)));
		this.sql.sql("UPDATE jobqueue_job SET failures = ?, run_at = run_at - ? * interval '1 hour' WHERE priority = ?")
			.params(failures, hours, priority)
			.update();
	}

	@Test
	void threadsThatPullCountAsAnotherWorker() {
		this.application.run((context) -> {
			context.getBean(JobPuller.class).tryPull("pulled", Greeting.class);
			this.sql
				.sql("""
						INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues)
						VALUES (gen_random_uuid(), now(), now(), 60000, gen_random_uuid(), true, 'elsewhere', '')
						""")
				.update();
			await().untilAsserted(() -> assertThat(health(context).getDetails()).containsEntry("workers",
					Map.of("living", 3L, "here", 2L)));
		});
	}

	@Test
	void jobsThatWaitForAFailedOneAreCounted() {
		this.application.run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			UUID first = queue.enqueue("unserved", new Greeting("world")).id();
			queue.enqueue(JobRequest.of("unserved", new Greeting("world")).after(first));
			context.getBean(JobOperations.class).cancel(first);
			await().untilAsserted(() -> assertThat(health(context).getDetails()).containsEntry("waitingForFailed", 1L));
		});
	}

	@Test
	void unservedQueuesAndPausesAreShown() {
		this.application.withPropertyValues("jobqueue.worker.heartbeat-interval=100ms", "jobqueue.worker.timeout=300ms")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("unserved", new Greeting("world"));
				context.getBean(JobQueue.class).enqueue("neither", new Greeting("world"));
				JobOperations operations = context.getBean(JobOperations.class);
				operations.pause("mails", "Letter");
				IntStream.range(10, 35).forEach((number) -> operations.pause("queue-" + number));
				await().untilAsserted(() -> {
					Health health = health(context);
					assertThat(health.getStatus()).isEqualTo(Status.UP);
					assertThat(health.getDetails()).containsEntry("unservedQueues", List.of("neither", "unserved"));
					assertThat(health.getDetails().get("pausedQueues")).asInstanceOf(LIST)
						.hasSize(21)
						.startsWith("mails (Letter)", "queue-10")
						.endsWith("and 6 more");
				});
			});
	}

	@Test
	void databaseIsReadOncePerInterval() {
		this.application.withPropertyValues("jobqueue.health.refresh-interval=1h").run((context) -> {
			await().until(() -> health(context).getDetails().containsKey("priorities"));
			assertThat(health(context).getDetails()).containsEntry("readAt", readAt(context));
		});
	}

	private static Object readAt(ApplicationContext context) {
		return Objects.requireNonNull(health(context).getDetails().get("readAt"));
	}

	private static Health health(ApplicationContext context) {
		Health health = context.getBean("jobqueueHealthContributor", HealthIndicator.class).health();
		assertThat(health).isNotNull();
		return health;
	}

}
