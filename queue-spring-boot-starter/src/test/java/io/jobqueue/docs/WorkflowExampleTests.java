package io.jobqueue.docs;

import java.util.List;

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
			assertThat(steps(jdbc)).hasSize(3).endsWith("shipped");
		});
	}

	private static void createFulfilment(JdbcClient jdbc) {
		jdbc.sql("""
				DROP TABLE IF EXISTS fulfilment;
				CREATE TABLE fulfilment (
				    number bigint GENERATED ALWAYS AS IDENTITY, order_id bigint NOT NULL, step text NOT NULL)
				""").update();
	}

	private static List<String> steps(JdbcClient jdbc) {
		return jdbc.sql("SELECT step FROM fulfilment WHERE order_id = 42 ORDER BY number").query(String.class).list();
	}

}
