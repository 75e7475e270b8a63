package io.jobqueue.internal.store.postgresql.signal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.internal.store.postgresql.transaction.DedicatedConnection;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Connections that the subscription to signals opens.
 */
@Tag("oldest") // LISTEN and NOTIFY
class PostgresSignalsTests extends NodeTestBase {

	private final AtomicInteger opened = new AtomicInteger();

	@Test
	void noConnectionIsOpenedIfTheChannelNameCannotBeRead() {
		HikariDataSource closed = pool(1);
		closed.close();
		PostgresSignals signals = signals(closed);
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(signals::subscribe);
		assertThat(this.opened).hasValue(0);
	}

	@Test
	void serverDoesNotEndTheSessionOfAnIdleListener() throws SQLException {
		PGSimpleDataSource unpooled = (PGSimpleDataSource) this.database.directDataSource();
		unpooled.setOptions("-c idle_session_timeout=15s");
		try (DedicatedConnection side = new DedicatedConnection(null, this.pool);
				Connection connection = unpooled.getConnection();
				Statement statement = connection.createStatement()) {
			PostgresSignals signals = new PostgresSignals(side, new SingleConnectionDataSource(connection, true),
					new Schema(null));
			signals.subscribe();
			ResultSet timeout = statement.executeQuery("SHOW idle_session_timeout");
			assertThat(timeout.next()).isTrue();
			assertThat(timeout.getString(1)).isEqualTo("0");
		}
	}

	private PostgresSignals signals(DataSource pool) {
		return new PostgresSignals(new DedicatedConnection(null, pool),
				new DelegatingDataSource(this.database.directDataSource()) {

					@Override
					public Connection getConnection() throws SQLException {
						PostgresSignalsTests.this.opened.incrementAndGet();
						return super.getConnection();
					}

				}, new Schema(null));
	}

}
