package io.jobqueue.internal.maintenance;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.QueryTimeoutException;

import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queues without a worker are reported.
 */
class UnservedQueuesTests extends NodeTestBase {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE);

	private PostgresStores stores;

	private UnservedQueues unserved;

	/**
	 * A store remembers what it saw, and so does the watch.
	 */
	@BeforeEach
	void reset() {
		this.stores = PostgresStores.of(this.pool, null, null);
		this.unserved = new UnservedQueues(this.stores.monitoring(), this.stores.search(), this.stores.pauses(),
				PATIENCE, this.nanoTime::get);
	}

	@Test
	void queueWithDueJobsIsReportedOnce() {
		try (CapturedLog log = new CapturedLog()) {
			producer().queue().enqueue(JobRequest.of("emials", new Mail("hi")));
			assertThat(this.unserved.runOnce()).isEmpty();
			pass(PATIENCE.minusNanos(1));
			assertThat(this.unserved.runOnce()).isEmpty();
			pass(Duration.ofNanos(1));
			assertThat(this.unserved.runOnce()).containsExactly("emials");
			assertThat(this.unserved.runOnce()).containsExactly("emials");
			assertThat(log.messages("emials")).singleElement()
				.asString()
				.matches("Queue emials has 1 due job \\(mail\\), the oldest due for .+s, but no worker has served it"
						+ " for 1m\\. If its name is misspelt where jobs are enqueued, correct it there\\. Otherwise add"
						+ " a handler for it, correct jobqueue\\.worker\\.queues, or pause the queue");
			assertThat(log.pairs("emials")).containsExactly(Map.of("job.queue", "emials"));
		}
	}

	@Test
	void nearestServedQueueIsNamedIfItIsNear() {
		try (CapturedLog log = new CapturedLog()) {
			started((settings) -> settings.bean(new MailHandler((mail, job) -> {
			})));
			await().until(() -> this.stores.monitoring().servedQueues().contains("emails"));
			producer().queue().enqueue(JobRequest.of("emials", new Mail("hi")));
			producer().queue().enqueue(JobRequest.of("invoices", new Mail("hi")));
			this.unserved.runOnce();
			pass(PATIENCE);
			this.unserved.runOnce();
			assertThat(log.messages("Queue emials has")).singleElement()
				.asString()
				.contains("correct it there (nearest served queue: emails)");
			assertThat(log.messages("Queue invoices has")).singleElement()
				.asString()
				.contains("correct it there. Otherwise");
		}
	}

	@Test
	void dueJobsOfTheQueueAreSummedUp() {
		try (CapturedLog log = new CapturedLog()) {
			var queue = producer().queue();
			for (String type : List.of("a", "b", "c", "d", "e")) {
				queue.enqueue(JobRequest.of("emials", Map.of()).type(type));
				queue.enqueue(JobRequest.of("invoices", Map.of()).type(type));
			}
			queue.enqueue(JobRequest.of("emials", new Mail("hi")).priority(Priority.of(99)));
			this.sql.sql("UPDATE jobqueue_job SET run_at = now() - interval '2 hours' WHERE type = 'mail'").update();
			this.sql.sql("UPDATE jobqueue_job SET run_at = now() - interval '3 days' WHERE queue = 'invoices'")
				.update();
			this.unserved.runOnce();
			pass(PATIENCE);
			this.unserved.runOnce();
			assertThat(log.messages("Queue emials has 6 due jobs (a, b, c, d, e, …), the oldest due for 2h"))
				.hasSize(1);
			assertThat(log.messages("Queue invoices has 5 due jobs (a, b, c, d, e), the oldest due for 3d")).hasSize(1);
		}
	}

	@Test
	void queueWhoseJobsCannotBeCountedIsReportedWithoutTheirNumber() {
		enqueueLongAgo();
		this.sql.sql("ALTER TABLE jobqueue_claim RENAME TO unreadable").update();
		try (CapturedLog log = new CapturedLog()) {
			assertThat(this.unserved.runOnce()).containsExactly("emials");
			assertThat(log.messages("emials")).singleElement()
				.asString()
				.matches(
						"Queue emials has due jobs \\(mail\\), the oldest due for .+s, but no worker has served it .*");
		}
		finally {
			this.sql.sql("ALTER TABLE unreadable RENAME TO jobqueue_claim").update();
		}
	}

	@Test
	void queueWhoseTypesCannotBeReadIsReportedWithoutThem() {
		SearchStore late = (SearchStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { SearchStore.class }, (proxy, method, arguments) -> {
					throw new QueryTimeoutException("too late");
				});
		this.unserved = new UnservedQueues(this.stores.monitoring(), late, this.stores.pauses(), PATIENCE,
				this.nanoTime::get);
		enqueueLongAgo();
		try (CapturedLog log = new CapturedLog()) {
			assertThat(this.unserved.runOnce()).containsExactly("emials");
			assertThat(log.messages("Queue emials has 1 due job, the oldest due for")).hasSize(1);
		}
	}

	private void enqueueLongAgo() {
		producer().queue().enqueue(JobRequest.of("emials", new Mail("hi")));
		this.unserved.runOnce();
		pass(PATIENCE);
	}

	@Test
	void endIsReportedToo() {
		try (CapturedLog log = new CapturedLog()) {
			producer().queue().enqueue(JobRequest.of("emials", new Mail("hi")));
			this.unserved.runOnce();
			pass(PATIENCE);
			this.unserved.runOnce();
			this.sql.sql("DELETE FROM jobqueue_job").update();
			this.unserved.runOnce();
			assertThat(log.pairs("Queue emials is served again")).containsExactly(Map.of("job.queue", "emials"));
		}
	}

	@Test
	void notAllOfManyAreNamed() {
		try (CapturedLog log = new CapturedLog()) {
			assertThat(overdue(12)).hasSize(12);
			assertThat(log.messages("but no worker has served it")).hasSize(10);
			assertThat(log.messages("No worker has served 2 other queues")).hasSize(1);
		}
	}

	@Test
	void allOfTenAreNamed() {
		try (CapturedLog log = new CapturedLog()) {
			assertThat(overdue(10)).hasSize(10);
			assertThat(log.messages("but no worker has served it")).hasSize(10);
			assertThat(log.messages("other queue")).isEmpty();
		}
	}

	private Set<String> overdue(int queues) {
		var queue = producer().queue();
		IntStream.range(0, queues).forEach((number) -> queue.enqueue(JobRequest.of("queue-" + number, new Mail("hi"))));
		this.unserved.runOnce();
		pass(PATIENCE);
		return this.unserved.runOnce();
	}

	@Test
	void servingWorkerResetsTheTime() {
		producer().queue().enqueue(JobRequest.of("emails", new Mail("hi")).priority(Priority.of(99)));
		this.unserved.runOnce();
		var worker = started((settings) -> settings.priorities(0, 9).bean(new MailHandler((mail, job) -> {
		})));
		await().until(() -> this.stores.monitoring().servedQueues().contains("emails"));
		pass(PATIENCE);
		assertThat(this.unserved.runOnce()).isEmpty();
		worker.jobWorker().stop();
		assertThat(this.unserved.runOnce()).isEmpty();
		pass(PATIENCE);
		assertThat(this.unserved.runOnce()).containsExactly("emails");
	}

	/**
	 * Where no node has a reaper, no node removes its row.
	 */
	@Test
	void workerWithoutAHeartbeatDoesNotCount() {
		producer().queue().enqueue(JobRequest.of("emails", new Mail("hi")));
		this.sql
			.sql("""
					INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues)
					VALUES (gen_random_uuid(), now() - interval '61 s', now(), 60000, gen_random_uuid(), true, 'dead', 'emails')
					""")
			.update();
		this.unserved.runOnce();
		pass(PATIENCE);
		assertThat(this.unserved.runOnce()).containsExactly("emails");
	}

	@Test
	void pausedQueueIsNotReported() {
		var node = producer();
		for (String queue : List.of("emails", "faxes", "letters")) {
			node.queue().enqueue(JobRequest.of(queue, new Mail("hi")));
			node.operations().pause(queue);
		}
		this.unserved.runOnce();
		pass(PATIENCE);
		assertThat(this.unserved.runOnce()).isEmpty();
		node.operations().resume("emails");
		this.unserved.runOnce();
		pass(PATIENCE);
		assertThat(this.unserved.runOnce()).containsExactly("emails");
	}

	@Test
	void queueWithAPausedTypeIsReported() {
		var node = producer();
		node.queue().enqueue(JobRequest.of("emails", new Mail("hi")));
		node.operations().pause("emails", "mail");
		this.unserved.runOnce();
		pass(PATIENCE);
		assertThat(this.unserved.runOnce()).containsExactly("emails");
	}

	@Test
	void queueWithoutDueJobsIsNotReported() {
		producer().queue().enqueue(JobRequest.of("emails", new Mail("hi")).delay(Duration.ofHours(1)));
		this.unserved.runOnce();
		pass(PATIENCE);
		assertThat(this.unserved.runOnce()).isEmpty();
	}

	private void pass(Duration time) {
		this.nanoTime.addAndGet(time.toNanos());
	}

}
