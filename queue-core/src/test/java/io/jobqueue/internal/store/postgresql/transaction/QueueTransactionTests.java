package io.jobqueue.internal.store.postgresql.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * In which state a transaction of the queue's own leaves a connection of the pool, and
 * the statements that it prepares.
 */
@Tag("pooler") // state of sessions
class QueueTransactionTests extends StoreTestBase {

	private static final String WRITE = "INSERT INTO jobqueue_version (version) VALUES (?)";

	private final HikariDataSource pool = new HikariDataSource();

	private final QueueTransaction transactions = new QueueTransaction(this.pool, new Schema(null));

	QueueTransactionTests() {
		this.pool.setDataSource(this.dataSource);
		this.pool.setMaximumPoolSize(1);
		this.pool.setAutoCommit(false);
	}

	@AfterEach
	void removeVersions() {
		this.sql.sql("DELETE FROM jobqueue_version WHERE version > 100").update();
	}

	@Test
	void commitsEvenWhereThePoolDoesNot() {
		assertThat(this.transactions.update(QueueTransaction.BEGIN, WRITE, (parameters) -> parameters.value(102)))
			.isEqualTo(1);
		assertThat(count("jobqueue_version WHERE version = 102")).isEqualTo(1);
	}

	@Test
	void writesNothingIfALaterStepFails() throws SQLException {
		List<Step> steps = List.of(step(102), step(102));
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> this.transactions.run(QueueTransaction.BEGIN, steps));
		assertThat(count("jobqueue_version WHERE version = 102")).isZero();
		assertConnectionIsAsItWas();
	}

	@Test
	void leavesTheConnectionAsItWas() throws SQLException {
		this.transactions.update(QueueTransaction.BEGIN, WRITE, (parameters) -> parameters.value(102));
		assertConnectionIsAsItWas();
	}

	@Test
	void settingsEndWithTheTransaction() {
		this.transactions.update(QueueTransaction.BEGIN_ASYNCHRONOUS, WRITE, (parameters) -> parameters.value(102));
		assertThat(this.transactions.list("SELECT 1;\nSELECT 2", "SHOW plan_cache_mode", Setter.NONE,
				(row, number) -> row.getString(1)))
			.containsExactly("auto");
	}

	/**
	 * Other nodes would wait for what it has locked, until the process goes on.
	 */
	@Test
	void serverEndsTheTransactionOfASuspendedProcess() {
		assertThat(this.transactions.list(QueueTransaction.BEGIN, "SHOW idle_in_transaction_session_timeout",
				Setter.NONE, (row, number) -> row.getString(1)))
			.containsExactly("2s");
	}

	/**
	 * Behind PgBouncer, the URL forbids it.
	 */
	@Test
	void preparesAStatementAtItsFirstExecution() throws SQLException {
		assertThat(preparedAtFirst()).isEqualTo(threshold() > 0);
	}

	@Test
	void preparesNoneIfTheDriverMustNot() throws SQLException {
		int threshold = threshold();
		setThreshold(0);
		try {
			assertThat(preparedAtFirst()).isFalse();
		}
		finally {
			setThreshold(threshold);
		}
	}

	private boolean preparedAtFirst() {
		String id = UUID.randomUUID().toString();
		this.transactions.update(QueueTransaction.BEGIN, WRITE + " /* %s */".formatted(id),
				(parameters) -> parameters.value(102));
		return JdbcClient.create(this.pool)
			.sql("SELECT EXISTS (SELECT 1 FROM pg_prepared_statements WHERE strpos(statement, ?) > 0)")
			.param(id)
			.query(Boolean.class)
			.single();
	}

	private int threshold() throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			return connection.unwrap(PGConnection.class).getPrepareThreshold();
		}
	}

	/**
	 * The connection of the pool is one of another pool, which keeps the threshold.
	 */
	private void setThreshold(int threshold) throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			connection.unwrap(PGConnection.class).setPrepareThreshold(threshold);
		}
	}

	private static Step step(int version) {
		return new Step(WRITE, (parameters) -> parameters.value(version));
	}

	private void assertConnectionIsAsItWas() throws SQLException {
		assertThat(count("pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname = current_database()"))
			.isZero();
		try (Connection connection = this.pool.getConnection()) {
			assertThat(connection.getAutoCommit()).isFalse();
		}
	}

}
