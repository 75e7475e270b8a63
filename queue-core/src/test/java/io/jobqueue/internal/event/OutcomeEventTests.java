package io.jobqueue.internal.event;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.event.EventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.Delivery;
import io.jobqueue.JobEnqueued;
import io.jobqueue.JobFailed;
import io.jobqueue.JobInfo;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobState;
import io.jobqueue.JobSucceeded;
import io.jobqueue.Priority;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.StoreCalls;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The events of runs.
 */
class OutcomeEventTests extends OutcomeEventTestBase {

	@ParameterizedTest
	@EnumSource
	void success(Delivery delivery) {
		UUID job = run(delivery, (context) -> JobResult.success());
		awaitState(job, "SUCCEEDED");
		assertThat(received(JobSucceeded.class)).extracting(JobInfo::id).containsExactly(job);
		assertOnlyReceived(JobSucceeded.class);
	}

	@Test
	void jobIsDescribedAsItIsStored() {
		QueueNode node = start(Delivery.AT_LEAST_ONCE, (context) -> JobResult.success(), (settings) -> settings);
		UUID job = node.queue()
			.enqueue(JobRequest.of("emails", new Mail("hi")).priority(Priority.of(7)).header("tenant", "acme"))
			.id();
		awaitState(job, "SUCCEEDED");
		assertThat(received(JobSucceeded.class)).containsExactly(new JobInfoBuilder(job, JobState.SUCCEEDED).priority(7)
			.attempt(1)
			.maxAttempts(25)
			.enqueuedAt(time("created_at", job))
			.runAt(time("run_at", job))
			.header("tenant", "acme")
			.build());
	}

	/**
	 * A query made by the listener finds the job succeeded, although the outcome is held
	 * before it is written and before the transaction of the handler commits.
	 */
	@ParameterizedTest
	@EnumSource
	void successIsPublishedAfterItsCommit(Delivery delivery) {
		Witness witness = new Witness();
		UUID job = start(delivery, (context) -> {
			if (delivery == Delivery.TRANSACTIONAL) {
				TransactionSynchronizationManager.registerSynchronization(witness);
			}
			return JobResult.success();
		}, (settings) -> settings.bean(witness)
			.jobStore((store) -> StoreCalls.before("recordOutcomes", store, witness::awaitBriefly))).queue()
			.enqueue("emails", new Mail("hi"))
			.id();
		awaitState(job, "SUCCEEDED");
		await().until(() -> !witness.states.isEmpty());
		assertThat(witness.states).containsExactly("SUCCEEDED");
	}

	@ParameterizedTest
	@EnumSource(names = { "AT_LEAST_ONCE", "TRANSACTIONAL" })
	void failureThatIsRepeated(Delivery delivery) {
		UUID job = run(delivery, (context) -> {
			if (context.attempt() == 1) {
				throw this.refused;
			}
			return JobResult.success();
		});
		awaitState(job, "SUCCEEDED");
		await().until(() -> this.events.all().size() == 3);
		assertThat(this.events.all().stream().filter((event) -> !(event instanceof JobEnqueued)))
			.hasExactlyElementsOfTypes(JobFailed.class, JobSucceeded.class);
		JobFailed failed = this.events.of(JobFailed.class).get(0);
		assertThat(failed.exception()).isSameAs(this.refused);
		assertThat(failed.job().state()).isEqualTo(JobState.RETRYING);
		assertThat(failed.job().attempt()).isEqualTo(1);
		assertThat(this.events.of(JobSucceeded.class).get(0).job().attempt()).isEqualTo(2);
	}

	@Test
	void jobsOfATransactionalHandlerHaveEventsIfItCommits() {
		QueueNode[] node = new QueueNode[1];
		node[0] = start(Delivery.TRANSACTIONAL, (context) -> {
			node[0].queue().enqueue("receipts", new Mail("attempt " + context.attempt()));
			if (context.attempt() == 1) {
				throw this.refused;
			}
			return JobResult.success();
		}, (settings) -> settings);
		awaitState(node[0].queue().enqueue("emails", new Mail("hi")).id(), "SUCCEEDED");
		received(JobSucceeded.class);
		assertThat(this.events.of(JobEnqueued.class)).extracting((event) -> event.job().queue())
			.containsExactlyInAnyOrder("emails", "receipts");
	}

	@Test
	void failureWithoutAnException() {
		UUID job = run(Delivery.AT_LEAST_ONCE, (context) -> JobResult.retryIn(Duration.ofHours(1)));
		awaitState(job, "RETRYING");
		received(JobFailed.class);
		assertThat(this.events.of(JobFailed.class).get(0).exception()).isNull();
	}

	@Test
	void snoozeHasNoEvent() {
		UUID job = run(Delivery.AT_LEAST_ONCE, (context) -> JobResult.snooze(Duration.ofHours(1)));
		awaitState(job, "SCHEDULED");
		assertNothingIsReceivedButTheCommit();
	}

	@Test
	void attemptLostInACrashHasNoEventIfTheJobRunsAgain() throws InterruptedException {
		UUID job = run(Delivery.AT_LEAST_ONCE,
				(context) -> (context.attempt() == 1) ? block(context) : JobResult.success());
		this.begun.await();
		this.sql.sql("UPDATE jobqueue_job SET lease_until = now()").update();
		this.sql.sql("UPDATE jobqueue_claim SET expires_at = now()").update();
		awaitState(job, "SUCCEEDED");
		this.release.countDown();
		received(JobSucceeded.class);
		assertOnlyReceived(JobSucceeded.class);
	}

	@Test
	void outcomeThatIsVoidHasNoEvent() throws InterruptedException {
		UUID job = run(Delivery.AT_LEAST_ONCE, this::block);
		this.begun.await();
		this.sql.sql("UPDATE jobqueue_job SET locked_by = gen_random_uuid()").update();
		this.release.countDown();
		await().until(() -> this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
		assertNothingIsReceivedButTheCommit();
		assertThat(state(job)).isEqualTo("RUNNING");
	}

	@Test
	void jobThatIsReleasedByAStopHasNoEvent() throws InterruptedException {
		QueueNode node = start(Delivery.AT_LEAST_ONCE, this::block,
				(settings) -> settings.shutdownTimeout(Duration.ofMillis(10)));
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		this.begun.await();
		node.jobWorker().stop();
		awaitState(job, "READY");
		assertNothingIsReceivedButTheCommit();
	}

	@Test
	void jobWithUnreadableHeadersHasAnEventNevertheless() {
		QueueNode node = start(Delivery.AT_LEAST_ONCE, (context) -> JobResult.success(), (settings) -> settings);
		UUID job = UUID.randomUUID();
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, headers)
				VALUES (?, now(), now(), 10, 'emails', 'mail', '{"text": "hi"}', 'jobqueue.mdc')
				""").param(job).update();
		awaitState(job, "SUCCEEDED");
		assertThat(received(JobSucceeded.class).get(0).headers()).isEmpty();
		assertThat(node.jobWorker().isRunning()).isTrue();
	}

	private void assertNothingIsReceivedButTheCommit() {
		await().until(() -> this.events.all().size() == 1);
		await().during(Duration.ofMillis(300))
			.until(() -> this.events.all().size() == this.events.of(JobEnqueued.class).size());
	}

	/**
	 * Queries the state of a job when it is notified of its success, and delays commits
	 * so that a notification before one would be seen.
	 */
	final class Witness implements TransactionSynchronization {

		private final List<String> states = new CopyOnWriteArrayList<>();

		private final CountDownLatch notified = new CountDownLatch(1);

		@EventListener
		void on(JobSucceeded event) {
			this.states.add(state(event.job().id()));
			this.notified.countDown();
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			awaitBriefly();
		}

		private void awaitBriefly() {
			try {
				boolean unused = this.notified.await(500, TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private String state(UUID job) {
			return OutcomeEventTests.this.state(job);
		}

	}

}
