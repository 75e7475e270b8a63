package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;

import io.jobqueue.BulkOperations;
import io.jobqueue.JobInfo;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.Priority;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * What an operator does about many jobs at a time.
 */
@Tag("pooler") // transactions of operators
class BulkTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final JobQuery EMAILS = JobQuery.all().queue("emails");

	/**
	 * More than a step holds.
	 */
	private static final int MANY = 1_100;

	@Test
	void pageToBeginAfterIsRefused() {
		BulkOperations bulk = producer().operations().bulk();
		JobQuery query = EMAILS.after("done.019ab7d0-3e52-7c55-9d2f-0b0c5a4f8f11");
		assertThatIllegalArgumentException().isThrownBy(() -> bulk.cancel(query)).withMessageContaining("'after'");
	}

	@Test
	@SuppressWarnings("NullAway")
	void nullIsNamed() {
		JobOperations operations = producer().operations();
		BulkOperations bulk = operations.bulk();
		assertNamed("query", () -> bulk.retry(null));
		assertNamed("query", () -> bulk.cancel(null));
		assertNamed("query", () -> bulk.delete(null));
		assertNamed("query", () -> bulk.replay(null));
		assertNamed("query", () -> bulk.reschedule(null, Instant.EPOCH));
		assertNamed("runAt", () -> bulk.reschedule(EMAILS, null));
		assertNamed("query", () -> bulk.reprioritise(null, Priority.EVENTUAL));
		assertNamed("priority", () -> bulk.reprioritise(EMAILS, null));
		assertNamed("runAt", () -> operations.reschedule("emails", "key", null));
		assertNamed("priority", () -> operations.reprioritise("emails", "key", null));
		assertNamed("states", () -> EMAILS.states((JobState[]) null));
	}

	private static void assertNamed(String argument, ThrowingCallable call) {
		assertThatNullPointerException().isThrownBy(call).withMessage("'%s' must not be null", argument);
	}

	@Test
	void jobsOutsideTheQueryAreUnchanged() {
		QueueNode node = producer();
		enqueue(node, "emails", MANY, HOUR);
		enqueue(node, "invoices", 3, HOUR);
		UUID other = node.queue().enqueue(JobRequest.of("emails", new Mail("")).group("g")).id();
		BulkOperations bulk = node.operations().bulk();
		assertThat(bulk.reprioritise(EMAILS.states(JobState.SCHEDULED), Priority.of(33))).isEqualTo(MANY);
		assertThat(bulk.reprioritise(EMAILS, Priority.of(33))).isOne();
		assertThat(bulk.cancel(EMAILS.group("g"))).isOne();
		assertThat(state(other)).isEqualTo("CANCELLED");
		assertThat(bulk.delete(EMAILS.states(JobState.SCHEDULED))).isEqualTo(MANY);
		assertThat(count("jobqueue_job")).isEqualTo(3);
		assertThat(count("jobqueue_archive")).isOne();
		assertThat(bulk.delete(JobQuery.all())).isEqualTo(4);
	}

	private static List<UUID> enqueue(QueueNode node, String queue, int count, Duration delay) {
		Stream<Mail> mails = IntStream.range(0, count).mapToObj((number) -> new Mail("" + number));
		List<JobRequest> requests = mails.map((mail) -> JobRequest.of(queue, mail).delay(delay)).toList();
		return node.queue().enqueueAll(requests).stream().map(JobReceipt::id).toList();
	}

	@Test
	void changesBeforeAFailureAreLogged() {
		QueueNode node = producer();
		enqueue(node, "emails", MANY, HOUR);
		this.sql.sql("""
				CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not this one'; END $$;
				CREATE TRIGGER refuse BEFORE UPDATE ON jobqueue_job FOR EACH ROW WHEN (old.payload LIKE '%"1050"%')
				EXECUTE FUNCTION refuse()
				""").update();
		try (CapturedLog log = new CapturedLog()) {
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> node.operations().bulk().reprioritise(EMAILS, Priority.of(33)));
			assertThat(log.messages("reprioritise")).singleElement().asString().contains("1000 affected");
		}
		finally {
			this.sql.sql("DROP FUNCTION refuse CASCADE").update();
		}
	}

	/**
	 * Those that are due already are met on the way, and keep their place.
	 */
	@Test
	void allRunNowWhenTheyAreRescheduledToThePast() {
		QueueNode node = producer();
		enqueue(node, "emails", 5, Duration.ZERO);
		enqueue(node, "emails", MANY, HOUR);
		BulkOperations bulk = node.operations().bulk();
		assertThat(bulk.reschedule(EMAILS, Instant.EPOCH)).isEqualTo(MANY);
		assertThat(node.operations().stats("emails").count(JobState.READY)).isEqualTo(MANY + 5);
		assertThat(bulk.reschedule(EMAILS, Instant.now().plus(HOUR))).isEqualTo(MANY + 5);
	}

	@Test
	void failedJobsAreRetriedLiveOrArchived() {
		Set<UUID> failed = ConcurrentHashMap.newKeySet();
		QueueNode node = started(
				(settings) -> settings.retryPolicy((failure) -> RetryDecision.retryIn(HOUR)).handler((mail, job) -> {
					if (failed.add(job.id())) {
						throw new IllegalStateException(mail.text().isEmpty() ? "refused" : "timeout");
					}
				}));
		UUID retrying = node.queue().enqueue("emails", new Mail("")).id();
		UUID other = node.queue().enqueue("emails", new Mail("x")).id();
		UUID dead = node.queue().enqueue(JobRequest.of("emails", new Mail("")).maxAttempts(1)).id();
		UUID scheduled = node.queue().enqueue(JobRequest.of("emails", new Mail("")).delay(HOUR)).id();
		UUID cancelled = node.queue().enqueue(JobRequest.of("emails", new Mail("")).delay(HOUR)).id();
		node.operations().cancel(cancelled);
		awaitState(retrying, "RETRYING");
		awaitState(other, "RETRYING");
		awaitState(dead, "DEAD");
		assertThat(node.operations().bulk().retry(EMAILS.error("REFUSED"))).isEqualTo(2);
		awaitState(retrying, "SUCCEEDED");
		awaitState(dead, "SUCCEEDED");
		assertThat(node.operations().bulk().retry(EMAILS)).isOne();
		awaitState(other, "SUCCEEDED");
		assertThat(node.operations().bulk().retry(JobQuery.all().states(JobState.SUCCEEDED))).isZero();
		assertThat(state(scheduled)).isEqualTo("SCHEDULED");
		assertThat(state(cancelled)).isEqualTo("CANCELLED");
	}

	@Test
	void waitingJobsAreCancelledAndRunningOnesRequested() {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.concurrency(2).handler((mail, job) -> {
			release.await();
			throw new IllegalStateException("stopped");
		}));
		List<UUID> jobs = enqueue(node, "emails", 10, Duration.ZERO);
		await().until(() -> node.operations().stats("emails").count(JobState.RUNNING) >= 2);
		assertThat(node.operations().bulk().cancel(EMAILS)).isEqualTo(10);
		release.countDown();
		jobs.forEach((job) -> awaitState(job, "CANCELLED"));
	}

	/**
	 * Each job either runs or is deleted. Of each round, some may run meanwhile, and too
	 * few for all to do so before they are deleted.
	 */
	@Test
	void clearRacesClaims() {
		Set<UUID> begun = ConcurrentHashMap.newKeySet();
		Semaphore permits = new Semaphore(0);
		QueueNode node = started((settings) -> settings.handler((mail, job) -> {
			begun.add(job.id());
			permits.acquire();
		}));
		long cleared = 0;
		int enqueued = 0;
		for (int round = 0; round < 10; round++) {
			permits.drainPermits();
			enqueued += enqueue(node, "emails", 400, Duration.ZERO).size();
			int before = begun.size();
			permits.release(100);
			await().until(() -> begun.size() > before);
			cleared += node.operations().clear("emails");
		}
		permits.release(enqueued);
		await().until(() -> count("jobqueue_job") == 0);
		assertThat(cleared).isPositive();
		assertThat(begun).isNotEmpty();
		assertThat(begun.size() + cleared).isEqualTo(enqueued);
		assertThat(this.sql.sql("SELECT id FROM jobqueue_archive").query(UUID.class).list())
			.containsExactlyInAnyOrderElementsOf(begun);
	}

	@Test
	void clearKeepsTheArchiveAndOtherQueues() {
		QueueNode node = producer();
		UUID cancelled = enqueue(node, "emails", 1, HOUR).get(0);
		node.operations().cancel(cancelled);
		enqueue(node, "emails", 2, HOUR);
		UUID other = enqueue(node, "invoices", 1, HOUR).get(0);
		assertThat(node.operations().clear("emails")).isEqualTo(2);
		assertThat(List.of(state(cancelled), state(other))).containsExactly("CANCELLED", "SCHEDULED");
	}

	@Test
	@Tag("slow") // waits for a lock time-out of 5 s
	void lockedJobIsSkippedAndOthersAreChanged() {
		QueueNode node = producer();
		List<UUID> jobs = enqueue(node, "emails", 5, HOUR);
		this.sql.sql("UPDATE jobqueue_job SET attempts = 1, failures = 1").update();
		node.transaction().executeWithoutResult((status) -> {
			assertThat(node.queue().enqueue(JobRequest.of("emails", new Mail("")).key("k")).accepted()).isTrue();
			this.sql
				.sql("""
						INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
						                              type, payload, unique_key)
						SELECT gen_random_uuid(), n, now(), now() - interval '1 hour', now(), 1, 1, 1, 'DEAD', 'emails', 'mail', '{}',
						       CASE WHEN n = 2 THEN 'k' END
						FROM generate_series(1, 4) n
						""")
				.update();
			try (CapturedLog log = new CapturedLog()) {
				assertThat(node.operations().bulk().retry(EMAILS)).isEqualTo(5 + 3);
				assertThat(log
					.messages("of type mail in queue emails: the job or its key is locked by another transaction"))
					.hasSize(1);
			}
		});
		assertThat(jobs).allMatch((job) -> state(job).equals("READY"));
	}

	@Test
	void copiesRunInTheOrderOfTheirAncestors() {
		List<String> ran = Collections.synchronizedList(new ArrayList<>());
		QueueNode node = started((settings) -> settings.handler((mail, job) -> ran.add(mail.text())));
		List<UUID> jobs = Stream.of("0", "1", "2", "3")
			.map((text) -> node.queue()
				.enqueue(JobRequest.of("emails", new Mail(text)).orderedBy("a").key(text).header("tenant", "acme"))
				.id())
			.toList();
		jobs.forEach((job) -> awaitState(job, "SUCCEEDED"));
		long second = node.operations().find(jobs.get(1)).orElseThrow().details().position();
		assertThat(node.operations().bulk().replay(EMAILS.fromPosition(second))).isEqualTo(3);
		await().until(() -> ran.size() == 7);
		assertThat(ran).containsExactly("0", "1", "2", "3", "1", "2", "3");
		await().until(() -> count("jobqueue_job") == 0);
		List<JobInfo> copies = node.operations()
			.list(EMAILS)
			.jobs()
			.stream()
			.filter((job) -> job.details().ancestor() != null)
			.toList();
		assertThat(copies).extracting((job) -> job.details().ancestor())
			.containsExactlyInAnyOrderElementsOf(jobs.subList(1, 4));
		assertThat(copies).allSatisfy((job) -> {
			assertThat(job.headers()).containsEntry("tenant", "acme");
			assertThat(job.details().key()).isNull();
		});
	}

	@Test
	void replayFromATimeAddsCopiesOfWhatFinishedSince() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> Math.abs(1)));
		List<UUID> jobs = enqueue(node, "emails", MANY, Duration.ZERO);
		await().until(() -> count("jobqueue_archive") == MANY);
		this.sql.sql("UPDATE jobqueue_archive SET finished_at = now() - interval '1 hour' WHERE id = ?")
			.param(jobs.get(7))
			.update();
		Instant since = Instant.now().minus(Duration.ofMinutes(30));
		assertThat(node.operations().bulk().replay(EMAILS.finishedFrom(since))).isEqualTo(MANY - 1);
		await().until(() -> count("jobqueue_archive") == 2 * MANY - 1);
		assertThat(node.operations().replay(jobs.get(7))).isNotIn(jobs);
		await().until(() -> count("jobqueue_archive") == 2 * MANY);
	}

	/**
	 * Copies finish, and are archived, while others are still looked for.
	 */
	@Test
	void jobsEnqueuedMeanwhileAreLeftOut() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> Math.abs(1)));
		enqueue(node, "emails", MANY, Duration.ZERO);
		await().until(() -> count("jobqueue_archive") == MANY);
		JobQuery query = EMAILS.enqueuedBefore(Instant.now().plus(HOUR));
		assertThat(node.operations().bulk().replay(query)).isEqualTo(MANY);
	}

	@Test
	void copyWakesAWorkerUp() {
		QueueNode node = started((settings) -> settings.pollInterval(HOUR).handler((mail, job) -> Math.abs(1)));
		UUID job = enqueue(node, "emails", 1, Duration.ZERO).get(0);
		awaitState(job, "SUCCEEDED");
		awaitState(node.operations().replay(job), "SUCCEEDED");
	}

	@Test
	void jobThatAWorkerServesFromNowOnWakesItUp() {
		QueueNode node = started(
				(settings) -> settings.pollInterval(HOUR).priorities(0, 9).handler((mail, job) -> Math.abs(1)));
		UUID served = node.queue().enqueue(JobRequest.of("emails", new Mail("")).priority(Priority.of(5))).id();
		awaitState(served, "SUCCEEDED");
		UUID job = enqueue(node, "emails", 1, Duration.ZERO).get(0);
		assertThat(node.operations().bulk().reprioritise(EMAILS, Priority.of(5))).isOne();
		awaitState(job, "SUCCEEDED");
	}

}
