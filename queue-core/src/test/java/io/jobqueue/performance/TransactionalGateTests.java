package io.jobqueue.performance;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.harness.Mail;

/**
 * What transactional jobs ask of the database.
 */
class TransactionalGateTests extends GateTestBase {

	private static final int GROUPS = 20;

	private static final int GROUP = 20;

	private static final int BACKLOG = 5_000;

	/**
	 * Sessions keep the plans that they made while the tables were almost empty. A scan
	 * of all jobs, which was cheap then, reads some 200 buffers of a row of 5,000 jobs.
	 */
	@Test
	void buffersOfACompletion() {
		node(settings().defaults().keepSucceeded(Duration.ofHours(1)).bean(new Counter(this.handled))).start();
		for (int group = 1; group <= GROUPS; group++) {
			enqueueAtOnce(GROUP);
			awaitHandled(group * GROUP);
		}
		this.figures.reset();
		enqueueAtOnce(BACKLOG);
		awaitHandled(GROUPS * GROUP + BACKLOG);
		double buffers = this.figures.buffers("DELETE FROM jobqueue_job");
		Gate.atMost(20, buffers / BACKLOG, "Buffers per completion of a transactional job");
	}

	private void enqueueAtOnce(int jobs) {
		producer().transaction().executeWithoutResult((status) -> enqueue(jobs));
	}

	private void awaitHandled(int jobs) {
		await().until(() -> count("jobqueue_archive") == jobs);
	}

	record Counter(AtomicInteger handled) {

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL)
		void run(Mail mail) {
			this.handled.incrementAndGet();
		}

	}

}
