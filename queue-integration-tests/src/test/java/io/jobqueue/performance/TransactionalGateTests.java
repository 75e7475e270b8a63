package io.jobqueue.performance;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.Mail;

/**
 * What transactional jobs ask of the database.
 */
@Tag("slow") // runs 5,000 transactional jobs
class TransactionalGateTests extends GateTestBase {

	private static final int GROUPS = 20;

	private static final int GROUP = 20;

	private static final int BACKLOG = 5_000;

	private static final int SHARED = 400;

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

	/**
	 * The handler's statement, and the release of its savepoint together with the next
	 * one. Beside these, each transaction has its first savepoint, one completion and the
	 * COMMIT. A transaction ends early if no job waits, so that the machine decides how
	 * many there are.
	 */
	@Test
	void roundTripsOfSharedTransactions() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS effect (id uuid)").update();
		CountingDataSource dataSource = new CountingDataSource(this.pool);
		enqueue(SHARED);
		node(settings(dataSource).transactions(GROUP, Duration.ofMinutes(1))
			.bean(new Effect(new JdbcTemplate(dataSource)))).start();
		awaitHandled(SHARED);
		List<String> sent = dataSource.sent();
		long ofJobs = sent.stream().filter((sql) -> sql.contains("SAVEPOINT") || sql.contains("effect")).count();
		long completions = sent.stream().filter((sql) -> sql.contains("DELETE FROM jobqueue_job")).count();
		Gate.atMost(2, (double) ofJobs / SHARED, "Round trips per job beside those of its transaction");
		Gate.atLeast(3, (double) SHARED / completions, "Jobs per transaction of at most %d".formatted(GROUP));
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

	record Effect(JdbcTemplate jdbc) {

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL)
		void run(Mail mail, JobContext job) {
			this.jdbc.update("INSERT INTO effect VALUES (?)", job.id());
		}

	}

}
