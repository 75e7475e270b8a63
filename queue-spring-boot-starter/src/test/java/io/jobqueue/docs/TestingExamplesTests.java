package io.jobqueue.docs;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of how to test an application, and those of jobs that lead to others.
 */
class TestingExamplesTests extends ExampleTestBase {

	@Test
	void dueJobsRunHereWithThoseThatTheyEnqueue() {
		withoutWorker().run((context) -> {
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			createFulfilment(jdbc);
			context.getBean(JobQueue.class).enqueue(new Fulfilment.TakePayment(42));
			DueJobs due = new DueJobs(context.getBean(JobOperations.class), jdbc);
			due.run();
			assertThat(shipped(jdbc)).isOne();
			due.delete();
			assertThat(jobs(context, "ShipOrder")).isZero();
		});
	}

	@Test
	void orderIsShippedOnceAfterBothSteps() {
		this.contextRunner.withUserConfiguration(Fulfilment.class).run((context) -> {
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			createFulfilment(jdbc);
			context.getBean(JobQueue.class).enqueue(new Fulfilment.TakePayment(42));
			await(() -> assertThat(states(context, "ShipOrder")).containsExactly("SUCCEEDED"));
			assertThat(shipped(jdbc)).isOne();
		});
	}

	private ApplicationContextRunner withoutWorker() {
		return this.contextRunner.withUserConfiguration(Fulfilment.class)
			.withPropertyValues("jobqueue.worker.enabled=false");
	}

	private static void createFulfilment(JdbcClient jdbc) {
		jdbc.sql(
				"""
						DROP TABLE IF EXISTS fulfilment;
						CREATE TABLE fulfilment (order_id bigint PRIMARY KEY, open_steps integer NOT NULL, shipped integer DEFAULT 0)
						""")
			.update();
	}

	private static int shipped(JdbcClient jdbc) {
		return jdbc.sql("SELECT shipped FROM fulfilment WHERE order_id = 42").query(Integer.class).single();
	}

}
