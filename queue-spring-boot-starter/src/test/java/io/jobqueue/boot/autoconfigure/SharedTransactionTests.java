package io.jobqueue.boot.autoconfigure;

import java.util.Collections;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.boot.MigratedDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application whose transactional jobs share transactions.
 */
class SharedTransactionTests extends QueueTestBase {

	private static final int JOBS = 500;

	private final ApplicationContextRunner application = this.contextRunner.withBean(Payments.class)
		.withPropertyValues("jobqueue.queues.payments.transaction-size=20");

	SharedTransactionTests() {
		super(MigratedDatabase.create());
	}

	/**
	 * Each has its effect once, in fewer transactions.
	 */
	@Test
	void waitingJobsShareTransactions() {
		this.sql.sql("CREATE TABLE payment (xid text)").update();
		this.application.run((context) -> {
			context.getBean(JobQueue.class)
				.enqueueAll(Collections.nCopies(JOBS, JobRequest.of("payments", new Greeting("world"))));
			await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == JOBS);
			assertThat(count("payment")).isEqualTo(JOBS);
			assertThat(count("(SELECT DISTINCT xid FROM payment) AS transactions")).isLessThan(JOBS / 2);
		});
	}

	private long count(String rows) {
		return this.sql.sql("SELECT count(*) FROM " + rows).query(Long.class).single();
	}

	record Payments(JdbcClient jdbc) {

		@JobHandler(queue = "payments", delivery = Delivery.TRANSACTIONAL)
		void pay(Greeting greeting) {
			this.jdbc.sql("INSERT INTO payment VALUES (pg_current_xact_id()::text)").update();
		}

	}

}
