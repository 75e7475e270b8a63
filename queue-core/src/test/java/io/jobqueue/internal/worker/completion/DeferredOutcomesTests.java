package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.worker.execution.OutcomePolicy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * OutcomePolicy that cannot be written while another transaction keeps jobs or their
 * table locked.
 */
@Tag("slow") // locks and outages that last
class DeferredOutcomesTests extends NodeTestBase {

	private static final int HANDLERS = 16;

	private static final int MANY = 16_000;

	private static final String TEXT = "'{}'";

	private CountDownLatch release = new CountDownLatch(1);

	private final AtomicInteger begun = new AtomicInteger();

	private final AtomicInteger returned = new AtomicInteger();

	@BeforeEach
	void blockHandlers() {
		this.release = new CountDownLatch(1);
		this.begun.set(0);
		this.returned.set(0);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "LOCK TABLE jobqueue_job IN SHARE MODE", "LOCK TABLE jobqueue_job IN ACCESS EXCLUSIVE MODE",
					"LOCK TABLE jobqueue_archive IN SHARE MODE", "SELECT 1 FROM jobqueue_job FOR UPDATE" })
	void jobsThatReturnedDuringALockLongerThanTheirLeasesSucceed(String lock) {
		QueueNode node = started((settings) -> settings.bean(new Once())
			.concurrency(HANDLERS)
			.maxRunTime(Duration.ofSeconds(6))
			.timeout(Duration.ofSeconds(6)));
		QueueNode other = node(settings().name("other")).start();
		node.queue().enqueueAll(IntStream.range(0, HANDLERS).mapToObj((n) -> JobRequest.of(new Mail("hi"))).toList());
		await().until(() -> this.begun.get() == HANDLERS);
		lockedBy(lock, () -> {
			this.release.countDown();
			await().until(() -> this.returned.get() == HANDLERS);
			awaitTheEndOfAllLeases();
		});
		await().until(() -> count("jobqueue_job") == 0);
		assertThat(count("jobqueue_jobs WHERE state <> 'SUCCEEDED'")).isZero();
		assertThat(count("jobqueue_archive WHERE attempts = 1")).isEqualTo(HANDLERS);
		assertThat(node.reaped()).isEmpty();
		assertThat(other.reaped()).isEmpty();
	}

	/**
	 * No row can be read while the table is locked, so the database is asked for the
	 * time.
	 */
	private void awaitTheEndOfAllLeases() {
		OffsetDateTime end = now().plusSeconds(10);
		await().until(() -> now().isAfter(end));
	}

	private OffsetDateTime now() {
		return this.sql.sql("SELECT clock_timestamp()").query(OffsetDateTime.class).single();
	}

	private void lockedBy(String lock, Runnable meanwhile) {
		new TransactionTemplate(new JdbcTransactionManager(this.pool)).executeWithoutResult((status) -> {
			new JdbcTemplate(this.pool).execute(lock);
			meanwhile.run();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "LOCK TABLE jobqueue_job IN SHARE MODE", "SELECT 1 FROM jobqueue_job FOR UPDATE" })
	void manyAreWrittenTogetherAsSoonAsTheLockIsGone(String lock) {
		CompletingJobs jobs = closeLater(new CompletingJobs(this.pool, MANY, TEXT));
		lockedBy(lock, () -> {
			jobs.submit();
			await().until(() -> jobs.tries() > 3);
			assertThat(count("jobqueue_archive")).isZero();
		});
		int tries = jobs.tries();
		await().until(() -> count("jobqueue_archive") == MANY);
		assertThat(jobs.tries() - tries).isLessThanOrEqualTo(3 * MANY / CompletionRetries.MAX_BATCH);
	}

	/**
	 * An error that no part of the batcher expects, at any place, ends neither its thread
	 * nor the outcomes that it had taken.
	 */
	@Test
	void unexpectedExceptionLosesNoOutcome() {
		CompletingJobs jobs = closeLater(new CompletingJobs(this.pool, MANY, TEXT));
		AtomicInteger calls = new AtomicInteger();
		jobs.beforeLocked(() -> {
			if (calls.incrementAndGet() % 2 == 1) {
				throw new OutOfMemoryError("thrown by the test");
			}
		});
		lockedBy("SELECT 1 FROM jobqueue_job FOR UPDATE", () -> {
			jobs.submit();
			await().until(() -> calls.get() > 5);
		});
		await().until(() -> count("jobqueue_archive") == MANY);
		await().until(() -> jobs.written() == MANY);
		assertThat(jobs.lost()).isZero();
	}

	/**
	 * The bytes of payloads that a worker may hold are free again when a handler returns.
	 */
	@Test
	void outcomeThatWaitsHoldsNoPayload() {
		CompletingJobs jobs = closeLater(new CompletingJobs(this.pool, 1, "repeat('x', 1000)"));
		ClaimedJob job = jobs.jobs().get(0);
		Completion completion = new Completion(job, OutcomePolicy.released(job), null, null)
			.with(new CompletableFuture<>());
		assertThat(job.payload().text()).hasSize(1000);
		assertThat(completion.job().payload().text()).isEmpty();
		assertThat(completion.job()).usingRecursiveComparison().ignoringFields("payload").isEqualTo(job);
		jobs.submit();
		await().until(() -> count("jobqueue_archive WHERE length(payload) = 1000") == 1);
	}

	@Test
	void lockOfTheTableAndItsEndAreLoggedOnce() {
		CompletingJobs jobs = closeLater(new CompletingJobs(this.pool, 100, TEXT));
		try (CapturedLog log = new CapturedLog()) {
			lockedBy("LOCK TABLE jobqueue_job IN SHARE MODE", () -> {
				jobs.submit();
				await().until(() -> jobs.tries() > 8);
			});
			await().until(() -> count("jobqueue_archive") == 100);
			assertThat(log.messages("Recording job outcomes failed; will retry")).singleElement()
				.asString()
				.contains("SQLState 55P03");
			await().until(() -> log.messages("Recording job outcomes works again").size() == 1);
			assertThat(log.text()).doesNotContain("WITH ended AS");
		}
	}

	final class Once {

		@JobHandler(queue = "emails", delivery = Delivery.AT_MOST_ONCE)
		void handle(Mail mail) throws InterruptedException {
			DeferredOutcomesTests.this.begun.incrementAndGet();
			DeferredOutcomesTests.this.release.await();
			DeferredOutcomesTests.this.returned.incrementAndGet();
		}

	}

}
