package io.jobqueue.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Loan}.
 */
class LoanTests extends StoreTestBase {

	@Test
	void connectionWaitsForAMinuteAndThenAsBefore() throws SQLException {
		try (Connection connection = this.database.dataSource().getConnection()) {
			Loan loan = Loan.of(connection);
			assertThat(connection.getNetworkTimeout()).isEqualTo(60_000);
			loan.end();
			assertThat(connection.getNetworkTimeout()).isZero();
		}
	}

	@Test
	void timeoutOfTheApplicationStays() throws SQLException {
		try (Connection connection = this.database.dataSource().getConnection()) {
			connection.setNetworkTimeout(Runnable::run, 5_000);
			Loan loan = Loan.of(connection);
			assertThat(connection.getNetworkTimeout()).isEqualTo(5_000);
			loan.end();
			assertThat(connection.getNetworkTimeout()).isEqualTo(5_000);
		}
	}

}
