package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobInfo;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;
import io.jobqueue.Priority;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Jobs are cancelled and changed by their unique key.
 */
class KeyedChangeTests extends NodeTestBase {

	private static final JobRequest LATER = JobRequest.of("emails", new Mail("hi"))
		.key("mail-1")
		.delay(Duration.ofHours(1));

	private CountDownLatch release = new CountDownLatch(1);

	private JobQueue queue;

	private JobOperations operations;

	@BeforeEach
	void produce() {
		this.release = new CountDownLatch(1);
		QueueNode producer = producer();
		this.queue = producer.queue();
		this.operations = producer.operations();
	}

	@AfterEach
	void release() {
		this.release.countDown();
	}

	@Test
	void waitingJobIsCancelledAndItsKeyIsFree() {
		UUID job = this.queue.enqueue(LATER).id();
		UUID other = this.queue.enqueue(LATER.key("mail-2")).id();
		assertThat(this.operations.cancel("emails", "mail-1")).isEqualTo(CancelOutcome.CANCELLED);
		assertThat(state(job)).isEqualTo("CANCELLED");
		assertThat(state(other)).isEqualTo("SCHEDULED");
		assertThat(this.operations.cancel("emails", "mail-1")).isEqualTo(CancelOutcome.UNKNOWN);
		assertThat(this.operations.cancel("invoices", "mail-2")).isEqualTo(CancelOutcome.UNKNOWN);
	}

	@Test
	void runningJobIsAskedToEndThoughAnotherOneFollowsIt() {
		started((settings) -> settings.handler((mail, job) -> this.release.await()));
		UUID running = this.queue.enqueue(LATER.delay(Duration.ZERO)).id();
		awaitState(running, "RUNNING");
		UUID followUp = this.queue.enqueue(LATER.onDuplicate(OnDuplicate.REQUEUE)).id();
		assertThat(this.operations.cancel("emails", "mail-1")).isEqualTo(CancelOutcome.REQUESTED);
		assertThat(column("cancel_requested", running, Boolean.class)).isTrue();
		assertThat(column("cancel_requested", followUp, Boolean.class)).isFalse();
	}

	@Test
	void waitingJobIsRescheduledAndReprioritised() {
		UUID job = this.queue.enqueue(LATER).id();
		Instant tomorrow = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
		this.operations.reschedule("emails", "mail-1", tomorrow);
		this.operations.reprioritise("emails", "mail-1", Priority.of(3));
		JobInfo found = this.operations.find(job).orElseThrow();
		assertThat(found.runAt()).isEqualTo(tomorrow);
		assertThat(found.priority()).isEqualTo(Priority.of(3));
	}

	@Test
	void runningJobIsNotRescheduled() {
		started((settings) -> settings.handler((mail, job) -> this.release.await()));
		UUID running = this.queue.enqueue(LATER.delay(Duration.ZERO)).id();
		awaitState(running, "RUNNING");
		assertThatExceptionOfType(JobOperationException.class)
			.isThrownBy(() -> this.operations.reschedule("emails", "mail-1", Instant.now()))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.RUNNING))
			.satisfies((ex) -> assertThat(ex.job()).isEqualTo(running));
	}

	@Test
	void keyThatNoJobHasIsRefusedWithoutShowingIt() {
		assertThatExceptionOfType(JobOperationException.class)
			.isThrownBy(() -> this.operations.reprioritise("emails", "mail-1", Priority.of(3)))
			.withMessage("No unfinished job of queue 'emails' has this key")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.UNKNOWN))
			.satisfies((ex) -> assertThat(ex.job()).isNull());
	}

	@Test
	void changeIsLoggedWithTheIdAndWithoutTheKey() {
		UUID job = this.queue.enqueue(LATER).id();
		try (CapturedLog log = new CapturedLog()) {
			this.operations.cancel("emails", "mail-1");
			assertThat(log.messages("cancel " + job)).hasSize(1);
			assertThat(log.messages("mail-1")).isEmpty();
		}
	}

	/**
	 * The job that was found ends before it is cancelled, and another one takes its key.
	 */
	@Test
	void cancelAppliesToTheCurrentHolderOfTheKey() {
		UUID first = this.queue.enqueue(LATER).id();
		List<UUID> found = new ArrayList<>();
		KeyedChange change = new KeyedChange(() -> lookUp(found), "emails");
		assertThat(change.cancel(this.operations::cancel)).isEqualTo(CancelOutcome.CANCELLED);
		assertThat(found).hasSize(2).startsWith(first);
		assertThat(state(found.get(1))).isEqualTo("CANCELLED");
	}

	@Test
	void changeAppliesToTheCurrentHolderOfTheKey() {
		UUID first = this.queue.enqueue(LATER).id();
		List<UUID> found = new ArrayList<>();
		new KeyedChange(() -> lookUp(found), "emails")
			.change((job) -> this.operations.reprioritise(job, Priority.of(3)));
		assertThat(found).hasSize(2).startsWith(first);
		assertThat(column("priority", found.get(1), Integer.class)).isEqualTo(3);
	}

	private UUID lookUp(List<UUID> found) {
		UUID holder = this.operations.findByKey("emails", "mail-1").orElseThrow().id();
		found.add(holder);
		if (found.size() == 1) {
			this.operations.cancel(holder);
			this.queue.enqueue(LATER);
		}
		return holder;
	}

	@Test
	void jobThatEndsDuringTheCancelHasFinished() {
		UUID job = this.queue.enqueue(LATER).id();
		KeyedChange change = new KeyedChange(
				() -> this.operations.findByKey("emails", "mail-1").map(JobInfo::id).orElse(null), "emails");
		assertThat(change.cancel((id) -> {
			this.operations.cancel(id);
			return this.operations.cancel(id);
		})).isEqualTo(CancelOutcome.ALREADY_FINISHED);
		assertThat(state(job)).isEqualTo("CANCELLED");
	}

}
