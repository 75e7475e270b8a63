package io.jobqueue.internal.worker;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which jobs a worker runs, and in which order.
 */
class ServedJobsTests extends NodeTestBase {

	@Test
	void runsNoJobOfAQueueThatItDoesNotServe() {
		QueueNode node = started((settings) -> settings.bean(new Everything()).serves("emails", "faxes"));
		UUID invoice = node.queue().enqueue("invoices", new Mail("hi")).id();
		awaitState(node.queue().enqueue("emails", new Mail("hi")).id(), "SUCCEEDED");
		awaitState(node.queue().enqueue("faxes", new Mail("hi")).id(), "SUCCEEDED");
		assertThat(state(invoice)).isEqualTo("READY");
		assertThat(column("attempts", invoice, Integer.class)).isZero();
	}

	@Test
	void defaultQueueServesRequestsWithoutAQueue() {
		QueueNode node = started((settings) -> settings.bean(new Everything()));
		UUID job = node.queue().enqueue(new Plain(1)).id();
		awaitState(job, "SUCCEEDED");
		assertThat(column("queue", job, String.class)).isEqualTo("default");
	}

	@Test
	void mayBeLimitedToARangeOfPriorities() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> {
		}).priorities(10, 19));
		UUID better = enqueue(node.queue(), 9);
		UUID worse = enqueue(node.queue(), 20);
		awaitState(enqueue(node.queue(), 19), "SUCCEEDED");
		awaitState(enqueue(node.queue(), 10), "SUCCEEDED");
		assertThat(List.of(state(better), state(worse))).containsOnly("READY");
	}

	@Test
	void runsInOrderOfPriorityRunTimeAndSequence() {
		List<String> order = new CopyOnWriteArrayList<>();
		QueueNode node = node(settings().concurrency(1).handler((mail, job) -> order.add(mail.text())));
		node.queue()
			.enqueueAll(List.of(request("report", Priority.REPORTING), request("second", Priority.USER_VISIBLE),
					request("third", Priority.USER_VISIBLE), request("urgent", Priority.INTERACTIVE),
					request("event", Priority.EVENTUAL), request("first", Priority.USER_VISIBLE)));
		this.sql.sql("UPDATE jobqueue_job SET run_at = ? WHERE payload LIKE '%first%'")
			.param(Timestamp.from(Instant.now().minusSeconds(3600)))
			.update();
		node.start();
		await().until(() -> order.size() == 6);
		assertThat(order).containsExactly("urgent", "first", "second", "third", "event", "report");
	}

	@Test
	void withoutHandlerThreadsANodeOnlyEnqueues() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.bean(new Everything()).concurrency(0));
			UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
			assertThat(state(job)).isEqualTo("READY");
			assertThat(count("jobqueue_worker")).isZero();
			assertThat(log.messages("on this node; it only enqueues")).hasSize(1);
		}
	}

	private static UUID enqueue(JobQueue queue, int priority) {
		return queue.enqueue(request("hi", Priority.of(priority))).id();
	}

	private static JobRequest request(String text, Priority priority) {
		return JobRequest.of(new Mail(text)).priority(priority);
	}

	record Plain(int number) {
	}

	static final class Everything {

		@JobHandler(queue = "emails")
		void email(Mail mail) {
		}

		@JobHandler(queue = "faxes")
		void fax(Mail mail) {
		}

		@JobHandler(queue = "invoices")
		void invoice(Mail mail) {
		}

		@JobHandler
		void plain(Plain plain) {
		}

	}

}
