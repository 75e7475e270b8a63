package io.jobqueue.internal.store.postgresql.monitoring;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.SnapshotHolder;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What keeps the database from removing dead rows. Other tests may use the server, too:
 * the holder that a test expects has the oldest snapshot of all.
 */
@Tag("pooler") // statements of the store
class CleanupTests extends StoreTestBase {

	private final MonitoringStore store = this.stores.monitoring();

	@Test
	void sessionWithAnOldSnapshotIsNamed() throws SQLException {
		try (Connection session = snapshot("REPEATABLE READ", "SELECT 'a secret'")) {
			int process = process(session);
			enqueue(job("emails", 10));
			await().until(() -> process == holder().process());
			SnapshotHolder holder = holder();
			assertThat(holder.name()).startsWith("session " + process + " of user " + this.database.username())
				.contains("idle in transaction", "'a report'")
				.doesNotContain("secret");
			assertThat(holder.age()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
			assertThat(holder.holdsAsBefore(holder())).isTrue();
		}
	}

	@Test
	void transactionThatHasWrittenKeepsWhatFollows() throws SQLException {
		try (Connection session = snapshot("READ COMMITTED", "SELECT pg_current_xact_id()")) {
			int process = process(session);
			await().until(() -> process == holder().process());
		}
	}

	@Test
	void sessionWithAReleasedSnapshotKeepsNothing() throws SQLException {
		try (Connection session = snapshot("READ COMMITTED", "SELECT 1");
				Statement another = session.createStatement()) {
			another.execute("SET LOCAL lock_timeout = 0");
			enqueue(job("emails", 10));
			assertThat(holder().process()).isNotEqualTo(process(session));
		}
	}

	/**
	 * Other sessions of the server may write at the same time, but not each time.
	 */
	@Test
	void snapshotThatIsNoOlderThanANewOneKeepsNothing() {
		await().until(() -> {
			try (Connection session = snapshot("REPEATABLE READ", "SELECT 1")) {
				return holder().process() != process(session);
			}
		});
	}

	@Test
	void withoutRightsOnlyTheProcessIsKnown() throws SQLException {
		String role = "queue_test_" + UUID.randomUUID().toString().replace("-", "");
		this.sql.sql("CREATE ROLE %s LOGIN PASSWORD 'secret'".formatted(role)).update();
		try (Connection session = snapshot("REPEATABLE READ", "SELECT 1")) {
			int process = process(session);
			enqueue(job("emails", 10));
			MonitoringStore restricted = PostgresStores.of(login(role), null, null).monitoring();
			await().until(
					() -> restricted.cleanup().oldest() != null && process == restricted.cleanup().oldest().process());
			SnapshotHolder holder = restricted.cleanup().oldest();
			assertThat(holder.age()).isNull();
			assertThat(holder.name()).contains("state hidden");
			assertThat(restricted.cleanup().deadRows()).containsKey("jobqueue_job");
		}
		finally {
			this.sql.sql("DROP ROLE " + role).update();
		}
	}

	@Test
	void deadRowsAreCounted() {
		assertThat(this.store.cleanup().deadRows().keySet()).containsExactlyInAnyOrderElementsOf(this.store.tables());
		enqueue("emails", 50);
		this.sql.sql("UPDATE jobqueue_job SET priority = 20").update();
		await().until(() -> this.store.cleanup().deadRows().get("jobqueue_job") >= 50);
	}

	private SnapshotHolder holder() {
		SnapshotHolder holder = this.store.cleanup().oldest();
		return (holder != null) ? holder : new SnapshotHolder("none", -1, "", null);
	}

	private Connection snapshot(String isolation, String statement) throws SQLException {
		Connection session = this.database.directDataSource().getConnection();
		session.setClientInfo("ApplicationName", "a report");
		session.setAutoCommit(false);
		try (Statement begin = session.createStatement()) {
			begin.execute("SET TRANSACTION ISOLATION LEVEL " + isolation);
			begin.execute(statement);
		}
		return session;
	}

	private static int process(Connection session) {
		try {
			return session.unwrap(PGConnection.class).getBackendPID();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private PGSimpleDataSource login(String role) {
		PGSimpleDataSource restricted = new PGSimpleDataSource();
		restricted.setUrl(this.database.directJdbcUrl());
		restricted.setUser(role);
		restricted.setPassword("secret");
		return restricted;
	}

}
