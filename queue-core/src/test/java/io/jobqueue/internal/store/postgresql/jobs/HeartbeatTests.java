package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Connection;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.WorkerStore.CheckInResult;
import io.jobqueue.internal.store.WorkerStore.HandledQueue;
import io.jobqueue.internal.store.WorkerStore.Worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * Registrations, and heartbeats while tables are locked.
 */
@Tag("pooler") // state of sessions
class HeartbeatTests extends StoreTestBase {

	private static final Pattern WAL = Pattern.compile("WAL: records=.*bytes=(\\d+)");

	private static final String ARCHIVED = "jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue, type, payload, keep_until) VALUES (gen_random_uuid(), 1, now(), now(), now(), 1, 0, 10, 'SUCCEEDED', 'emails', 'mail', '{}', ";

	private static final String DEDUPE = "jobqueue_dedupe (job_id, queue, unique_key, ends_at) VALUES (gen_random_uuid(), 'emails', 'key', ";

	private static final String OPERATION = "jobqueue_operator_log (id, operation, subject, at) VALUES (gen_random_uuid(), 'pause', 'emails', ";

	private static final String STATISTICS = "jobqueue_statistics (worker_id, succeeded, failed, dead, cancelled, minutes, priority, queue, run_times, at) VALUES (gen_random_uuid(), 1, 0, 0, 0, 10, 10, 'emails', '{}', ";

	private static final String BATCH = "jobqueue_batch (id, then_id, created_at, name, sealed_at, finished_at) VALUES (gen_random_uuid(), gen_random_uuid(), now(), 'import', ";

	/**
	 * A lock that lets the jobs be read does not hold up requests to cancel them.
	 */
	@ParameterizedTest
	@Tag("slow") // waits for locks in vain
	@CsvSource({ "jobqueue_job, ACCESS EXCLUSIVE, false", "jobqueue_job, SHARE, true",
			"jobqueue_recurring, ACCESS EXCLUSIVE, false", "jobqueue_archive, ACCESS EXCLUSIVE, false" })
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
			assertThat(search(worker).cancels()).isEqualTo(readable ? Set.of(job) : Set.of());
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

	@Test
	void onlySearchesFindThatThereIsNothingToDo() {
		UUID worker = worker("node");
		assertThat(search(worker).empty()).isTrue();
		assertThat(checkIn(worker).empty()).isFalse();
		assertThat(search(UUID.randomUUID()).empty()).as("together with a registration").isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { ARCHIVED + "now() + interval '1 hour')", ARCHIVED + "NULL)",
			"jobqueue_unarchived (id, removed_at) VALUES (gen_random_uuid(), now() - interval '23 hours')",
			DEDUPE + "now() + interval '1 hour')", STATISTICS + "now() - interval '6 days')",
			OPERATION + "now() - interval '89 days')", BATCH + "NULL, NULL)",
			BATCH + "now(), now() - interval '6 days')" })
	void searchPassesWhatIsKept(String row) {
		this.sql.sql("INSERT INTO " + row).update();
		assertThat(search(worker("node")).empty()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"jobqueue_job (id, run_at, created_at, priority, queue, type, payload) VALUES (gen_random_uuid(), now() + interval '1 day', now(), 10, 'emails', 'mail', '{}')",
			"jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids) VALUES (gen_random_uuid(), 1, now() + interval '1 hour', 1, 'emails', '{}')",
			"jobqueue_key (queue, unique_key, job_id, used_by) VALUES ('emails', 'a', gen_random_uuid(), '1')",
			"jobqueue_dependency (predecessor_id, job_id, on_failure) VALUES (gen_random_uuid(), gen_random_uuid(), 'RUN')",
			ARCHIVED + "now())",
			"jobqueue_unarchived (id, removed_at) VALUES (gen_random_uuid(), now() - interval '1 day')",
			DEDUPE + "now())", STATISTICS + "now() - interval '169 hours')", OPERATION + "now() - interval '90 days')",
			BATCH + "now(), NULL)", BATCH + "now(), now() - interval '7 days')" })
	void searchFindsWhatThereIsToDo(String row) {
		this.sql.sql("INSERT INTO " + row).update();
		assertThat(search(worker("node")).empty()).isFalse();
	}

	/**
	 * The clock of the database was set back since the heartbeat of the last one.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "-1 hour", "1 hour" })
	void searchFindsWorkersThatTheReaperWouldRemoveOrReset(String shift) {
		UUID worker = worker("node");
		worker("other");
		assertThat(search(worker).empty()).isTrue();
		this.sql.sql("UPDATE jobqueue_worker SET last_active_at = now() + ?::interval WHERE name = 'other'")
			.param(shift)
			.update();
		assertThat(search(worker).empty()).isFalse();
	}

	/**
	 * The server measures the statement, so that nothing that others write is counted. An
	 * open snapshot keeps all versions of the row. How often they fill a page depends on
	 * where the first one lies.
	 */
	@Test
	void heartbeatWritesNoMoreBecauseOfWhatTheWorkerCanRun() throws Exception {
		UUID worker = UUID.randomUUID();
		Set<String> types = IntStream.range(0, 30)
			.mapToObj((type) -> "type" + UUID.randomUUID())
			.collect(Collectors.toSet());
		this.workers.register(described(worker), true);
		try (Connection snapshot = this.database.dataSource().getConnection();
				Statement statement = snapshot.createStatement()) {
			snapshot.setAutoCommit(false);
			snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			statement.execute("SELECT FROM jobqueue_worker");
			walOfHeartbeats();
			long before = walOfHeartbeats();
			this.workers.change(new WorkerBuilder(worker)
				.handled(Map.of("emails", new HandledQueue(types, 10, 0, 99, ClusterLimits.NONE)))
				.build());
			assertThat(walOfHeartbeats()).isCloseTo(before, withinPercentage(5));
		}
	}

	private long walOfHeartbeats() {
		return IntStream.range(0, 100).mapToLong((heartbeat) -> walOfHeartbeat()).sum();
	}

	private long walOfHeartbeat() {
		List<String> plan = this.sql.sql(
				"EXPLAIN (ANALYZE, WAL) UPDATE jobqueue_worker SET last_active_at = clock_timestamp(), idle = NOT idle")
			.query(String.class)
			.list();
		Matcher wal = WAL.matcher(String.join(" ", plan));
		assertThat(wal.find()).as(plan.toString()).isTrue();
		return Long.parseLong(wal.group(1));
	}

	private CheckInResult search(UUID worker) {
		return this.workers.checkInAndSearch(described(worker));
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
