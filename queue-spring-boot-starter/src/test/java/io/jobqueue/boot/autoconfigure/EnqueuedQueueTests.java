package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobType;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.Workflows;

import static io.jobqueue.WorkflowDefinition.after;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * A queue that jobs are enqueued to, and that nothing knows, is most likely misspelt.
 */
@ExtendWith(OutputCaptureExtension.class)
class EnqueuedQueueTests extends QueueTestBase {

	private final ApplicationContextRunner application = this.contextRunner.withBean(Mails.class);

	@Test
	void unknownQueueIsWarnedOfOnceAtTheFirstCall(CapturedOutput output) {
		this.application.run((context) -> {
			enqueue(context, "emial");
			await().until(() -> output.toString().contains("Queue 'emial' has no handler, setting"));
			enqueue(context, "emial");
			enqueue(context, "last");
			await().until(() -> output.toString().contains("Queue 'last' has no handler, setting"));
			assertThat(output)
				.contains("Queue 'last' has no handler, setting or active worker; no known name is similar.")
				.containsOnlyOnce(
						"Queue 'emial' has no handler, setting or active worker; the nearest known name is 'emails'. Its jobs, such as one of type 'Greeting', wait until a worker serves it");
		});
	}

	@Test
	void queueOfHandlerSettingPayloadOrLivingWorkerIsKnown(CapturedOutput output) {
		this.application.withPropertyValues("jobqueue.queues.bulk-mails.priority=eventual").run((context) -> {
			this.sql
				.sql("""
						INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues)
						VALUES (gen_random_uuid(), now(), now(), 600000, gen_random_uuid(), true, 'other', 'reports,letters')
						""")
				.update();
			for (String queue : List.of("emails", "bulk-mails", "letters")) {
				enqueue(context, queue);
			}
			context.getBean(JobQueue.class).enqueue(new Invoice(7));
			enqueue(context, "last");
			await().until(() -> output.toString().contains("Queue 'last' has no handler, setting"));
			assertThat(output).containsOnlyOnce("has no handler, setting");
		});
	}

	/**
	 * Its jobs wait for it.
	 */
	@Test
	void queueOfASubscriberThatIsDownIsKnown(CapturedOutput output) {
		this.application.run((context) -> {
			this.sql.sql("""
					INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
					VALUES (now(), 'arrivals', 'Greeting', 'reception', 'guests', '{}')
					""").update();
			assertThat(context.getBean(JobQueue.class).publish("arrivals", new Greeting("world"))).hasSize(1);
			enqueue(context, "last");
			await().until(() -> output.toString().contains("Queue 'last' has no handler, setting"));
			assertThat(output).containsOnlyOnce("has no handler, setting");
		});
	}

	/**
	 * Which types the steps have is known when an instance starts.
	 */
	@Test
	void stepWhoseTypeHasNoHandlerIsWarnedOf(CapturedOutput output) {
		WorkflowDefinition<String> welcome = WorkflowDefinition.named("welcome", String.class)
			.step("greet", (name) -> JobRequest.of("emails", new Greeting(name)))
			.step("bill", (name) -> JobRequest.of("emails", new Invoice(7)), after("greet"))
			.step("remind", (name) -> JobRequest.of("emails", new Mail(8)), after("greet"))
			.step("last", (name) -> JobRequest.of("emails", new Parcel(9)), after("greet"))
			.build();
		this.application.withBean(WorkflowDefinition.class, () -> welcome).run((context) -> {
			this.sql
				.sql("""
						WITH worker AS (
						    INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues)
						    VALUES (gen_random_uuid(), now(), now(), 600000, gen_random_uuid(), true, 'other', 'emails')
						    RETURNING id)
						INSERT INTO jobqueue_worker_queue (worker_id, min_priority, max_priority, queue, types)
						SELECT id, 0, 99, 'emails', '{Greeting,Invoices}' FROM worker
						""")
				.update();
			context.getBean(Workflows.class).start("welcome", "world");
			context.getBean(Workflows.class).start("welcome", "moon");
			await().until(() -> output.toString().contains("Step 'last' of workflow 'welcome'"));
			assertThat(output).containsOnlyOnce(
					"Step 'bill' of workflow 'welcome' has jobs of type 'Invoice' in queue 'emails', for which neither this node nor an active worker has a handler; the nearest type of the queue is 'Invoices'. They wait until a worker takes them: add a handler, or start the application that has one")
				.doesNotContain("Step 'greet'", "Step 'remind'");
		});
	}

	@Test
	void queueThatTheApplicationReplacesStartsNoWorkflow() {
		WorkflowDefinition<String> welcome = WorkflowDefinition.named("welcome", String.class)
			.step("greet", Greeting::new)
			.build();
		this.application.withBean(WorkflowDefinition.class, () -> welcome)
			.withBean(JobQueue.class, () -> mock(JobQueue.class))
			.run((context) -> assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(Workflows.class).start("welcome", "world"))
				.withMessageContaining("a bean of type JobQueue replaces or wraps the queue"));
	}

	/**
	 * Subscribers take what is published.
	 */
	@Test
	void payloadWithSubscribersOnlyIsWarnedOf(CapturedOutput output) {
		this.contextRunner.withBean(TopicConfigurationTests.Guests.class).run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			await().until(() -> output.toString().contains("Queue 'default' has no handler, setting or active worker"));
			assertThat(this.sql.sql("SELECT queue FROM jobqueue_jobs").query(String.class).single())
				.isEqualTo("default");
		});
	}

	@Test
	void payloadWithoutHandlerIsWarnedOfToo(CapturedOutput output) {
		this.application.run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			await().until(() -> output.toString()
				.contains(
						"Queue 'default' has no handler, setting or active worker; it takes the jobs for which neither the call, nor @JobType, nor a handler on this node names a queue. Its jobs, such as one of type 'Greeting', wait"));
		});
	}

	/**
	 * The look needs a connection that the caller does not give away before its commit.
	 */
	@Test
	void callerDoesNotWaitForTheCheck(CapturedOutput output) {
		this.application.run((context) -> assertThat(context).hasNotFailed());
		this.application
			.withPropertyValues("spring.datasource.hikari.maximum-pool-size=1", "jobqueue.worker.enabled=false",
					"jobqueue.jdbc.migrate=false")
			.run((context) -> {
				new TransactionTemplate(context.getBean(JdbcTransactionManager.class))
					.executeWithoutResult((status) -> {
						enqueue(context, "emial");
						assertThat(output).doesNotContain("has no handler, setting");
					});
				await().until(() -> output.toString().contains("Queue 'emial' has no handler, setting"));
			});
	}

	@Test
	void namesAreBounded() {
		Set<String> names = IntStream.range(0, EnqueuedQueueCheck.MAX_NAMES + 5)
			.mapToObj((number) -> "queue-" + number)
			.collect(Collectors.toSet());
		AtomicInteger checked = new AtomicInteger();
		try (EnqueuedQueueCheck check = new EnqueuedQueueCheck(() -> {
			checked.incrementAndGet();
			return names;
		}, List::of, (queue) -> Set.of())) {
			names.forEach((name) -> check.enqueued(Map.of(name, "Mail"), Duration.ZERO));
			names.forEach((name) -> check.enqueued(Map.of(name, "Mail"), Duration.ZERO));
		}
		assertThat(checked).hasValue(EnqueuedQueueCheck.MAX_NAMES);
	}

	@Test
	void failedCheckIsRepeated(CapturedOutput output) {
		AtomicInteger looks = new AtomicInteger();
		try (EnqueuedQueueCheck check = new EnqueuedQueueCheck(Set::of, () -> {
			if (looks.incrementAndGet() < 3) {
				throw new IllegalStateException("The database does not answer");
			}
			return List.of("emails");
		}, (queue) -> Set.of())) {
			await().until(() -> {
				check.enqueued(Map.of("emial", "Mail"), Duration.ZERO);
				return output.toString().contains("Queue 'emial' has no handler, setting");
			});
			assertThat(looks).hasValue(3);
			assertThat(output).containsOnlyOnce("has no handler, setting")
				.contains("the nearest known name is 'emails'");
		}
	}

	private static void enqueue(ApplicationContext context, String queue) {
		context.getBean(JobQueue.class).enqueue(JobRequest.of(queue, new Greeting("world")));
	}

	@JobType(queue = "invoices")
	record Invoice(long number) {
	}

	record Mail(long id) {
	}

	record Parcel(long id) {
	}

	@JobHandler(queue = "emails")
	static class Mails {

		void handle(Mail mail) {
		}

	}

}
