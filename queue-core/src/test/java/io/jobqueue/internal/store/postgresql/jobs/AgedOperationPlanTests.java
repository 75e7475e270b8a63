package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToIntBiFunction;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.internal.store.DependencyStore.Position;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plans of operations, cancellations and dependencies that a connection has made while
 * the tables were almost empty have to serve when they are suddenly full.
 */
@Tag("slow") // fills six tables
class AgedOperationPlanTests extends StoreTestBase {

	/**
	 * A scan of a table, or of a whole index, reads a buffer for a few rows at least.
	 */
	private static final int ROWS = 20_000;

	private static final List<String> TABLES = List.of("jobqueue_job", "jobqueue_archive", "jobqueue_dependency",
			"jobqueue_unarchived", "jobqueue_key", "jobqueue_dedupe");

	private static final int WAITING = 0;

	private static final int SUCCESSOR = 1;

	private static final int ARCHIVED = 2;

	private static final int PREDECESSOR = 3;

	private static final int RELEASABLE = 4;

	private static final int FOLLOWER = 5;

	private static final List<Case> CASES = List.of(
			operation("cancel", (operations, jobs) -> operations.cancel(unkept(jobs)).ended().size()),
			operation("reschedule", (operations, jobs) -> operations.reschedule(jobs, Instant.now()).jobs().size()),
			operation("reprioritise", (operations, jobs) -> operations.reprioritise(jobs, 50).jobs().size()),
			operation("delete", (operations, jobs) -> operations.delete(jobs).jobs().size()),
			named("expiry", WAITING, (stores, jobs) -> stores.maintenance().cancel(unkept(jobs)).ended().size()),
			onArchive("replay", (operations, jobs) -> operations.replay(copies(jobs)).jobs().size()),
			onArchive("revive", (operations, jobs) -> operations.revive(jobs).jobs().size()),
			onArchive("removal", (operations, jobs) -> operations.deleteArchived(jobs).jobs().size()),
			named("purge", ARCHIVED, (stores, jobs) -> stores.maintenance().purge(2).jobs()),
			named("windows", ARCHIVED, (stores, jobs) -> stores.maintenance().endDedupes(2)),
			named("keys", ARCHIVED, (stores, jobs) -> (stores.maintenance().sweepKeys(null, 2) != null) ? 2 : 0),
			named("resolution", PREDECESSOR, (stores, jobs) -> stores.dependencies().resolve(jobs).satisfied().size()),
			named("mark", WAITING, (stores, jobs) -> stores.dependencies().resolve(jobs).available().size()),
			named("release", RELEASABLE, (stores, jobs) -> stores.dependencies().release(jobs).due().size()),
			named("sweep of dependencies", PREDECESSOR,
					(stores, jobs) -> stores.dependencies()
						.sweep(new Position(jobs.get(0), jobs.get(0)), 2)
						.predecessors()
						.size() * 2),
			named("sweep of follow-ups", FOLLOWER,
					(stores, jobs) -> stores.maintenance().releaseFollowUps(jobs.get(0), 2).released().size()),
			named("failure", SUCCESSOR, (stores, jobs) -> stores.dependencies().fail(unkept(jobs)).ended().size()));

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final List<SingleConnectionDataSource> connections = new ArrayList<>();

	/**
	 * Each case has a connection of its own. What changes the definition or the
	 * statistics of a table would end the plans of those before.
	 */
	@BeforeAll
	void planOnAlmostEmptyTables() throws SQLException {
		for (String table : TABLES) {
			this.sql.sql("ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(table)).update();
		}
		write(1, 2 * CASES.size());
		this.sql.sql("VACUUM ANALYZE " + String.join(", ", TABLES)).update();
		for (Case tried : CASES) {
			int first = 2 * this.connections.size() + 1;
			this.connections.add(new SingleConnectionDataSource(this.recorder.getConnection(), true));
			assertThat(take(tried, first, first + 1)).as(tried.name()).isEqualTo(2);
		}
		write(2 * CASES.size() + 1, ROWS);
	}

	@Override
	protected void empty() {
		this.recorder.take();
	}

	@AfterAll
	void disconnect() {
		this.connections.forEach(SingleConnectionDataSource::destroy);
	}

	private static Case operation(String name, ToIntBiFunction<OperationStore, List<UUID>> operation) {
		return named(name, WAITING, (stores, jobs) -> operation.applyAsInt(stores.operations(), jobs));
	}

	private static Case onArchive(String name, ToIntBiFunction<OperationStore, List<UUID>> operation) {
		return named(name, ARCHIVED, (stores, jobs) -> operation.applyAsInt(stores.operations(), jobs));
	}

	private static Case named(String name, int kind, ToIntBiFunction<PostgresStores, List<UUID>> step) {
		return new Case(name, kind, step);
	}

	private static Map<UUID, @Nullable Duration> unkept(List<UUID> jobs) {
		Map<UUID, @Nullable Duration> unkept = new LinkedHashMap<>();
		jobs.forEach((job) -> unkept.put(job, null));
		return unkept;
	}

	private static Map<UUID, UUID> copies(List<UUID> jobs) {
		return jobs.stream().collect(Collectors.toMap((job) -> job, (job) -> UUID.randomUUID()));
	}

	/**
	 * The first insert of a session after that of many rows looks at each page that seems
	 * to have room.
	 */
	@ParameterizedTest
	@FieldSource("CASES")
	void planOfAlmostEmptyTablesServesLargeOnes(Case tried) {
		int first = ROWS / 3 + 100 * CASES.indexOf(tried);
		take(tried, first, first + 50);
		this.recorder.take();
		assertThat(take(tried, first + 10, first + 60)).isEqualTo(2);
		assertThat(this.recorder.take()).isNotEmpty()
			.allSatisfy((plan) -> assertThat(plan.buffers()).as(plan.toString()).isLessThanOrEqualTo(150));
	}

	private int take(Case tried, int one, int other) {
		PostgresStores stores = PostgresStores.of(this.connections.get(CASES.indexOf(tried)), null, null);
		return tried.step().applyAsInt(stores, List.of(tried.id(one), tried.id(other)));
	}

	private void write(int first, int last) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, follows, run_at, due_at, admission, expires_at, created_at, priority, queue, type,
					                          payload)
					SELECT ('00000000-0000-7000-800' || kind || '-' || lpad(to_hex(n), 12, '0'))::uuid,
					       CASE kind WHEN 5 THEN ('00000000-0000-7000-8006-' || lpad(to_hex(n), 12, '0'))::uuid END,
					       CASE kind WHEN 0 THEN now() ELSE 'infinity' END, CASE WHEN kind > 0 THEN now() END,
					       CASE WHEN kind IN (1, 4) THEN 'PREDECESSORS' END, CASE kind WHEN 0 THEN now() - interval '1 s' END,
					       now(), 10, 'emails', 'mail', '{}'
					FROM (VALUES (0), (1), (4), (5)) AS k (kind) CROSS JOIN generate_series(:first, :last) AS n;
					INSERT INTO jobqueue_dependency (predecessor_id, job_id, satisfied, failed, on_failure)
					SELECT ('00000000-0000-7000-8003-' || lpad(to_hex(n), 12, '0'))::uuid,
					       ('00000000-0000-7000-800' || kind || '-' || lpad(to_hex(n), 12, '0'))::uuid, kind = 4, kind = 1, 'FAIL'
					FROM (VALUES (1), (4)) AS k (kind) CROSS JOIN generate_series(:first, :last) AS n;
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, keep_until, attempts, failures, priority,
					                              state, queue, type, payload)
					SELECT ('00000000-0000-7000-8002-' || lpad(to_hex(n), 12, '0'))::uuid, n, now(), now(), now(), now(), 1, 1, 10, 'DEAD', 'emails',
					       'mail', '{}'
					FROM generate_series(:first, :last) AS n;
					INSERT INTO jobqueue_unarchived (id, removed_at)
					SELECT ('00000000-0000-7000-8007-' || lpad(to_hex(n), 12, '0'))::uuid, now() - interval '2 days'
					FROM generate_series(:first, :last) AS n;
					INSERT INTO jobqueue_dedupe (job_id, ends_at, queue, unique_key)
					SELECT gen_random_uuid(), now(), 'emails', 'window ' || n FROM generate_series(:first, :last) AS n;
					INSERT INTO jobqueue_key (job_id, used_by, queue, unique_key)
					SELECT gen_random_uuid(), '7', 'emails', 'key ' || n FROM generate_series(:first, :last) AS n
					""")
			.param("first", first)
			.param("last", last)
			.update();
	}

	/**
	 * A step on jobs of one kind. It returns how many of them it has changed.
	 */
	private record Case(String name, int kind, ToIntBiFunction<PostgresStores, List<UUID>> step) {

		@Override
		public String toString() {
			return this.name;
		}

		UUID id(int number) {
			return UUID.fromString("00000000-0000-7000-800%d-%012x".formatted(this.kind, number));
		}

	}

}
