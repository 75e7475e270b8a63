package io.jobqueue.delivery;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobInfo;
import io.jobqueue.JobQuery;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that handlers enqueue know the parent and the root of their family.
 */
class LineageTests extends NodeTestBase {

	private final AtomicReference<@Nullable JobQueue> queue = new AtomicReference<>();

	private final ConcurrentLinkedQueue<UUID> enqueued = new ConcurrentLinkedQueue<>();

	@BeforeEach
	void forget() {
		this.enqueued.clear();
	}

	/**
	 * Return a node whose handler does something for the mail {@code parent}, and
	 * enqueues a {@code grandchild} for a {@code child}.
	 */
	private QueueNode parentDoes(Consumer<JobQueue> parent) {
		QueueNode node = node(settings().bean(new MailHandler((mail, job) -> run(mail, parent)))
			.bean(new Transactional(this.queue, this.enqueued)));
		this.queue.set(node.queue());
		return node.start();
	}

	private void run(Mail mail, Consumer<JobQueue> parent) {
		JobQueue jobs = this.queue.get();
		if (mail.text().equals("parent")) {
			parent.accept(jobs);
		}
		else if (mail.text().equals("child")) {
			this.enqueued.add(jobs.enqueue(mail("grandchild")).id());
		}
	}

	private static JobRequest mail(String text) {
		return JobRequest.of("emails", new Mail(text));
	}

	private static JobInfo find(QueueNode node, UUID job) {
		return node.operations().find(job).orElseThrow();
	}

	@Test
	void childAndGrandchildKnowTheirFamily() {
		QueueNode node = parentDoes((jobs) -> this.enqueued.add(jobs.enqueue(mail("child")).id()));
		UUID root = node.queue().enqueue(mail("parent")).id();
		await().until(() -> this.enqueued.size() == 2);
		UUID child = this.enqueued.remove();
		UUID grandchild = this.enqueued.remove();
		awaitState(grandchild, "SUCCEEDED");
		assertThat(find(node, root).parent()).isNull();
		assertThat(find(node, root).root()).isNull();
		assertThat(find(node, child).parent()).isEqualTo(root);
		assertThat(find(node, child).root()).isEqualTo(root);
		assertThat(find(node, grandchild).parent()).isEqualTo(child);
		assertThat(find(node, grandchild).root()).isEqualTo(root);
		UUID other = node.queue().enqueue(mail("other")).id();
		awaitState(other, "SUCCEEDED");
		assertThat(find(node, other).parent()).isNull();
		assertThat(node.operations().list(JobQuery.all().root(root)).jobs()).extracting(JobInfo::id)
			.containsExactlyInAnyOrder(root, child, grandchild);
	}

	@Test
	void familyIsFoundAmongLiveAndArchivedJobs() {
		QueueNode node = parentDoes(
				(jobs) -> this.enqueued.add(jobs.enqueue(JobRequest.of("later", new Mail("child"))).id()));
		UUID root = node.queue().enqueue(mail("parent")).id();
		awaitState(root, "SUCCEEDED");
		assertThat(node.operations().list(JobQuery.all().root(root).limit(1)).next()).isNotNull();
		assertThat(node.operations().list(JobQuery.all().root(root)).jobs()).extracting(JobInfo::id)
			.containsExactlyInAnyOrder(root, this.enqueued.element());
		assertThat(node.operations().list(JobQuery.all().root(root).queue("later")).jobs()).hasSize(1);
	}

	/**
	 * Many jobs, jobs with keys and jobs that wait are written by other statements.
	 */
	@Test
	void everyWayToEnqueueKeepsTheFamily() {
		QueueNode node = parentDoes((jobs) -> {
			jobs.enqueueAll(List.of(mail("a"), mail("b"))).forEach((receipt) -> this.enqueued.add(receipt.id()));
			this.enqueued.add(jobs.enqueue(mail("c").key("key")).id());
			this.enqueued.add(jobs.enqueue(mail("d").orderedBy("key")).id());
			this.enqueued.add(jobs.enqueue(mail("e").after(this.enqueued.element())).id());
		});
		UUID root = node.queue().enqueue(mail("parent")).id();
		awaitState(root, "SUCCEEDED");
		assertThat(this.enqueued).hasSize(5)
			.allSatisfy((job) -> assertThat(find(node, job).parent()).isEqualTo(root))
			.allSatisfy((job) -> assertThat(find(node, job).root()).isEqualTo(root));
	}

	@Test
	void changedJobKeepsItsFamily() {
		QueueNode node = parentDoes((jobs) -> this.enqueued.add(
				jobs.enqueue(JobRequest.of("later", new Mail("new")).key("key").onDuplicate(OnDuplicate.UPDATE)).id()));
		UUID waiting = node.queue().enqueue(JobRequest.of("later", new Mail("old")).key("key")).id();
		UUID root = node.queue().enqueue(mail("parent")).id();
		awaitState(root, "SUCCEEDED");
		assertThat(this.enqueued).containsExactly(waiting);
		assertThat(find(node, waiting).parent()).isNull();
	}

	@Test
	void transactionalHandlerIsAParent() {
		QueueNode node = parentDoes((jobs) -> {
		});
		UUID root = node.queue().enqueue(JobRequest.of("transactional", new Mail("parent"))).id();
		awaitState(root, "SUCCEEDED");
		assertThat(find(node, this.enqueued.element()).parent()).isEqualTo(root);
	}

	/**
	 * The archive has the handler's job by then.
	 */
	@Test
	void jobEnqueuedInAnAfterCommitCallbackStaysInTheFamily() {
		QueueNode node = parentDoes(
				(jobs) -> this.enqueued.add(jobs.enqueue(JobRequest.of("transactional", new Mail("child"))).id()));
		UUID root = node.queue().enqueue(mail("parent")).id();
		await().until(() -> this.enqueued.size() == 3);
		List<UUID> family = List.copyOf(this.enqueued);
		assertThat(find(node, family.get(2)).parent()).isEqualTo(family.get(0));
		assertThat(family).allSatisfy((job) -> assertThat(find(node, job).root()).isEqualTo(root));
	}

	/**
	 * The job that runs on the thread of an operator is the parent meanwhile only.
	 */
	@Test
	void jobThatRunsHereIsAParent() throws Exception {
		QueueNode node = node(settings().bean(
				new MailHandler((mail, job) -> run(mail, (jobs) -> this.enqueued.add(jobs.enqueue(mail("a")).id())))));
		this.queue.set(node.queue());
		node.puller().start();
		UUID root = node.queue().enqueue(mail("parent")).id();
		node.operations().runHere(root);
		assertThat(find(node, this.enqueued.element()).parent()).isEqualTo(root);
		UUID after = node.queue().enqueue(mail("b")).id();
		assertThat(find(node, after).parent()).isNull();
	}

	@Test
	void retriedAndReplayedJobsStayInTheFamily() {
		QueueNode node = parentDoes(
				(jobs) -> this.enqueued.add(jobs.enqueue(JobRequest.of("later", new Mail("a"))).id()));
		UUID root = node.queue().enqueue(mail("parent")).id();
		awaitState(root, "SUCCEEDED");
		UUID child = this.enqueued.element();
		node.operations().cancel(child);
		UUID copy = node.operations().replay(child);
		node.operations().retry(child);
		assertThat(List.of(child, copy)).allSatisfy((job) -> {
			assertThat(find(node, job).parent()).isEqualTo(root);
			assertThat(find(node, job).root()).isEqualTo(root);
		});
	}

	@JobHandler(queue = "transactional", delivery = Delivery.TRANSACTIONAL)
	record Transactional(AtomicReference<@Nullable JobQueue> queue, ConcurrentLinkedQueue<UUID> enqueued) {

		void handle(Mail mail, JobContext job) {
			enqueue("child of " + mail.text());
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					enqueue("late child of " + mail.text());
				}

			});
		}

		private void enqueue(String text) {
			this.enqueued.add(this.queue.get().enqueue(mail(text)).id());
		}

	}

}
