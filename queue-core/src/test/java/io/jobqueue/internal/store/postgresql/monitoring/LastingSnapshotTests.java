package io.jobqueue.internal.store.postgresql.monitoring;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.copy.CopyDual;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.SnapshotHolder;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.testpostgres.CrashableServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What keeps the database from removing dead rows after its session has ended. The server
 * is the test's own: others do not allow for prepared transactions.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow") // starts a server
@Tag("pooler") // state of sessions
@Tag("oldest") // statements of the store
class LastingSnapshotTests {

	private final CrashableServer server = new CrashableServer(Map.of("max_prepared_transactions", "1"));

	private final JdbcClient sql = JdbcClient.create(this.server.dataSource());

	private final MonitoringStore store = PostgresStores.of(this.server.dataSource(), null, null).monitoring();

	@AfterAll
	void close() {
		this.server.close();
	}

	@Test
	void preparedTransactionIsNamedAndItsAgeIsKnown() throws SQLException {
		try (Connection session = this.server.dataSource().getConnection()) {
			session.createStatement().execute("BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'forgotten'");
		}
		SnapshotHolder holder = holder();
		assertThat(holder.name()).isEqualTo("prepared transaction 'forgotten' of user postgres");
		assertThat(holder.process()).isNull();
		assertThat(holder.age()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
		assertThat(holder.holdsAsBefore(holder())).isTrue();
		this.sql.sql("ROLLBACK PREPARED 'forgotten'").update();
		assertThat(this.store.cleanup().oldest()).isNull();
	}

	@Test
	void unusedReplicationSlotIsNamed() throws SQLException {
		this.sql.sql("SELECT pg_create_physical_replication_slot('standby')").query().singleRow();
		letStandbyNeed(transaction());
		await().until(() -> holder().process() == null);
		SnapshotHolder holder = holder();
		assertThat(holder.name()).isEqualTo("replication slot 'standby'");
		assertThat(holder.age()).isNull();
		transaction();
		assertThat(holder.holdsAsBefore(holder())).isTrue();
		this.sql.sql("SELECT pg_drop_replication_slot('standby')").query().singleRow();
		assertThat(this.store.cleanup().oldest()).isNull();
	}

	private SnapshotHolder holder() {
		await().until(() -> this.store.cleanup().oldest() != null);
		return this.store.cleanup().oldest();
	}

	/**
	 * Another transaction that writes.
	 */
	private long transaction() {
		return this.sql.sql("SELECT pg_current_xact_id()::text::bigint").query(Long.class).single();
	}

	private String endOfLog() {
		return this.sql.sql("SELECT pg_current_wal_flush_lsn()::text").query(String.class).single();
	}

	/**
	 * Send what a standby with {@code hot_standby_feedback} does: its queries may see
	 * what was there at the transaction.
	 */
	private void letStandbyNeed(long transaction) throws SQLException {
		Properties properties = new Properties();
		PGProperty.USER.set(properties, "postgres");
		PGProperty.REPLICATION.set(properties, "true");
		PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "9.4");
		PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
		try (Connection standby = DriverManager.getConnection(this.server.jdbcUrl(), properties)) {
			CopyDual stream = standby.unwrap(PGConnection.class)
				.getCopyAPI()
				.copyDual("START_REPLICATION SLOT standby PHYSICAL " + endOfLog());
			byte[] feedback = ByteBuffer.allocate(25)
				.put((byte) 'h')
				.putLong(0)
				.putInt((int) transaction)
				.putInt(0)
				.putInt(0)
				.putInt(0)
				.array();
			stream.writeToCopy(feedback, 0, feedback.length);
			stream.flushCopy();
			await().until(() -> this.sql.sql("SELECT xmin IS NOT NULL FROM pg_replication_slots")
				.query(Boolean.class)
				.single());
		}
	}

}
