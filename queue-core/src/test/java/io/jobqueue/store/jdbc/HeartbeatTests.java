package io.jobqueue.store.jdbc;

import java.sql.Connection;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.store.WorkerStore.Worker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Heartbeats while tables are locked.
 */
class HeartbeatTests extends StoreTestBase {

	@ParameterizedTest
	@ValueSource(strings = { "ACCESS EXCLUSIVE", "SHARE" })
	void reachesTheDatabaseWhileTheJobsAreLocked(String mode) throws Exception {
		UUID worker = worker("node");
		fallSilent(worker);
		OffsetDateTime before = lastActive();
		try (Connection blocker = this.database.dataSource().getConnection();
				Statement statement = blocker.createStatement()) {
			blocker.setAutoCommit(false);
			statement.execute("LOCK TABLE jobqueue_job IN %s MODE".formatted(mode));
			this.workers.checkIn(new Worker(worker, "node", List.of("emails"), worker, TIMEOUT, ""), false);
			assertThat(lastActive()).isAfter(before);
			blocker.rollback();
		}
	}

	private OffsetDateTime lastActive() {
		return this.sql.sql("SELECT last_active_at FROM jobqueue_worker").query(OffsetDateTime.class).single();
	}

}
