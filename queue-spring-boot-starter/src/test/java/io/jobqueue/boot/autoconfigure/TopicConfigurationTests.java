package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.internal.maintenance.MaintenanceLoop;
import io.jobqueue.internal.maintenance.MaintenanceLoop.Task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Topics in an application.
 */
class TopicConfigurationTests extends QueueTestBase {

	@Test
	void nodeWithoutAWorkerPublishesAndDeclaresNothing() {
		this.contextRunner.withBean(Guests.class)
			.withPropertyValues("jobqueue.worker.enabled=false")
			.run((publisher) -> {
				JobQueue queue = publisher.getBean(JobQueue.class);
				assertThat(queue.publish("arrivals", new Greeting("ada"))).isEmpty();
				this.contextRunner.withBean(Guests.class).run((subscriber) -> {
					assertThat(queue.publish("arrivals", new Greeting("grace"))).hasSize(1);
					await().atMost(30, TimeUnit.SECONDS)
						.until(() -> subscriber.getBean(Guests.class).received.equals(List.of("grace")));
				});
			});
	}

	/**
	 * The loop runs it hourly, after a random delay.
	 */
	@Test
	void maintenanceEndsSubscriptionsAfterTheRetentionOfTheSettings() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_subscription (last_declared_at, warned_at, topic, type, subscriber, queue, filter)
					SELECT now() - days * interval '1 day', now() - interval '2 days', 'news', 'mail', 's' || days, 'post', '{}'
					FROM (VALUES (29), (30)) AS d (days)
					""")
			.update();
		this.contextRunner.withPropertyValues("jobqueue.topics.subscription-retention=30d").run((context) -> {
			assertThat(maintenance(context.getBean(MaintenanceLoop.class)))
				.filteredOn(Task::name, "The retention of subscriptions")
				.singleElement()
				.satisfies((task) -> assertThat(task.interval()).isEqualTo(Duration.ofHours(1)))
				.satisfies((task) -> task.runOnce().run());
			assertThat(context.getBean(JobOperations.class).subscriptions()).extracting("subscriber")
				.containsExactly("s29");
		});
	}

	@SuppressWarnings("unchecked")
	private static List<Task> maintenance(MaintenanceLoop loop) {
		return (List<Task>) ReflectionTestUtils.getField(loop, "all");
	}

	/**
	 * Receives arrivals.
	 */
	static class Guests {

		final List<String> received = new CopyOnWriteArrayList<>();

		@JobHandler(topic = "arrivals", subscriber = "reception")
		void greet(Greeting greeting) {
			this.received.add(greeting.firstName());
		}

	}

}
