package io.jobqueue.docs;

import java.io.IOException;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobQueue;
import io.jobqueue.docs.Documentation.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The example of jobs that lead to others.
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
