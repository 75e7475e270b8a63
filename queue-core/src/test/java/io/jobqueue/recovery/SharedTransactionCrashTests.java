package io.jobqueue.recovery;

import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
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
 * The seventh of twenty jobs that share a transaction ends the JVM, in both of its
 * attempts.
 */
@Tag("slow") // ends JVMs
class SharedTransactionCrashTests extends NodeTestBase {

	private static final int JOBS = 20;

	private static final int ODD = 7;

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@Test
	void neighboursHaveTheirEffectOnce() {
		this.sql.sql("CREATE TABLE done (number integer, attempt integer, xid text)").update();
		producer().queue()
			.enqueueAll(IntStream.rangeClosed(1, JOBS)
				.mapToObj((number) -> JobRequest.of("emails", new Mail(String.valueOf(number)))
					.maxAttempts((number == ODD) ? 2 : 0))
				.toList());
		crash();
		assertThat(count("done")).isZero();
		crash();
		ChildJvm last = closeLater(start());
		await().atMost(PATIENCE).until(() -> count("jobqueue_archive") == JOBS);
		last.kill();
		assertThat(this.sql.sql("SELECT state || ' ' || last_error FROM jobqueue_archive WHERE state <> 'SUCCEEDED'")
			.query(String.class)
			.single()).startsWith("DEAD Lost");
		assertThat(this.sql.sql("SELECT count(DISTINCT number) FROM done WHERE number <> ?")
			.param(ODD)
			.query(Integer.class)
			.single()).isEqualTo(JOBS - 1);
		assertThat(count("done")).isEqualTo(JOBS - 1);
		assertThat(count("(SELECT xid FROM done WHERE attempt > 1 GROUP BY xid HAVING count(*) > 1) AS shared"))
			.isZero();
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
	 * @param jdbc writes on the handler's transaction
	 */
	record Node(JdbcTemplate jdbc) {

		static final int STATUS = 7;

		public static void main(String[] arguments) {
			PGSimpleDataSource dataSource = new PGSimpleDataSource();
			dataSource.setUrl(System.getenv("URL"));
			dataSource.setUser(System.getenv("USERNAME"));
			dataSource.setPassword(System.getenv("PASSWORD"));
			DataSource pool = TestPool.of(dataSource, 5);
			new QueueNode(new TestNodeSettings(pool).transactions(JOBS, Duration.ofMinutes(1))
				.bean(new Node(new JdbcTemplate(pool)))).start();
		}

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL)
		void run(Mail mail, JobContext job) {
			int number = Integer.parseInt(mail.text());
			this.jdbc.update("INSERT INTO done VALUES (?, ?, pg_current_xact_id()::text)", number, job.attempt());
			if (number == ODD) {
				Runtime.getRuntime().halt(STATUS);
			}
		}

	}

}
