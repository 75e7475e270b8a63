package io.jobqueue.internal.outbox;

import java.sql.SQLException;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionSystemException;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Jobs that the database refuses to insert, for want of a right or of memory.
 */
class RefusedEnqueueTests extends NodeTestBase {

	private void refuseInserts(String state) {
		beforePoison("RAISE EXCEPTION 'not today' USING ERRCODE = '%s'".formatted(state));
		this.sql.sql("CREATE TABLE business (id integer)").update();
	}

	private void beforePoison(String statement) {
		this.sql.sql("""
				CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %s; RETURN NEW; END $$;
				CREATE TRIGGER refuse BEFORE INSERT ON jobqueue_job FOR EACH ROW
				WHEN (NEW.payload LIKE '%%poison%%') EXECUTE FUNCTION refuse()
				""".formatted(statement)).update();
	}

	@AfterEach
	void acceptInserts() {
		this.sql.sql("DROP FUNCTION IF EXISTS refuse() CASCADE; DROP TABLE IF EXISTS business").update();
	}

	@ParameterizedTest
	@ValueSource(strings = { "42501", "42P01", "53200" })
	void callThrowsAndNoneOfItsJobsExists(String state) {
		QueueNode node = started((settings) -> settings);
		refuseInserts(state);
		assertThatException().isThrownBy(() -> node.queue().enqueueAll(List.of(later("hi"), later("poison"))))
			.satisfies((failure) -> assertThat(stateOf(failure)).isEqualTo(state));
		assertThat(count("jobqueue_job")).isZero();
		node.queue().enqueue(later("hi"));
		assertThat(count("jobqueue_job")).isEqualTo(1);
	}

	/**
	 * Also where the application catches the failure and goes on.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "42501", "42P01", "53200" })
	void transactionOfTheCallerCannotCommit(String state) {
		QueueNode node = started((settings) -> settings);
		refuseInserts(state);
		assertThatException().isThrownBy(() -> node.transaction().executeWithoutResult((status) -> {
			JdbcClient.create(this.pool).sql("INSERT INTO business VALUES (1)").update();
			node.queue().enqueue(later("hi"));
			assertThatException().isThrownBy(() -> node.queue().enqueue(later("poison")));
		}));
		assertThat(count("business")).isZero();
		assertThat(count("jobqueue_job")).isZero();
	}

	/**
	 * Such as with a session that an administrator has ended.
	 */
	@Test
	void failureIsAttachedToThatOfTheRollback() {
		QueueNode node = started((settings) -> settings);
		beforePoison("PERFORM pg_terminate_backend(pg_backend_pid())");
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> node.queue().enqueue(later("poison")))
			.satisfies((failure) -> assertThat(failure.getApplicationException())
				.isInstanceOf(DataAccessResourceFailureException.class));
	}

	private static JobRequest later(String text) {
		return JobRequest.of("later", new Mail(text));
	}

	private static String stateOf(Exception failure) {
		return ((SQLException) NestedExceptionUtils.getMostSpecificCause(failure)).getSQLState();
	}

}
