package io.jobqueue.recovery;

import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobQuery;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The JVM of an operator is killed while a lock holds its operation: the operator log has
 * a row of what was committed.
 */
@Tag("slow") // kills JVMs
class OperatorCrashTests extends NodeTestBase {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final JobRequest LATER = JobRequest.of("emails", new Mail("hi")).delay(Duration.ofHours(1));

	private QueueNode living;

	private UUID job;

	@BeforeEach
	void enqueue() {
		this.living = producer();
		this.job = this.living.queue().enqueue(LATER).id();
	}

	/**
	 * The step has begun, and searches its jobs in the view, which reads claims.
	 */
	@Test
	void stepThatIsLostHasChangedNothing() {
		try (OpenTransaction lock = new OpenTransaction(this.database.directDataSource())) {
			lock.sql().sql("LOCK TABLE jobqueue_claim IN ACCESS EXCLUSIVE MODE").update();
			ChildJvm operator = operator(CrashingOperator.Ending.DELETE_ALL);
			await().atMost(PATIENCE).until(() -> count("jobqueue_operator_log") == 1);
			operator.kill();
		}
		awaitEndOfSession();
		assertThat(state(this.job)).isEqualTo("SCHEDULED");
		assertThat(count("jobqueue_operator_log WHERE steps = 1 AND affected = 0 AND ended_at IS NULL")).isOne();
		assertThat(this.living.operations().bulk().delete(JobQuery.all())).isOne();
		assertThat(count("jobqueue_operator_log WHERE steps = 1 AND affected = 1")).isOne();
		assertThat(count("jobqueue_operator_log")).isEqualTo(2);
	}

	/**
	 * The server has the whole transaction, and commits it without its client.
	 */
	@Test
	void changeOfAnOperatorThatIsLostHasItsRow() {
		try (OpenTransaction lock = new OpenTransaction(this.database.directDataSource())) {
			lock.sql().sql("LOCK TABLE jobqueue_operator_log IN EXCLUSIVE MODE").update();
			ChildJvm operator = operator(CrashingOperator.Ending.CANCEL);
			await().atMost(PATIENCE).until(() -> sessions("wait_event_type = 'Lock'") == 1);
			operator.kill();
			assertThat(state(this.job)).isEqualTo("SCHEDULED");
			assertThat(count("jobqueue_operator_log")).isZero();
		}
		awaitEndOfSession();
		assertThat(state(this.job)).isEqualTo("CANCELLED");
		assertThat(count("jobqueue_operator_log WHERE affected = 1")).isOne();
	}

	private ChildJvm operator(CrashingOperator.Ending ending) {
		return closeLater(CrashingOperator.start(this.database, ending, this.job));
	}

	private void awaitEndOfSession() {
		await().until(() -> sessions("true") == 0);
	}

	private long sessions(String condition) {
		return count("pg_stat_activity WHERE datname = current_database() AND application_name = '%s' AND %s"
			.formatted(CrashingOperator.APPLICATION_NAME, condition));
	}

}
