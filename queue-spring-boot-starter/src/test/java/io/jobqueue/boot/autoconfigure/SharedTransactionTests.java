package io.jobqueue.boot.autoconfigure;

import java.util.Collections;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

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

	/**
	 * Each transaction would fail to begin, and its job would run alone.
	 */
	@Test
	void managerWithoutSavepointsIsRefused() {
		this.application.withUserConfiguration(WithoutSavepoints.class).run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).isEqualTo(
					"The transaction-size of queue payments is 20, but JdbcTransactionManager permits no savepoints, which separate the jobs in a transaction: its property 'nestedTransactionAllowed' is false.");
			assertThat(analysis.getAction()).isEqualTo(
					"Set 'jobqueue.queues.payments.transaction-size' to 1, or 'nestedTransactionAllowed' of the transaction manager to true.");
		});
	}

	@Test
	void managerWithoutSavepointsRunsJobsAlone() {
		this.application.withUserConfiguration(WithoutSavepoints.class)
			.withPropertyValues("jobqueue.queues.payments.transaction-size=1")
			.run((context) -> assertThat(context).hasNotFailed());
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

	@Configuration(proxyBeanMethods = false)
	static class WithoutSavepoints {

		@Bean
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
			manager.setNestedTransactionAllowed(false);
			return manager;
		}

	}

}
