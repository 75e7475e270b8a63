package io.jobqueue.internal.workflow;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import io.jobqueue.WorkflowDefinition;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.harness.TestPool;
import io.jobqueue.testpostgres.ChildJvm;

import static io.jobqueue.WorkflowDefinition.after;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A JVM is killed after it has recorded the end of one step, and within the cancellation
 * of another instance, both held by locks. Another one continues both.
 */
@Tag("slow") // kills a JVM
class WorkflowCrashTests extends WorkflowTestBase {

	private static final String APPLICATION_NAME = "crashing";

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final WorkflowDefinition<String> FULFILMENT = step(step(Tasks.workflow(), "pay"), "ship",
			after("pay"))
		.build();

	private static final WorkflowDefinition<String> REMINDER = step(
			step(WorkflowDefinition.named("reminder", String.class), "wait",
					(request) -> request.delay(Duration.ofHours(1))),
			"remind", after("wait"))
		.build();

	@Test
	void nodeThatIsKilledIsReplaced() {
		QueueNode producer = node(settings().bean(this.tasks).workflow(FULFILMENT).workflow(REMINDER));
		UUID paid = start(producer);
		UUID cancelled = producer.workflows().start("reminder", "order 7").id();
		UUID waiting = job(cancelled, "wait");
		try (OpenTransaction locks = new OpenTransaction(this.database.directDataSource())) {
			locks.sql()
				.sql("SELECT id FROM jobqueue_workflow WHERE id = ? FOR UPDATE")
				.param(paid)
				.query(UUID.class)
				.single();
			locks.sql()
				.sql("SELECT id FROM jobqueue_job WHERE id = ? FOR UPDATE")
				.param(waiting)
				.query(UUID.class)
				.single();
			ChildJvm node = closeLater(ChildJvm.start(Node.class, Map.of("URL", this.database.directJdbcUrl(),
					"USERNAME", this.database.username(), "PASSWORD", this.database.password()), cancelled.toString()));
			await().atMost(PATIENCE)
				.until(() -> count("jobqueue_archive") + count("jobqueue_workflow WHERE cancel_requested") == 2);
			node.kill();
			endSessions();
		}
		assertThat(steps(paid)).containsEntry("pay", "STARTED").containsEntry("ship", "WAITING");
		assertThat(steps(cancelled)).containsEntry("wait", "STARTED").containsEntry("remind", "SKIPPED");
		assertThat(column("cancel_requested", waiting, Boolean.class)).isFalse();
		started((settings) -> settings.bean(this.tasks).reaperInterval(Duration.ofMillis(100)));
		awaitEnd(paid, "SUCCEEDED");
		awaitEnd(cancelled, "CANCELLED");
		assertThat(this.tasks.ran).containsExactly("ship");
	}

	/**
	 * The server would continue a statement that waits for a lock.
	 */
	private void endSessions() {
		String sessions = "pg_stat_activity WHERE datname = current_database() AND application_name = '%s'"
			.formatted(APPLICATION_NAME);
		this.sql.sql("SELECT pg_terminate_backend(pid) FROM " + sessions).query(Boolean.class).list();
		await().until(() -> count(sessions) == 0);
	}

	/**
	 * A node in a JVM of its own, which also cancels an instance.
	 */
	static final class Node {

		private Node() {
		}

		public static void main(String[] arguments) {
			PGSimpleDataSource dataSource = new PGSimpleDataSource();
			dataSource.setUrl(System.getenv("URL"));
			dataSource.setUser(System.getenv("USERNAME"));
			dataSource.setPassword(System.getenv("PASSWORD"));
			dataSource.setApplicationName(APPLICATION_NAME);
			QueueNode node = new QueueNode(new TestNodeSettings(TestPool.of(dataSource, 5)).bean(new Tasks())).start();
			node.workflows().cancel(UUID.fromString(arguments[0]));
		}

	}

}
