package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a node commits right before it stops wakes other nodes. Their workers do not poll.
 */
@Tag("pooler") // signals
class LastSignalTests extends NodeTestBase {

	@Tag("slow") // starts a JVM
	@Test
	void jobOfAProcessThatEndsAfterItsCommitBegins() {
		listening((settings) -> settings.handler((mail, job) -> {
		}));
		ChildJvm producer = closeLater(ChildJvm.start(Producer.class, Map.of("URL", this.database.directJdbcUrl(),
				"USERNAME", this.database.username(), "PASSWORD", this.database.password())));
		String line = producer.awaitLine("ENQUEUED", Duration.ofMinutes(2));
		awaitState(UUID.fromString(line.substring(line.indexOf(' ') + 1)), "SUCCEEDED");
		assertThat(producer.awaitExit(Duration.ofMinutes(2))).isZero();
	}

	@Test
	void jobThatAStoppingWorkerReleasesBeginsElsewhere() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		QueueNode stopping = started((settings) -> settings.neverPolls()
			.unpooled(this.database.directDataSource())
			.shutdownTimeout(Duration.ofMillis(100))
			.handler((mail, job) -> {
				begun.countDown();
				new CountDownLatch(1).await();
			}));
		UUID job = stopping.queue().enqueue("emails", new Mail("hi")).id();
		begun.await();
		listening((settings) -> settings.handler((mail, again) -> {
		}));
		stopping.close();
		awaitState(job, "SUCCEEDED");
	}

	private void listening(UnaryOperator<TestNodeSettings> settings) {
		QueueNode node = started(
				(common) -> settings.apply(common).neverPolls().listensOn(this.database.directDataSource()));
		await().until(() -> node.remoteSignals().isConnected());
	}

	/**
	 * Enqueues a job and ends.
	 */
	static final class Producer {

		private Producer() {
		}

		public static void main(String[] arguments) {
			PGSimpleDataSource dataSource = new PGSimpleDataSource();
			dataSource.setUrl(System.getenv("URL"));
			dataSource.setUser(System.getenv("USERNAME"));
			dataSource.setPassword(System.getenv("PASSWORD"));
			QueueNode node = new QueueNode(new TestNodeSettings(dataSource).unpooled(dataSource));
			node.remoteSignals().start();
			UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
			node.close();
			System.out.println("ENQUEUED " + job);
			System.exit(0);
		}

	}

}
