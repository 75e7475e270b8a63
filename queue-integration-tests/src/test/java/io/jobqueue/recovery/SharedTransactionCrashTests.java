package io.jobqueue.recovery;

import java.time.Duration;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The seventh of twenty jobs that share a transaction ends the JVM, in both of its
 * attempts.
 */
class SharedTransactionCrashTests extends CrashingNeighbourTestBase {

	SharedTransactionCrashTests() {
		super(Node.class);
	}

	@Test
	void neighboursHaveTheirEffectOnce() {
		this.sql.sql("CREATE TABLE done (number integer, attempt integer, xid text)").update();
		enqueue();
		crash();
		assertThat(count("done")).isZero();
		crash();
		finish();
		assertThat(this.sql.sql("SELECT count(DISTINCT number) FROM done WHERE number <> ?")
			.param(CRASHING)
			.query(Integer.class)
			.single()).isEqualTo(JOBS - 1);
		assertThat(count("done")).isEqualTo(JOBS - 1);
		assertThat(count("(SELECT xid FROM done WHERE attempt > 1 GROUP BY xid HAVING count(*) > 1) AS shared"))
			.isZero();
	}

	/**
	 * A node in a JVM of its own.
	 *
	 * @param jdbc writes on the handler's transaction
	 */
	record Node(JdbcTemplate jdbc) {

		public static void main(String[] arguments) {
			DataSource pool = pool();
			new QueueNode(new TestNodeSettings(pool).transactions(JOBS, Duration.ofMinutes(1))
				.bean(new Node(new JdbcTemplate(pool)))).start();
		}

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL)
		void run(Mail mail, JobContext job) {
			int number = Integer.parseInt(mail.text());
			this.jdbc.update("INSERT INTO done VALUES (?, ?, pg_current_xact_id()::text)", number, job.attempt());
			if (number == CRASHING) {
				halt();
			}
		}

	}

}
