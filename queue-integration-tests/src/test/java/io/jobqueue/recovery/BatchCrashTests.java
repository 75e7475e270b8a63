package io.jobqueue.recovery;

import java.util.List;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobBatch;
import io.jobqueue.JobBatch.Item;
import io.jobqueue.JobHandler;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The seventh of twenty jobs of a call ends the JVM, in both of its attempts.
 */
class BatchCrashTests extends CrashingNeighbourTestBase {

	BatchCrashTests() {
		super(Node.class);
	}

	@Test
	void jobsOfACallThatEndsTheJvmComeBackAndRunAlone() {
		this.sql.sql("CREATE TABLE called (numbers integer[], attempts integer[])").update();
		enqueue();
		crash();
		assertThat(calls()).containsExactly("20 of attempt 1");
		crash();
		finish();
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
	 * A node in a JVM of its own.
	 *
	 * @param jdbc writes beside the queue
	 */
	record Node(JdbcTemplate jdbc) {

		public static void main(String[] arguments) {
			DataSource pool = pool();
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
			if (numbers.contains(CRASHING)) {
				halt();
			}
		}

	}

}
