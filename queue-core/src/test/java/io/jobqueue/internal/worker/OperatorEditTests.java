package io.jobqueue.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.Priority;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A change in the table applies to the next attempt, and no change alters when a job was
 * created.
 */
class OperatorEditTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	@ParameterizedTest
	@EnumSource
	void waitingJobRunsByItsNewPriorityAtItsNewTime(Wait wait) {
		Editable handler = new Editable(wait);
		QueueNode node = started((settings) -> settings.bean(handler));
		UUID job = wait.enqueue(node);
		await().until(() -> state(job).equals(wait.state));
		edit(job, 3, "now() + interval '2 hours'");
		assertThat(state(job)).isEqualTo(wait.state);
		edit(job, 3, "now() + interval '10 minutes'");
		awaitState(node.queue().enqueue(JobRequest.of("emails", new Due()).priority(Priority.of(3))).id(), "SUCCEEDED");
		assertThat(state(job)).isEqualTo(wait.state);
		edit(job, 4, "now()");
		awaitState(job, "SUCCEEDED");
		assertThat(handler.lastPriority).hasValue(4);
		assertThat(column("priority", job, Integer.class)).isEqualTo(4);
		assertThat(handler.created).hasSize(1)
			.containsExactly(column("created_at", job, OffsetDateTime.class).toInstant());
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRYING", "SNOOZED" })
	void releasedJobHasItsNewPriority(Wait wait) {
		Editable handler = new Editable(wait);
		handler.mayEnd = new CountDownLatch(1);
		UUID job = wait.enqueue(started((node) -> node.bean(handler)));
		awaitState(job, "RUNNING");
		edit(job, 7, "run_at");
		handler.mayEnd.countDown();
		awaitState(job, wait.state);
		assertThat(column("priority", job, Integer.class)).isEqualTo(7);
		edit(job, 7, "now()");
		awaitState(job, "SUCCEEDED");
		assertThat(handler.lastPriority).hasValue(7);
	}

	@ParameterizedTest
	@EnumSource
	void waitingJobWithKeysRunsByItsNewPriorityAtItsNewTime(Wait wait) {
		Editable handler = new Editable(wait);
		UUID job = started((node) -> node.bean(handler)).queue().enqueue(keyed(wait.request())).id();
		await().until(() -> state(job).equals(wait.state));
		editKeyed(job, 3, "now() + interval '2 hours'");
		assertThat(state(job)).isEqualTo(wait.state);
		editKeyed(job, 4, "now()");
		awaitState(job, "SUCCEEDED");
		assertThat(handler.lastPriority).hasValue(4);
		assertThat(handler.created).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "turn", "slot" })
	void jobThatWaitsForOthersRunsAtItsNewTimeWhenTheyAreDone(String key) throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.concurrency(2)
			.keys(new AdmissionRules(1, false))
			.handler((mail, job) -> release.await()));
		UUID first = node.queue().enqueue(keyed(key)).id();
		awaitState(first, "RUNNING");
		UUID second = node.queue().enqueue(keyed(key)).id();
		awaitState(second, "BLOCKED");
		editKeyed(second, 3, "now() + interval '1 hour'");
		release.countDown();
		awaitState(first, "SUCCEEDED");
		awaitState(second, "SCHEDULED");
		UUID third = node.queue().enqueue(JobRequest.of("emails", new Mail("hi"))).id();
		awaitState(third, "SUCCEEDED");
		assertThat(state(second)).isEqualTo("SCHEDULED");
		editKeyed(second, 3, "now()");
		awaitState(second, "SUCCEEDED");
	}

	@Test
	void slotOfAPostponedJobIsTakenByOthers() {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.reaperInterval(HOUR)
			.keys(new AdmissionRules(1, false))
			.handler((mail, job) -> release.await()));
		List<UUID> jobs = Stream.generate(() -> node.queue().enqueue(keyed("slot")).id()).limit(3).toList();
		awaitState(jobs.get(0), "RUNNING");
		awaitState(jobs.get(1), "BLOCKED");
		awaitState(jobs.get(2), "BLOCKED");
		editKeyed(jobs.get(1), 3, "now() + interval '1 hour'");
		release.countDown();
		awaitState(jobs.get(2), "SUCCEEDED");
		assertThat(state(jobs.get(1))).isEqualTo("SCHEDULED");
	}

	@Test
	void admittedJobCanBePostponed() {
		started((node) -> node.reaperInterval(HOUR).handler((mail, job) -> {
		}));
		UUID job = UUID.randomUUID();
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, ordering_key, limit_key)
					VALUES (?, now() + interval '1 hour', now(), 10, 'emails', 'mail', '{"text": "hi"}', 'a', 'b')
					""")
			.param(job)
			.update();
		editKeyed(job, 10, "now() + interval '2 hours'");
		assertThat(state(job)).isEqualTo("SCHEDULED");
		editKeyed(job, 10, "now()");
		awaitState(job, "SUCCEEDED");
	}

	@Test
	void laterOneOvertakesWhenItsPriorityIsImproved() {
		List<UUID> jobs = producer().queue()
			.enqueueAll(List.of(JobRequest.of("emails", new Mail("one")), JobRequest.of("emails", new Mail("two"))))
			.stream()
			.map((receipt) -> receipt.id())
			.toList();
		edit(jobs.get(1), 0, "run_at");
		started((node) -> node.concurrency(1).handler((mail, job) -> this.sql.sql("SELECT 1").query().singleRow()));
		awaitState(jobs.get(0), "SUCCEEDED");
		assertThat(this.sql.sql("SELECT id FROM jobqueue_archive ORDER BY finished_at").query(UUID.class).list())
			.containsExactly(jobs.get(1), jobs.get(0));
	}

	/**
	 * As the documentation says how.
	 */
	@Test
	void attemptsSetToZeroAreAvailableAgain() {
		AtomicInteger runs = new AtomicInteger();
		QueueNode node = started((settings) -> settings.maxAttempts(2).retryPolicy((failure) -> {
			runs.incrementAndGet();
			return RetryDecision.retryIn(HOUR);
		}).handler((mail, job) -> {
			throw new IllegalStateException("refused");
		}));
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		for (int round = 1; round <= 3; round++) {
			int expected = round;
			await().until(() -> runs.get() == expected && state(job).equals("RETRYING"));
			this.sql.sql("""
					UPDATE jobqueue_job SET attempts = 0, failures = 0, expected_failures = NULL, run_at = now()
					WHERE id = ? AND locked_by IS NULL""").param(job).update();
		}
		await().until(() -> runs.get() == 4);
	}

	private void edit(UUID job, int priority, String runAt) {
		assertThat(this.sql.sql("UPDATE jobqueue_job SET priority = ?, run_at = %s WHERE id = ?".formatted(runAt))
			.params(priority, job)
			.update()).isEqualTo(1);
	}

	/**
	 * As the documentation says how.
	 */
	private void editKeyed(UUID job, int priority, String dueAt) {
		assertThat(this.sql.sql("""
				UPDATE jobqueue_job
				SET priority = ?, run_at = 'infinity', due_at = %s, admission = 'PENDING'
				WHERE id = ? AND locked_by IS NULL AND follows IS NULL AND coalesce(ordering_key, limit_key) IS NOT NULL
				""".formatted(dueAt)).params(priority, job).update()).isEqualTo(1);
	}

	private static JobRequest keyed(JobRequest request) {
		return request.orderedBy("customer").limitedBy("customer");
	}

	private static JobRequest keyed(String key) {
		JobRequest request = JobRequest.of("emails", new Mail("hi"));
		return key.equals("turn") ? request.orderedBy("customer") : request.limitedBy("customer");
	}

	/**
	 * Why a job waits.
	 */
	enum Wait {

		SCHEDULED("SCHEDULED"), RETRYING("RETRYING"), SNOOZED("SCHEDULED");

		private final String state;

		Wait(String state) {
			this.state = state;
		}

		UUID enqueue(QueueNode node) {
			return node.queue().enqueue(request()).id();
		}

		JobRequest request() {
			JobRequest request = JobRequest.of("emails", new Mail("hi"));
			return (this == SCHEDULED) ? request.delay(HOUR) : request;
		}

		JobResult result(int run) {
			return Map.of(RETRYING, JobResult.retryIn(HOUR), SNOOZED, JobResult.snooze(HOUR))
				.getOrDefault((run == 1) ? this : SCHEDULED, JobResult.success());
		}

	}

	/**
	 * A job of the same priority that is due: the claim that takes it takes all that are.
	 */
	record Due() {
	}

	static final class Editable {

		private final Wait wait;

		private final AtomicInteger runs = new AtomicInteger();

		private final AtomicInteger lastPriority = new AtomicInteger(-1);

		private final Set<Instant> created = ConcurrentHashMap.newKeySet();

		private CountDownLatch mayEnd = new CountDownLatch(0);

		Editable(Wait wait) {
			this.wait = wait;
		}

		@JobHandler(queue = "emails")
		JobResult handle(Mail mail, JobContext job) throws InterruptedException {
			this.created.add(job.enqueuedAt());
			this.mayEnd.await();
			this.lastPriority.set(job.priority().value());
			return this.wait.result(this.runs.incrementAndGet());
		}

		@JobHandler(queue = "emails")
		void handle(Due due) {
		}

	}

}
