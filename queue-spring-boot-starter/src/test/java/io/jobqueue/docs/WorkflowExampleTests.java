package io.jobqueue.docs;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobQueue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The example of jobs that lead to others.
 */
class WorkflowExampleTests extends ExampleTestBase {

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
