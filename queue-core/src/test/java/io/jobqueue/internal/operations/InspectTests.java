package io.jobqueue.internal.operations;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

import io.jobqueue.JobInfo;
import io.jobqueue.JobOperations;
import io.jobqueue.JobPage;
import io.jobqueue.JobPayload;
import io.jobqueue.JobQuery;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.JobStats;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What operators are shown.
 */
class InspectTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	@Test
	void jobIsShownWithoutItsPayload() {
		QueueNode node = producer();
		UUID job = node.queue()
			.enqueue(JobRequest.of("emails", new Mail("secret")).key("k").delay(HOUR).header("tenant", "acme"))
			.id();
		JobInfo info = node.operations().find(job).orElseThrow();
		assertThat(info.state()).isEqualTo(JobState.SCHEDULED);
		assertThat(info.headers()).isEqualTo(Map.of("tenant", "acme"));
		assertThat(info.details().key()).isEqualTo("k");
		assertThat(info.toString() + info.details()).doesNotContain("secret");
		assertThat(node.operations().findByKey("emails", "k")).hasValue(info);
		assertThat(node.operations().find(UUID.randomUUID())).isEmpty();
	}

	/**
	 * The driver would replace the surrogate by a question mark, and find another job.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "a\0", "a\uD800", "\uDC00\uD800" })
	void textThatIsNotStorableIsRefused(String text) {
		QueueNode node = producer();
		node.queue().enqueue(JobRequest.of("emails", new Mail("mail")).key("a?").group("a?"));
		JobOperations operations = node.operations();
		Stream
			.<ThrowingCallable>of(() -> operations.findByKey("emails", text), () -> operations.cancel(text, "k"),
					() -> operations.cancel("emails", text), () -> operations.groupProgress(text),
					() -> operations.groupProgress("emails", text), () -> operations.stats(text),
					() -> operations.clear(text), () -> operations.resume(text), () -> operations.pause("emails", text),
					() -> operations.list(JobQuery.all().queue(text)), () -> operations.list(JobQuery.all().type(text)),
					() -> operations.list(JobQuery.all().key(text)), () -> operations.list(JobQuery.all().error(text)),
					() -> operations.bulk().delete(JobQuery.all().group(text)))
			.forEach((call) -> assertThatIllegalArgumentException().isThrownBy(call)
				.withMessageEndingWith(
						"contains the character NUL or an unpaired surrogate, which no stored text does"));
		assertThat(operations.findByKey("emails", "a?")).isPresent();
		assertThat(operations.groupProgress("\uD83D\uDE00").total()).isZero();
	}

	@Test
	void payloadIsReadUpToABound() {
		QueueNode node = producer();
		UUID job = node.queue().enqueue("emails", new Mail("secret")).id();
		JobPayload payload = node.operations().payload(job).orElseThrow();
		assertThat(payload).isEqualTo(new JobPayload("{\"text\":\"secret\"}", false, 17));
		assertThat(payload.toString()).doesNotContain("secret");
		this.sql.sql("UPDATE jobqueue_job SET payload = repeat('€', 10001)").update();
		assertThat(node.operations().payload(job)).hasValue(new JobPayload("€".repeat(10_000), false, 10_001));
		this.sql.sql("UPDATE jobqueue_job SET payload = NULL, payload_bytes = decode(repeat('ff', 10002), 'hex')")
			.update();
		assertThat(node.operations().payload(job)).hasValueSatisfying((bytes) -> {
			assertThat(Base64.getDecoder().decode(bytes.content())).hasSize(10_000).containsOnly(0xFF);
			assertThat(List.of(bytes.binary(), bytes.size())).containsExactly(true, 10_002L);
		});
		assertThat(node.operations().payload(UUID.randomUUID())).isEmpty();
	}

	@Test
	void callersOwnTransactionIsLeftOut() {
		QueueNode node = node(settings(new TransactionAwareDataSourceProxy(this.pool)));
		node.transaction().executeWithoutResult((status) -> {
			UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
			assertThat(node.operations().find(job)).isEmpty();
			status.setRollbackOnly();
		});
	}

	@Test
	void pagesFollowEachOther() {
		QueueNode node = producer();
		Stream.of("one", "two", "three").forEach((text) -> node.queue().enqueue("emails", new Mail(text)));
		JobQuery query = JobQuery.all().queue("emails").limit(2);
		JobPage first = node.operations().list(query);
		JobPage second = node.operations().list(query.after(first.next()));
		assertThat(first.jobs()).hasSize(2).isSortedAccordingTo((one, other) -> one.runAt().compareTo(other.runAt()));
		assertThat(second.jobs()).hasSize(1).doesNotContainAnyElementsOf(first.jobs());
		assertThat(second.next()).isNull();
		assertThat(List.of(first.partial(), second.partial())).containsOnly(false);
	}

	@Test
	void jobsAreCountedByQueueAndState() {
		QueueNode node = started((settings) -> settings.maxAttempts(1).handler((mail, job) -> {
			if (mail.text().equals("die")) {
				throw new IllegalStateException(mail.text());
			}
		}));
		UUID dead = node.queue().enqueue("emails", new Mail("die")).id();
		UUID done = node.queue().enqueue("emails", new Mail("live")).id();
		node.queue().enqueue(JobRequest.of("emails", new Mail("later")).delay(HOUR));
		node.queue().enqueue("invoices", new Mail("other"));
		awaitState(dead, "DEAD");
		awaitState(done, "SUCCEEDED");
		JobOperations operations = node.operations();
		JobStats all = operations.stats();
		assertThat(all.counts())
			.isEqualTo(Map.of(JobState.DEAD, 1L, JobState.SUCCEEDED, 1L, JobState.SCHEDULED, 1L, JobState.READY, 1L));
		assertThat(all.capped()).isEmpty();
		assertThat(all.queues().keySet()).containsExactlyInAnyOrder("emails", "invoices");
		assertThat(all.queues().get("invoices").count(JobState.READY)).isOne();
		assertThat(operations.stats("invoices")).isEqualTo(all.queues().get("invoices"));
		assertThat(operations.stats("nothing").count(JobState.READY)).isZero();
		assertThat(all.partial()).isFalse();
	}

	@Test
	void jobsThatRunBackOffOrWaitForOthersAreCountedToo() {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started(
				(settings) -> settings.retryPolicy((failure) -> RetryDecision.retryIn(HOUR)).handler((mail, job) -> {
					if (mail.text().equals("fail")) {
						throw new IllegalStateException(mail.text());
					}
					release.await();
				}));
		UUID failed = node.queue().enqueue("emails", new Mail("fail")).id();
		UUID running = node.queue().enqueue(JobRequest.of("emails", new Mail("first")).orderedBy("a")).id();
		awaitState(failed, "RETRYING");
		awaitState(running, "RUNNING");
		UUID second = node.queue().enqueue(JobRequest.of("emails", new Mail("second")).orderedBy("a")).id();
		awaitState(second, "BLOCKED");
		assertThat(node.operations().stats("emails").counts())
			.isEqualTo(Map.of(JobState.RETRYING, 1L, JobState.RUNNING, 1L, JobState.BLOCKED, 1L));
		release.countDown();
		awaitState(second, "SUCCEEDED");
	}

	@Test
	void countsOfUnfinishedJobsAreCapped() {
		QueueNode node = producer();
		node.queue().enqueue(JobRequest.of("emails", new Mail("later")).delay(HOUR));
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				SELECT gen_random_uuid(), now(), now(), 10, 'emails', 'mail', '{}' FROM generate_series(1, 10001)
				""").update();
		JobStats emails = node.operations().stats("emails");
		assertThat(emails.count(JobState.READY)).isEqualTo(10_000);
		assertThat(emails.isCapped(JobState.READY)).isTrue();
		assertThat(emails.capped()).containsExactly(JobState.READY);
		assertThat(node.operations().stats().capped()).containsExactly(JobState.READY);
	}

	@Test
	void countsOfFinishedJobsAreCapped() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload)
					SELECT gen_random_uuid(), number, now(), now(), now(), 1, 1, 10, 'DEAD',
					       CASE WHEN number < 3 THEN 'invoices' ELSE 'emails' END, 'mail', '{}'
					FROM generate_series(1, 10002) number
					""")
			.update();
		JobOperations operations = producer().operations();
		assertThat(operations.stats("emails").count(JobState.DEAD)).isEqualTo(10_000);
		assertThat(operations.stats("emails").capped()).contains(JobState.DEAD);
		assertThat(operations.stats("invoices").count(JobState.DEAD)).isEqualTo(2);
		assertThat(operations.stats("invoices").capped()).containsExactly(JobState.SUCCEEDED);
		assertThat(operations.stats("unused").capped()).containsExactly(JobState.SUCCEEDED);
	}

	@Test
	void ofVeryManyQueuesThoseThatAreServedAreCounted() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> {
		}));
		node.queue().enqueue(JobRequest.of("emails", new Mail("later")).delay(HOUR));
		node.queue().enqueue("invoices", new Mail("other"));
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
					SELECT gen_random_uuid(), now(), now(), 10, 'a' || number, 'mail', '{}' FROM generate_series(1, 1000) number
					""")
			.update();
		await().until(() -> count("jobqueue_worker WHERE queues = 'emails'") == 1);
		JobStats all = node.operations().stats();
		assertThat(all.partial()).isTrue();
		assertThat(all.queues()).hasSize(1_001).containsKey("emails").doesNotContainKey("invoices");
		assertThat(node.operations().stats("invoices").count(JobState.READY)).isOne();
	}

}
