package io.jobqueue.delivery;

import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.jobqueue.Delivery;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs with keys on a real worker, whatever their delivery.
 */
@Tag("pooler") // transactions of handlers
class KeyedJobTests extends NodeTestBase {

	private static final Duration PROMPTLY = Duration.ofSeconds(30);

	private static final Duration LATE = Duration.ofDays(1);

	private static final JobRequest MAIL = JobRequest.of("emails", new Mail("hi")).key("signup-42");

	private final Queue<UUID> begun = new ConcurrentLinkedQueue<>();

	private final AtomicReference<JobQueue> queue = new AtomicReference<>();

	/**
	 * Neither a poll nor the reaper would find the follow-up in time.
	 */
	@ParameterizedTest
	@EnumSource
	void followUpStartsPromptly(Delivery delivery) {
		CountDownLatch release = new CountDownLatch(1);
		JobQueue queue = start(delivery, () -> {
			release.await();
			return JobResult.success();
		});
		UUID first = queue.enqueue(MAIL).id();
		await().until(() -> this.begun.contains(first));
		UUID followUp = queue.enqueue(MAIL.onDuplicate(OnDuplicate.REQUEUE)).id();
		assertThat(state(followUp)).isEqualTo("BLOCKED");
		release.countDown();
		Awaitility.await().atMost(PROMPTLY).until(() -> this.begun.contains(followUp));
		awaitState(followUp, "SUCCEEDED");
		assertThat(this.begun).containsExactly(first, followUp);
	}

	/**
	 * A handler enqueues its own key once, on its own transaction if it has one.
	 */
	@ParameterizedTest
	@EnumSource
	void handlerMayRequeueItself(Delivery delivery) {
		JobQueue queue = start(delivery, () -> {
			if (this.begun.size() == 1) {
				assertThat(this.queue.get().enqueue(MAIL.onDuplicate(OnDuplicate.REQUEUE)).outcome())
					.isEqualTo(Outcome.REQUEUED);
			}
			return JobResult.success();
		});
		queue.enqueue(MAIL);
		Awaitility.await().atMost(PROMPTLY).until(() -> this.begun.size() == 2);
		await().until(() -> count("jobqueue_job") + count("jobqueue_key") == 0);
	}

	@ParameterizedTest
	@EnumSource
	void windowOfTheResultBeatsThatOfTheRequest(Delivery delivery) {
		JobQueue queue = start(delivery, () -> JobResult.success().dedupeFor(Duration.ofHours(1)));
		UUID job = queue.enqueue(MAIL.dedupeFor(Duration.ofMillis(1))).id();
		awaitState(job, "SUCCEEDED");
		assertThat(queue.enqueue(MAIL)).isEqualTo(new JobReceipt(job, Outcome.RECENTLY_SUCCEEDED));
		assertThat(windowInSeconds()).isBetween(3500.0, 3600.0);
	}

	@ParameterizedTest
	@EnumSource
	void exceptionThatMeansSuccessBeginsTheWindowOfTheRequest(Delivery delivery) {
		JobQueue queue = start(delivery, () -> {
			throw new Handlers.AlreadyDone();
		});
		UUID job = queue.enqueue(MAIL.dedupeFor(Duration.ofHours(1))).id();
		awaitState(job, "SUCCEEDED");
		assertThat(queue.enqueue(MAIL).outcome()).isEqualTo(Outcome.RECENTLY_SUCCEEDED);
	}

	@Test
	void windowMayLastForEver() {
		JobQueue queue = start(Delivery.AT_LEAST_ONCE,
				() -> JobResult.success().dedupeFor(Duration.ofSeconds(Long.MAX_VALUE)));
		UUID job = queue.enqueue(MAIL).id();
		awaitState(job, "SUCCEEDED");
		assertThat(queue.enqueue(MAIL).outcome()).isEqualTo(Outcome.RECENTLY_SUCCEEDED);
	}

	@Test
	void handlerReceivesTheKey() {
		Queue<String> keys = new ConcurrentLinkedQueue<>();
		JobQueue queue = started((node) -> node.handler((mail, job) -> keys.add(job.key() + "/" + mail.text())))
			.queue();
		queue.enqueue(MAIL);
		queue.enqueue(new Mail("unkeyed"));
		await().untilAsserted(() -> assertThat(keys).containsExactlyInAnyOrder("signup-42/hi", "null/unkeyed"));
	}

	private JobQueue start(Delivery delivery, ResultSupplier result) {
		this.begun.clear();
		this.queue
			.set(started((node) -> node.pollInterval(LATE).reaperInterval(LATE).bean(Handlers.of(delivery, (job) -> {
				this.begun.add(job.id());
				return result.get();
			}))).queue());
		return this.queue.get();
	}

	private double windowInSeconds() {
		return this.sql.sql("SELECT extract(epoch FROM ends_at - now()) FROM jobqueue_dedupe")
			.query(Double.class)
			.single();
	}

	/**
	 * What a handler returns in the end.
	 */
	@FunctionalInterface
	private interface ResultSupplier {

		JobResult get() throws Throwable;

	}

}
