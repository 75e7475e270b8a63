package io.jobqueue.docs;

import java.io.IOException;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobQueue;
import io.jobqueue.docs.Documentation.Block;
import io.jobqueue.docs.OrderWorkflow.Order;
import io.jobqueue.docs.OrderWorkflow.Orders;
import io.jobqueue.docs.OrderWorkflow.Steps;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of jobs that lead to others.
 */
class WorkflowExampleTests extends ExampleTestBase {

	@Test
	void orderIsShippedOnceAfterBothSteps() {
		this.contextRunner.withUserConfiguration(Fulfilment.class, Families.class).run((context) -> {
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			createFulfilment(jdbc);
			UUID payment = context.getBean(JobQueue.class).enqueue(new Fulfilment.TakePayment(42)).id();
			await(() -> assertThat(states(context, "ShipOrder")).containsExactly("SUCCEEDED"));
			assertThat(steps(jdbc)).hasSize(3).endsWith("shipped");
			assertThat(context.getBean(Families.class).family(payment)).hasSize(4)
				.contains("ShipOrder enqueued by " + payment);
			assertThat(tree(jdbc, payment)).containsExactly("TakePayment", "  PackParcel", "  WriteInvoice",
					"  ShipOrder");
		});
	}

	@Test
	void orderIsShippedOrPickedUpOrPaidBack() {
		this.contextRunner
			.withUserConfiguration(OrderWorkflow.class, OrderWorkflow.Steps.class, OrderWorkflow.Orders.class)
			.withPropertyValues("jobqueue.queues.orders.max-attempts=1")
			.run((context) -> {
				createUsers(context);
				Orders orders = context.getBean(Orders.class);
				Steps steps = context.getBean(Steps.class);
				orders.place(new Order(7, 70));
				await(() -> assertThat(steps.done()).containsExactly("ship 7", "tell tracking-7"));
				orders.place(new Order(8, 80));
				await(() -> assertThat(steps.done()).endsWith("pick up 8", "tell of the shop"));
				UUID broken = orders.place(new Order(13, 130));
				await(() -> assertThat(steps.done()).endsWith("refund p-13 of 130"));
				await(() -> assertThat(orders.draw(broken)).startsWith("fulfilment is FAILED, 100 %\nflowchart LR\n"));
				orders.retryFailed();
				await(() -> assertThat(failedShipments(context)).containsExactly(2));
			});
	}

	/**
	 * The attempts of each dead job.
	 */
	private static List<Integer> failedShipments(ApplicationContext context) {
		return context.getBean(JdbcClient.class)
			.sql("SELECT jsonb_array_length(to_jsonb(history)) FROM jobqueue_jobs WHERE type = 'Ship' AND state = 'DEAD'")
			.query(Integer.class)
			.list();
	}

	@Test
	void drawingIsThatOfTheDefinition() throws IOException {
		assertThat(Documentation.blocks("mermaid")).extracting(Block::text)
			.contains(new OrderWorkflow().fulfilment().toMermaid());
	}

	private static void createFulfilment(JdbcClient jdbc) {
		jdbc.sql("""
				DROP TABLE IF EXISTS fulfilment;
				CREATE TABLE fulfilment (
				    number bigint GENERATED ALWAYS AS IDENTITY, order_id bigint NOT NULL, step text NOT NULL)
				""").update();
	}

	private static List<String> tree(JdbcClient jdbc, UUID root) throws IOException {
		String sql = Documentation.blocks("sql")
			.stream()
			.map(Block::text)
			.filter((text) -> text.contains("WITH RECURSIVE family"))
			.findFirst()
			.orElseThrow();
		return jdbc.sql(sql.replace("01a1fa8f-9c6b-7bff-810e-3a9e674ea697", root.toString()))
			.query((row, number) -> row.getString("job"))
			.list();
	}

	private static List<String> steps(JdbcClient jdbc) {
		return jdbc.sql("SELECT step FROM fulfilment WHERE order_id = 42 ORDER BY number").query(String.class).list();
	}

}
