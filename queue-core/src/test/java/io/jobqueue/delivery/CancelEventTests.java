package io.jobqueue.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.event.EventListener;

import io.jobqueue.Batch;
import io.jobqueue.BatchInfo;
import io.jobqueue.CancelOutcome;
import io.jobqueue.Delivery;
import io.jobqueue.JobCancelled;
import io.jobqueue.JobEvent;
import io.jobqueue.JobInfo;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobState;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The events of cancelled jobs.
 */
class CancelEventTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private Listener listener = new Listener();

	@BeforeEach
	void prepare() {
		this.listener = new Listener();
	}

	@Test
	void listenersReceiveItOnce() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		QueueNode node = start((context) -> {
			begun.countDown();
			await().until(context::cancelRequested);
			return JobResult.retryIn(HOUR);
		});
		UUID job = enqueue(node);
		begun.await();
		assertThat(node.operations().cancel(job)).isEqualTo(CancelOutcome.REQUESTED);
		awaitState(job, "CANCELLED");
		assertReceived(job);
	}

	@Test
	void listenersReceiveAJobThatWaited() {
		QueueNode node = start((context) -> JobResult.success());
		UUID job = node.queue().enqueue(JobRequest.of("emails", new Mail("hi")).delay(HOUR)).id();
		assertThat(node.operations().cancel(job)).isEqualTo(CancelOutcome.CANCELLED);
		assertReceived(job);
	}

	@Test
	void listenersOfTheReaperReceiveAJobThatWasLost() {
		QueueNode node = started((settings) -> settings.bean(this.listener));
		UUID job = enqueue(node);
		this.sql.sql("""
				UPDATE jobqueue_job SET cancel_requested = true, keep_cancelled_millis = 1000000
				""").update();
		awaitState(job, "CANCELLED");
		assertReceived(job);
	}

	@Test
	void listenersOfTheReaperReceiveAJobThatHasExpired() {
		QueueNode node = started((settings) -> settings.bean(this.listener));
		JobRequest callback = JobRequest.of("emails", new Mail("failure"));
		Batch batch = node.queue().batch("import").then(callback).onFailure(callback).start();
		UUID job = batch.add(List.of(JobRequest.of("emails", new Mail("hi")).expiresAfter(HOUR))).get(0).id();
		batch.seal();
		UUID successor = node.queue().enqueue(callback.after(job).ifPredecessorFails(OnPredecessorFailure.RUN)).id();
		assertThat(node.operations().find(job).orElseThrow().expiresAt())
			.isEqualTo(column("created_at", job, Instant.class).plus(HOUR));
		this.sql.sql("UPDATE jobqueue_job SET expires_at = now() WHERE expires_at IS NOT NULL").update();
		awaitState(job, "CANCELLED");
		assertReceived(job);
		awaitState(successor, "READY");
		await().until(() -> batch.info().equals(new BatchInfo(1, 0, 0, 1)) && count("jobqueue_job") == 2);
		assertThat(this.sql.sql("SELECT keep_until - finished_at = interval '1 day' FROM jobqueue_archive WHERE id = ?")
			.param(job)
			.query(Boolean.class)
			.single()).isTrue();
	}

	private void assertReceived(UUID job) {
		await().untilAsserted(() -> assertThat(this.listener.events).singleElement()
			.isInstanceOf(JobCancelled.class)
			.extracting(JobEvent::job)
			.extracting(JobInfo::id, JobInfo::state)
			.containsExactly(job, JobState.CANCELLED));
	}

	private QueueNode start(Behaviour behaviour) {
		return started((node) -> node.bean(this.listener).bean(Handlers.of(Delivery.AT_LEAST_ONCE, behaviour)));
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	/**
	 * Receives the events of ends that were no success.
	 */
	static final class Listener {

		private final List<JobEvent> events = new CopyOnWriteArrayList<>();

		@EventListener(
				condition = "#event.job.state.name() != 'SUCCEEDED' && #event.job.state.name() != 'READY' && #event.job.state.name() != 'SCHEDULED' && #event.job.state.name() != 'BLOCKED'")
		void on(JobEvent event) {
			this.events.add(event);
		}

	}

}
