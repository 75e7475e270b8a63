package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Connection;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.WorkerStore.CheckInResult;
import io.jobqueue.internal.store.WorkerStore.Worker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Registrations, and heartbeats while tables are locked.
 */
@Tag("pooler") // state of sessions
class HeartbeatTests extends StoreTestBase {

	/**
	 * A lock that lets the jobs be read does not hold up requests to cancel them.
	 */
	@ParameterizedTest
	@CsvSource({ "jobqueue_job, ACCESS EXCLUSIVE, false", "jobqueue_job, SHARE, true",
			"jobqueue_recurring, ACCESS EXCLUSIVE, false" })
	void reachesTheDatabaseWhileATableIsLocked(String table, String mode, boolean readable) throws Exception {
		UUID worker = worker("node");
		UUID job = enqueue("emails", 1).get(0);
		claimOne(worker);
		this.stores.operations().cancel(job, null);
		fallSilent(worker);
		OffsetDateTime before = lastActive();
		try (Connection blocker = this.database.dataSource().getConnection();
				Statement statement = blocker.createStatement()) {
			blocker.setAutoCommit(false);
			statement.execute("LOCK TABLE %s IN %s MODE".formatted(table, mode));
			assertThat(checkIn(worker).cancels()).isEqualTo(readable ? Set.of(job) : Set.of());
			assertThat(lastActive()).isAfter(before);
			checkIn(UUID.randomUUID());
			assertThat(count("jobqueue_worker")).as("The other one is registered").isEqualTo(2);
			blocker.rollback();
		}
	}

	/**
	 * The answer to the first heartbeat may be lost.
	 */
	@Test
	void registrationMayBeRepeated() {
		UUID worker = UUID.randomUUID();
		assertThat(this.workers.register(described(worker), false).known()).isFalse();
		assertThat(this.workers.register(described(worker), false).known()).isFalse();
		assertThat(count("jobqueue_worker")).isEqualTo(1);
		assertThat(checkIn(worker).known()).isTrue();
	}

	@Test
	void heartbeatOfAnUnknownWorkerRegistersIt() {
		UUID worker = UUID.randomUUID();
		assertThat(checkIn(worker).known()).isFalse();
		assertThat(checkIn(worker).known()).isTrue();
	}

	private CheckInResult checkIn(UUID worker) {
		return this.workers.checkIn(described(worker), false);
	}

	private static Worker described(UUID worker) {
		return new WorkerBuilder(worker).timeout(TIMEOUT).build();
	}

	private OffsetDateTime lastActive() {
		return this.sql.sql("SELECT last_active_at FROM jobqueue_worker").query(OffsetDateTime.class).single();
	}

}
