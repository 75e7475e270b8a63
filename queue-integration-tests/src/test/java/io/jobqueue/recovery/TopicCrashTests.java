package io.jobqueue.recovery;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Publishers and subscribers in JVMs of their own.
 */
@Tag("slow") // starts JVMs
class TopicCrashTests extends NodeTestBase {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	/**
	 * It has published, and its transaction is open.
	 */
	@Test
	void publisherThatIsKilledBeforeItsCommitLeavesNothing() {
		this.sql.sql("""
				INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
				SELECT now(), 'news', 'mail', 's' || n, 's' || n, '{}' FROM generate_series(1, 2) AS n
				""").update();
		try (OpenTransaction barrier = new OpenTransaction(this.database.directDataSource())) {
			hold(barrier);
			ChildJvm publisher = closeLater(TopicNode.start(this.database, TopicNode.Work.PUBLISH));
			await().atMost(PATIENCE).until(() -> sessions("wait_event = 'advisory'") == 1);
			publisher.kill();
		}
		await().until(() -> sessions("true") == 0);
		assertThat(count("jobqueue_jobs")).isZero();
		assertThat(producer().queue().publish("news", new Mail("hi"))).hasSize(2);
	}

	@Test
	void jvmsMayDeclareTheSameSubscriptionsAtOnce() {
		List<ChildJvm> nodes;
		try (OpenTransaction barrier = new OpenTransaction(this.database.directDataSource())) {
			hold(barrier);
			nodes = List.of(closeLater(TopicNode.start(this.database, TopicNode.Work.DECLARE)),
					closeLater(TopicNode.start(this.database, TopicNode.Work.DECLARE_REVERSED)));
			await().atMost(PATIENCE).until(() -> sessions("wait_event = 'advisory'") == 2);
		}
		assertThat(nodes).allSatisfy((node) -> assertThat(node.awaitExit(PATIENCE)).isZero());
		assertThat(count("jobqueue_subscription")).isEqualTo(TopicNode.SUBSCRIPTIONS);
	}

	private static void hold(OpenTransaction barrier) {
		barrier.sql()
			.sql("SELECT 1 FROM pg_advisory_xact_lock(%d)".formatted(TopicNode.BARRIER))
			.query(Long.class)
			.single();
	}

	private long sessions(String condition) {
		return count("pg_stat_activity WHERE datname = current_database() AND application_name = '%s' AND %s"
			.formatted(TopicNode.APPLICATION_NAME, condition));
	}

}
