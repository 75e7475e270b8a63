package io.jobqueue.performance;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import io.jobqueue.JobHandler;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.harness.TestPool;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Payloads that need more memory than the JVM has: 400 MB, and a heap of 384 MB that ends
 * the JVM when it does not suffice.
 */
@Tag("slow") // starts JVMs
class SmallHeapTests extends NodeTestBase {

	private static final int LARGE = 400;

	private static final int HANDLERS = 500;

	private static final int OVERLAPPING = 8;

	/**
	 * Compressed, the jobs have 5 MB. Small ones come first, so that it is known how
	 * short jobs are and many are claimed in advance.
	 */
	@Test
	void largePayloadsAreClaimedAsTheHeapPermits() {
		insert(50, 1, 10);
		insert(LARGE, 1, 1_000_000);
		insert(4, 4, 10);
		try (ChildJvm jvm = ChildJvm.start(SmallHeap.class,
				Map.of("URL", this.database.jdbcUrl(), "USERNAME", this.database.username(), "PASSWORD",
						this.database.password(), "JAVA_TOOL_OPTIONS", "-Xmx384m -XX:+ExitOnOutOfMemoryError"))) {
			jvm.awaitLine("STARTED", Duration.ofMinutes(2));
			await().atMost(Duration.ofMinutes(5)).until(() -> count("jobqueue_job") == 0 || !isAlive(jvm));
			assertThat(isAlive(jvm)).as("The JVM had enough memory").isTrue();
		}
		assertThat(count("jobqueue_archive WHERE attempts = 1 AND state = 'SUCCEEDED'")).isEqualTo(LARGE + 54);
	}

	private static boolean isAlive(ChildJvm jvm) {
		return ProcessHandle.of(jvm.pid()).map(ProcessHandle::isAlive).orElse(false);
	}

	private void insert(int jobs, int queues, int length) {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				SELECT gen_random_uuid(), now(), now(), 10, 'mails-' || n %% %d, 'mail',
				       '{"text":"' || repeat('x', %d) || '"}'
				FROM generate_series(1, %d) n
				""".formatted(queues, length, jobs)).update();
	}

	/**
	 * Runs a node whose handlers of large mails wait until a few of them run.
	 */
	static final class SmallHeap {

		private final CountDownLatch overlap = new CountDownLatch(OVERLAPPING);

		public static void main(String[] arguments) {
			new SmallHeap().run();
		}

		@SuppressWarnings("resource")
		private void run() {
			PGSimpleDataSource dataSource = new PGSimpleDataSource();
			dataSource.setUrl(System.getenv("URL"));
			dataSource.setUser(System.getenv("USERNAME"));
			dataSource.setPassword(System.getenv("PASSWORD"));
			new QueueNode(new TestNodeSettings(TestPool.of(dataSource, 10)).concurrency(HANDLERS).bean(this)).start();
			System.out.println("STARTED");
		}

		@JobHandler(queue = "mails-0")
		void first(Mail mail) throws InterruptedException {
			handle(mail);
		}

		@JobHandler(queue = "mails-1")
		void second(Mail mail) throws InterruptedException {
			handle(mail);
		}

		@JobHandler(queue = "mails-2")
		void third(Mail mail) throws InterruptedException {
			handle(mail);
		}

		@JobHandler(queue = "mails-3")
		void fourth(Mail mail) throws InterruptedException {
			handle(mail);
		}

		private void handle(Mail mail) throws InterruptedException {
			if (mail.text().length() > 10) {
				this.overlap.countDown();
				assertThat(this.overlap.await(1, TimeUnit.MINUTES)).isTrue();
			}
		}

	}

}
