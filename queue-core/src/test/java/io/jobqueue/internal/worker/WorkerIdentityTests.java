package io.jobqueue.internal.worker;

import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where a worker's name is found.
 */
class WorkerIdentityTests extends NodeTestBase {

	@Test
	void namesTheWorkerInRowsThreadsAndLogs() throws Exception {
		try (CapturedLog log = new CapturedLog()) {
			BlockingQueue<String> threads = new LinkedBlockingQueue<>();
			QueueNode node = started((settings) -> settings.name("host-7:4711").handler((mail, job) -> {
				assertThat(this.sql.sql("SELECT name FROM jobqueue_worker w JOIN jobqueue_job j ON j.locked_by = w.id")
					.query(String.class)
					.single()).isEqualTo("host-7:4711");
				threads.add(Thread.currentThread().getName());
			}));
			UUID job = node.queue().enqueue(new Mail("hi")).id();
			assertThat(threads.poll(30, TimeUnit.SECONDS)).matches("jobqueue@host-7:4711-emails-\\d+");
			awaitState(job, "SUCCEEDED");
			String id = column("locked_by", job, String.class);
			assertThat(log.messages("Worker host-7:4711 (" + id + ") serves [emails]")).hasSize(1);
		}
	}

	@Test
	void everyStartIsAnotherWorker() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> {
		}));
		String first = awaitId();
		node.jobWorker().stop();
		node.jobWorker().start();
		assertThat(awaitId()).isNotEqualTo(first);
	}

	@Test
	void rowHasTheServedQueues() {
		started((settings) -> settings.handler((mail, job) -> {
		}));
		awaitId();
		assertThat(this.sql.sql("SELECT queues FROM jobqueue_worker").query(String.class).single()).isEqualTo("emails");
	}

	private String awaitId() {
		await().until(() -> count("jobqueue_worker") == 1);
		return this.sql.sql("SELECT id FROM jobqueue_worker").query(String.class).single();
	}

}
