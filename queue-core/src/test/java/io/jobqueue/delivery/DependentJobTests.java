package io.jobqueue.delivery;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.event.EventListener;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobDied;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Jobs that wait for others on real workers. Neither a poll nor the reaper finds them
 * during a test.
 */
class DependentJobTests extends NodeTestBase {

	private static final Duration LATE = Duration.ofDays(1);

	private final ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();

	@BeforeEach
	void forget() {
		this.ran.clear();
	}

	private QueueNode started(Object... beans) {
		TestNodeSettings settings = settings().neverPolls()
			.reaperInterval(LATE)
			.listensOn(this.database.directDataSource());
		for (Object bean : beans) {
			settings.bean(bean);
		}
		return node(settings).start();
	}

	private QueueNode started() {
		return started(new MailHandler((mail, job) -> run(mail)));
	}

	private void run(Mail mail) {
		this.ran.add(mail.text());
		if (mail.text().startsWith("fails")) {
			throw new IllegalStateException("Fails");
		}
	}

	private static JobRequest mail(String text) {
		return JobRequest.of("emails", new Mail(text));
	}

	@Test
	void chainRunsInItsOrder() {
		QueueNode node = started();
		UUID last = node.transaction().execute((status) -> {
			UUID first = node.queue().enqueue(mail("first")).id();
			UUID second = node.queue().enqueue(mail("second").after(first)).id();
			return node.queue().enqueue(mail("third").after(second)).id();
		});
		awaitState(last, "SUCCEEDED");
		assertThat(this.ran).containsExactly("first", "second", "third");
	}

	/**
	 * The predecessor is committed before, so that it is marked after the commit.
	 */
	@Test
	void jobOfALaterTransactionRunsAfterARunningPredecessor() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		QueueNode node = started(new MailHandler((mail, job) -> {
			if (mail.text().equals("first")) {
				begun.countDown();
				end.await();
			}
			this.ran.add(mail.text());
		}));
		UUID first = node.queue().enqueue(mail("first")).id();
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		UUID second = node.queue().enqueue(mail("second").after(first)).id();
		assertThat(state(second)).isEqualTo("BLOCKED");
		end.countDown();
		awaitState(second, "SUCCEEDED");
		assertThat(this.ran).containsExactly("first", "second");
	}

	@Test
	void predecessorsMayBeInOtherQueuesAndOnOtherNodes() {
		QueueNode other = started(new OtherQueue());
		QueueNode node = started();
		UUID first = node.queue().enqueue(JobRequest.of("other", new Mail("first"))).id();
		UUID second = other.queue().enqueue(mail("second").after(first)).id();
		awaitState(second, "SUCCEEDED");
	}

	@Test
	void jobRunsAfterATransactionalPredecessor() {
		QueueNode node = started(new MailHandler((mail, job) -> run(mail)), new TransactionalQueue());
		UUID first = node.queue().enqueue(JobRequest.of("transactional", new Mail("first"))).id();
		UUID second = node.queue().enqueue(mail("second").after(first)).id();
		awaitState(second, "SUCCEEDED");
	}

	@Test
	void failureCascades() {
		Deaths deaths = new Deaths();
		QueueNode node = started(new MailHandler((mail, job) -> run(mail)), deaths);
		List<UUID> chain = node.transaction().execute((status) -> {
			UUID first = node.queue().enqueue(mail("fails").maxAttempts(1)).id();
			UUID second = enqueueAfter(node, OnPredecessorFailure.FAIL, first);
			UUID third = enqueueAfter(node, OnPredecessorFailure.FAIL, second);
			return List.of(second, third, enqueueAfter(node, OnPredecessorFailure.RUN, third));
		});
		awaitState(chain.get(2), "SUCCEEDED");
		assertThat(state(chain.get(0))).isEqualTo("DEAD");
		assertThat(state(chain.get(1))).isEqualTo("DEAD");
		await().untilAsserted(() -> assertThat(deaths.died).hasSize(3));
	}

	private static UUID enqueueAfter(QueueNode node, OnPredecessorFailure policy, UUID predecessor) {
		return node.queue().enqueue(mail("after").after(predecessor).ifPredecessorFails(policy)).id();
	}

	/**
	 * More jobs fail than one step ends.
	 */
	@Test
	void manyJobsFailWithOne() {
		QueueNode node = started();
		node.transaction().executeWithoutResult((status) -> {
			UUID first = node.queue().enqueue(mail("fails").maxAttempts(1)).id();
			JobRequest after = mail("after").after(first).ifPredecessorFails(OnPredecessorFailure.FAIL);
			node.queue().enqueueAll(Collections.nCopies(1_200, after));
		});
		await().untilAsserted(() -> assertThat(count("jobqueue_jobs WHERE state = 'DEAD'")).isEqualTo(1_201));
		assertThat(count("jobqueue_dependency")).isZero();
	}

	/**
	 * More predecessors succeed at a time than one step resolves.
	 */
	@Test
	void manyPairsRun() {
		QueueNode node = started();
		node.transaction().executeWithoutResult((status) -> {
			List<JobRequest> successors = node.queue()
				.enqueueAll(Collections.nCopies(2_000, mail("first")))
				.stream()
				.map((receipt) -> mail("second").after(receipt.id()))
				.toList();
			node.queue().enqueueAll(successors);
		});
		await().untilAsserted(() -> assertThat(this.ran).hasSize(4_000));
	}

	@Test
	void retriedPredecessorLetsTheJobRun() {
		QueueNode node = started(new MailHandler((mail, job) -> {
			if (mail.text().equals("fails once") && this.ran.isEmpty()) {
				this.ran.add(mail.text());
				throw new IllegalStateException("Fails");
			}
			this.ran.add(mail.text());
		}));
		UUID first = node.queue().enqueue(mail("fails once").maxAttempts(1)).id();
		UUID second = node.queue().enqueue(mail("second").after(first)).id();
		awaitState(first, "DEAD");
		await().untilAsserted(() -> assertThat(failedPredecessors(node, second)).containsExactly(first));
		node.operations().retry(first);
		awaitState(second, "SUCCEEDED");
		assertThat(failedPredecessors(node, second)).isEmpty();
	}

	private static List<UUID> failedPredecessors(QueueNode node, UUID job) {
		return node.operations().find(job).orElseThrow().details().failedPredecessors();
	}

	@Test
	void releasedJobRunsWithoutItsPredecessor() {
		QueueNode node = started();
		UUID first = node.queue().enqueue(mail("fails").maxAttempts(1)).id();
		UUID second = node.queue().enqueue(mail("second").after(first)).id();
		awaitState(first, "DEAD");
		node.operations().release(second);
		awaitState(second, "SUCCEEDED");
		assertThatThrownBy(() -> node.operations().release(second)).isInstanceOf(JobOperationException.class)
			.hasMessageContaining("has finished");
	}

	@Test
	void jobThatWaitsForNothingIsNotReleased() {
		QueueNode node = producer();
		UUID job = node.queue().enqueue(mail("hi")).id();
		assertThatThrownBy(() -> node.operations().release(job)).isInstanceOf(JobOperationException.class)
			.hasMessageContaining("does not wait for predecessors");
	}

	@Test
	void jobThatWaitsCannotRunHere() {
		QueueNode node = started();
		UUID second = node.queue().enqueue(mail("second").after(failed(node))).id();
		assertThatThrownBy(() -> node.operations().runHere(second)).isInstanceOf(JobOperationException.class);
	}

	private UUID failed(QueueNode node) {
		UUID failed = node.queue().enqueue(mail("fails").maxAttempts(1)).id();
		awaitState(failed, "DEAD");
		return failed;
	}

	@Test
	void cancelledPredecessorLetsTheJobRun() {
		QueueNode node = started();
		UUID first = node.queue().enqueue(mail("first").delay(LATE)).id();
		UUID second = enqueueAfter(node, OnPredecessorFailure.RUN, first);
		node.operations().cancel(first);
		awaitState(second, "SUCCEEDED");
	}

	@Test
	void deletedPredecessorFailsTheJob() {
		QueueNode node = started();
		UUID first = node.queue().enqueue(mail("first").delay(LATE)).id();
		UUID second = enqueueAfter(node, OnPredecessorFailure.FAIL, first);
		node.operations().delete(first);
		awaitState(second, "DEAD");
		assertThat(column("last_error", second, String.class)).contains(first.toString(), "deleted");
	}

	/**
	 * The transaction of the caller is usable after a rejection.
	 */
	@Test
	void unknownPredecessorIsRejected() {
		QueueNode node = producer();
		UUID job = node.transaction().execute((status) -> {
			assertThatThrownBy(() -> node.queue().enqueue(mail("second").after(UUID.randomUUID())))
				.isInstanceOf(JobRejectedException.class)
				.hasMessageContaining("retention");
			return node.queue().enqueue(mail("first")).id();
		});
		assertThat(state(job)).isEqualTo("READY");
		assertThat(count("jobqueue_job")).isEqualTo(1);
	}

	@Test
	void moreThanAThousandPredecessorsAreRejected() {
		JobQueue queue = producer().queue();
		JobRequest request = mail("hi").after(Stream.generate(UUID::randomUUID).limit(1_001).toList());
		assertThatThrownBy(() -> queue.enqueue(request)).isInstanceOf(JobRejectedException.class)
			.hasMessageContaining("1001")
			.hasMessageContaining("1000");
	}

	@Test
	void policyWithoutAPredecessorIsRejected() {
		JobQueue queue = producer().queue();
		JobRequest request = mail("hi").ifPredecessorFails(OnPredecessorFailure.RUN);
		assertThatThrownBy(() -> queue.enqueue(request)).isInstanceOf(JobRejectedException.class)
			.hasMessageContaining("ifPredecessorFails");
	}

	@Test
	void predecessorsAddUp() {
		UUID first = UUID.randomUUID();
		UUID second = UUID.randomUUID();
		assertThat(mail("hi").after(first).after(List.of(second, first)).predecessors()).containsExactly(first, second);
	}

	/**
	 * The caller's open transaction locks no predecessor.
	 */
	@ParameterizedTest
	@EnumSource(names = { "AT_LEAST_ONCE", "TRANSACTIONAL" })
	void openTransactionDoesNotDelayThePredecessor(Delivery delivery) {
		QueueNode node = started(new MailHandler((mail, job) -> run(mail)), new TransactionalQueue());
		String queue = (delivery == Delivery.TRANSACTIONAL) ? "transactional" : "emails";
		UUID first = node.queue().enqueue(JobRequest.of(queue, new Mail("first")).delay(Duration.ofSeconds(1))).id();
		UUID second = node.transaction().execute((status) -> {
			UUID added = node.queue().enqueue(mail("second").after(first)).id();
			awaitState(first, "SUCCEEDED");
			return added;
		});
		awaitState(second, "SUCCEEDED");
	}

	/**
	 * The reaper does what the JVM of the completion did not.
	 */
	@Test
	void reaperReleasesOverlookedJobs() {
		QueueNode node = node(settings().handler((mail, job) -> run(mail)).reaperInterval(Duration.ofMillis(100)));
		UUID first = node.queue().enqueue(mail("first")).id();
		UUID second = node.queue().enqueue(mail("second").after(first)).id();
		await()
			.untilAsserted(() -> assertThat(count("jobqueue_job WHERE has_successors AND id = '%s'".formatted(first)))
				.isEqualTo(1));
		this.sql.sql("DELETE FROM jobqueue_job WHERE id = ?").param(first).update();
		node.start();
		awaitState(second, "SUCCEEDED");
	}

	@JobHandler(queue = "other")
	static final class OtherQueue {

		void handle(Mail mail, JobContext job) {
			assertThat(mail.text()).isEqualTo("first");
		}

	}

	@JobHandler(queue = "transactional", delivery = Delivery.TRANSACTIONAL)
	static final class TransactionalQueue {

		void handle(Mail mail) {
			assertThat(mail.text()).isEqualTo("first");
		}

	}

	static final class Deaths {

		private final LinkedBlockingQueue<JobState> died = new LinkedBlockingQueue<>();

		@EventListener
		void on(JobDied event) {
			this.died.add(event.job().state());
		}

	}

}
