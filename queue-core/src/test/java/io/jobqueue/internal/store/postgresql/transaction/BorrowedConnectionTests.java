package io.jobqueue.internal.store.postgresql.transaction;

import java.sql.Connection;
import java.sql.SQLException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BorrowedConnection}.
 */
@Tag("pooler") // state of sessions
class BorrowedConnectionTests extends StoreTestBase {

	@Test
	void connectionWaitsForAMinuteAndThenAsBefore() throws SQLException {
		try (Connection connection = this.database.dataSource().getConnection()) {
			BorrowedConnection borrowed = BorrowedConnection.of(connection);
			assertThat(connection.getNetworkTimeout()).isEqualTo(60_000);
			borrowed.close();
			assertThat(connection.getNetworkTimeout()).isZero();
		}
	}

	@Test
	void timeoutOfTheApplicationStays() throws SQLException {
		try (Connection connection = this.database.dataSource().getConnection()) {
			connection.setNetworkTimeout(Runnable::run, 5_000);
			BorrowedConnection borrowed = BorrowedConnection.of(connection);
			assertThat(connection.getNetworkTimeout()).isEqualTo(5_000);
			borrowed.close();
			assertThat(connection.getNetworkTimeout()).isEqualTo(5_000);
		}
	}

	@Test
	void connectionIsInAutoCommitModeUntilItIsGivenBack() throws SQLException {
		try (Connection connection = this.database.dataSource().getConnection()) {
			connection.setAutoCommit(false);
			BorrowedConnection borrowed = BorrowedConnection.of(connection);
			assertThat(connection.getAutoCommit()).isTrue();
			borrowed.close();
			assertThat(connection.getAutoCommit()).isFalse();
		}
	}

}
