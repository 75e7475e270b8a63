package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.BulkOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.Priority;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which jobs a query means where something is done to all of them.
 */
@Tag("pooler") // transactions of operators
class BulkQueryTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final JobRequest LATER = JobRequest.of("emails", new Mail("hi")).delay(HOUR);

	private static final JobQuery EMAILS = JobQuery.all().queue("emails");

	@Test
	void cancelledJobsAreRetriedIfTheQueryIncludesThem() {
		QueueNode node = producer();
		UUID job = node.queue().enqueue(LATER).id();
		node.operations().cancel(job);
		assertThat(node.operations().bulk().retry(EMAILS)).isZero();
		assertThat(node.operations().bulk().retry(EMAILS.states(JobState.CANCELLED))).isOne();
		assertThat(state(job)).isEqualTo("READY");
	}

	@Test
	void runningJobsAreReprioritisedToo() {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.handler((mail, job) -> release.await()));
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		awaitState(job, "RUNNING");
		assertThat(node.operations().bulk().reprioritise(EMAILS, Priority.of(7))).isOne();
		release.countDown();
		awaitState(job, "SUCCEEDED");
		assertThat(column("priority", job, Integer.class)).isEqualTo(7);
	}

	/**
	 * And not all others.
	 */
	@Test
	void invalidChangeChangesNoJob() {
		QueueNode node = producer();
		UUID job = node.queue().enqueue(LATER).id();
		BulkOperations bulk = node.operations().bulk();
		assertThat(bulk.delete(EMAILS.states(JobState.RUNNING))).isZero();
		assertThat(bulk.cancel(EMAILS.states(JobState.DEAD))).isZero();
		assertThat(bulk.reprioritise(EMAILS.states(JobState.SUCCEEDED), Priority.of(7))).isZero();
		assertThat(bulk.reschedule(EMAILS.states(JobState.RUNNING), Instant.EPOCH)).isZero();
		assertThat(state(job)).isEqualTo("SCHEDULED");
	}

	@Test
	void enqueuedBeforeLimitsTheChange() {
		QueueNode node = producer();
		UUID old = node.queue().enqueue(LATER).id();
		this.sql.sql("UPDATE jobqueue_job SET created_at = created_at - interval '1 day'").update();
		UUID job = node.queue().enqueue(LATER).id();
		BulkOperations bulk = node.operations().bulk();
		assertThat(bulk.delete(EMAILS.enqueuedBefore(Instant.now().minus(HOUR)))).isOne();
		assertThat(node.operations().find(old)).isEmpty();
		assertThat(bulk.delete(EMAILS.enqueuedFrom(Instant.now().minus(HOUR)))).isOne();
		assertThat(node.operations().find(job)).isEmpty();
	}

}
