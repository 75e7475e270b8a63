package io.jobqueue.recovery;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job with an ordering key is ended for good, and the JVM that did so is killed before
 * it hands the key over, which is a transaction of its own.
 */
@Tag("slow") // kills JVMs
class KeyReleaseCrashTests extends NodeTestBase {

	private static final JobRequest ORDERED = JobRequest.of("emails", new Mail("hi")).orderedBy("a");

	@ParameterizedTest
	@EnumSource(names = { "CANCEL", "DELETE" })
	void nextJobRunsThoughTheKeyIsNotReleased(CrashingOperator.Ending ending) throws SQLException {
		QueueNode living = started(
				(settings) -> settings.reaperInterval(Duration.ofMillis(100)).handler((mail, job) -> {
				}));
		UUID head = living.queue().enqueue(ORDERED.delay(Duration.ofHours(1))).id();
		UUID next = living.queue().enqueue(ORDERED).id();
		await().until(() -> count("jobqueue_job WHERE admission = 'ORDER'") == 1);
		try (Connection gatekeeper = this.database.directDataSource().getConnection()) {
			closeTheGate(gatekeeper);
			killBeforeItHandsOver(closeLater(CrashingOperator.start(this.database, ending, head)));
			assertThat(count("jobqueue_job")).isOne();
			assertThat(state(next)).isIn("BLOCKED", "READY");
		}
		awaitState(next, "SUCCEEDED");
	}

	private static void closeTheGate(Connection connection) {
		JdbcClient.create(new SingleConnectionDataSource(connection, true))
			.sql("SELECT pg_advisory_lock(hashtextextended('ADMISSION of emails', 'jobqueue_job'::regclass::oid::bigint))")
			.query()
			.singleRow();
	}

	/**
	 * The server must not do so in its stead: it learns of the crash when it has waited
	 * long enough for the breakpoint.
	 */
	private void killBeforeItHandsOver(ChildJvm operator) {
		await().atMost(Duration.ofMinutes(2)).until(() -> count("jobqueue_job") == 1);
		operator.kill();
		await().until(() -> count("pg_stat_activity WHERE datname = current_database() AND application_name = '%s'"
			.formatted(CrashingOperator.APPLICATION_NAME)) == 0);
	}

}
