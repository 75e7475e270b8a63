package io.jobqueue.recovery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobBatch;
import io.jobqueue.JobBatch.Item;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.harness.TestPool;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The seventh of twenty jobs of a call ends the JVM, in both of its attempts.
 */
@Tag("slow") // ends JVMs
class BatchCrashTests extends NodeTestBase {

	private static final int JOBS = 20;

	private static final int ODD = 7;

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@Test
	void jobsOfACallThatEndsTheJvmComeBackAndRunAlone() {
		this.sql.sql("CREATE TABLE called (numbers integer[], attempts integer[])").update();
		producer().queue()
			.enqueueAll(IntStream.rangeClosed(1, JOBS)
				.mapToObj((number) -> JobRequest.of("emails", new Mail(String.valueOf(number)))
					.maxAttempts((number == ODD) ? 2 : 0))
				.toList());
		crash();
		assertThat(calls()).containsExactly("20 of attempt 1");
		crash();
		ChildJvm last = closeLater(start());
		await().atMost(PATIENCE).until(() -> count("jobqueue_archive") == JOBS);
		last.kill();
		assertThat(this.sql.sql("SELECT state || ' ' || last_error FROM jobqueue_archive WHERE state <> 'SUCCEEDED'")
			.query(String.class)
			.single()).startsWith("DEAD Lost");
		assertThat(count("jobqueue_archive WHERE state = 'SUCCEEDED'")).isEqualTo(JOBS - 1);
		assertThat(calls()).contains("1 of attempt 2")
			.allMatch((call) -> call.equals("20 of attempt 1") || call.startsWith("1 of attempt "));
		assertThat(this.sql.sql("SELECT max(attempts) FROM jobqueue_archive WHERE failures > 0 AND state = 'SUCCEEDED'")
			.query(Integer.class)
			.single()).isLessThanOrEqualTo(3);
	}

	private List<String> calls() {
		return this.sql.sql("SELECT DISTINCT cardinality(numbers) || ' of attempt ' || attempts[1] FROM called")
			.query(String.class)
			.list();
	}

	/**
	 * The second crash is that of the seventh job alone. No other worker is registered,
	 * and this one counts as lost at once.
	 */
	private void crash() {
		try (ChildJvm node = start()) {
			assertThat(node.awaitExit(PATIENCE)).isEqualTo(Node.STATUS);
		}
		int lost = this.sql.sql("UPDATE jobqueue_worker SET last_active_at = last_active_at - interval '1 hour'")
			.update();
		assertThat(lost).isOne();
	}

	private ChildJvm start() {
		return ChildJvm.start(Node.class, Map.of("URL", this.database.directJdbcUrl(), "USERNAME",
				this.database.username(), "PASSWORD", this.database.password()));
	}

	/**
	 * A node in a JVM of its own.
	 *
	 * @param jdbc writes beside the queue
	 */
	record Node(JdbcTemplate jdbc) {

		static final int STATUS = 7;

		public static void main(String[] arguments) {
			PGSimpleDataSource dataSource = new PGSimpleDataSource();
			dataSource.setUrl(System.getenv("URL"));
			dataSource.setUser(System.getenv("USERNAME"));
			dataSource.setPassword(System.getenv("PASSWORD"));
			DataSource pool = TestPool.of(dataSource, 5);
			new QueueNode(new TestNodeSettings(pool).concurrency(1).bean(new Node(new JdbcTemplate(pool)))).start();
		}

		@JobHandler(queue = "emails", batchSize = JOBS, batchWait = "500ms")
		void run(JobBatch<Mail> mails) {
			List<Integer> numbers = mails.items()
				.stream()
				.map(Item::payload)
				.map((mail) -> Integer.valueOf(mail.text()))
				.toList();
			this.jdbc.update("INSERT INTO called VALUES (?, ?)", numbers.toArray(Integer[]::new),
					mails.items().stream().map((item) -> item.job().attempt()).toArray(Integer[]::new));
			if (numbers.contains(ODD)) {
				Runtime.getRuntime().halt(STATUS);
			}
		}

	}

}
