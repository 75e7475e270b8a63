package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobQuery;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.internal.store.DependencyStore;
import io.jobqueue.internal.store.DependencyStore.Position;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the server executes the statements about dependencies where half of 50,000 jobs
 * wait for one of the others each. {@code -Ddependency.jobs=2000000} fills larger tables.
 */
class DependencyPlanTests extends DependencyTestBase {

	private static final int PAIRS = Integer.getInteger("dependency.jobs", 50_000) / 2;

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final PostgresStores recorded = PostgresStores.of(this.recorder, this.database.dataSource(), null);

	private final DependencyStore recordedDependencies = this.recorded.dependencies();

	@BeforeAll
	void fill() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, due_at, admission, has_successors, created_at, priority, queue, type, payload)
					SELECT ('00000000-0000-7000-800' || s || '-' || lpad(to_hex(n), 12, '0'))::uuid,
					       CASE s WHEN 1 THEN 'infinity' ELSE now() END, CASE s WHEN 1 THEN now() END,
					       CASE s WHEN 1 THEN 'PREDECESSORS' END, CASE s WHEN 0 THEN true END, now(), 10, 'emails', 'mail', '{}'
					FROM generate_series(0, 1) s CROSS JOIN generate_series(1, ?) n;
					INSERT INTO jobqueue_dependency (predecessor_id, job_id, on_failure)
					SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
					       ('00000000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid, CASE WHEN n < 100 THEN 'FAIL' ELSE 'WAIT' END
					FROM generate_series(1, ?) n;
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload)
					SELECT ('00000000-0000-7000-8002-' || lpad(to_hex(n), 12, '0'))::uuid, n, now(), now(), now(), 1, 0, 10,
					       'SUCCEEDED', 'emails', 'mail', '{}'
					FROM generate_series(1, ?) n
					""")
			.params(PAIRS, PAIRS, PAIRS)
			.update();
		this.sql.sql("VACUUM ANALYZE jobqueue_job, jobqueue_archive, jobqueue_dependency").update();
	}

	@Override
	@BeforeEach
	public void empty() {
		this.recorder.take();
	}

	private static UUID predecessor(int number) {
		return UUID.fromString("00000000-0000-7000-8000-%012x".formatted(number));
	}

	private static UUID successor(int number) {
		return UUID.fromString("00000000-0000-7000-8001-%012x".formatted(number));
	}

	private static UUID archived(int number) {
		return UUID.fromString("00000000-0000-7000-8002-%012x".formatted(number));
	}

	/**
	 * The states of the predecessors, the jobs, and the dependencies.
	 */
	@Test
	void enqueueing() {
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(this.recorder));
		NewJob job = after(OnPredecessorFailure.WAIT, predecessor(100), predecessor(101), archived(100));
		transaction.executeWithoutResult((status) -> {
			enqueueIn(this.recorded.jobs(), after(OnPredecessorFailure.WAIT, predecessor(102), archived(101)));
			this.recorder.take();
			assertThat(enqueueIn(this.recorded.jobs(), job)).hasSize(2);
		});
		assertIndexScans(this.recorder.take(), 3, 100);
	}

	@Test
	void resolvingAndReleasing() {
		UUID first = predecessor(200);
		this.sql.sql("DELETE FROM jobqueue_job WHERE id = ?").param(first).update();
		this.recordedDependencies.resolve(Set.of(predecessor(201), predecessor(202)));
		this.recorder.take();
		Set<UUID> satisfied = this.recordedDependencies.resolve(Set.of(first, predecessor(203))).satisfied();
		assertThat(satisfied).containsExactly(successor(200));
		assertThat(this.recordedDependencies.release(satisfied).due()).hasSize(1);
		assertIndexScans(this.recorder.take(), 5, 120);
	}

	@Test
	void failing() {
		this.operations.delete(List.of(predecessor(50)));
		this.dependencies.resolve(Set.of(predecessor(50)));
		Map<UUID, @Nullable Duration> failing = new HashMap<>();
		failing.put(successor(50), null);
		assertThat(this.recordedDependencies.fail(failing).ended()).hasSize(1);
		assertIndexScans(this.recorder.take(), 1, 200);
	}

	@Test
	void sweeping() {
		assertThat(this.recordedDependencies.sweep(new Position(predecessor(300), successor(300)), 1_000).last())
			.isNotNull();
		assertIndexScans(this.recorder.take(), 1, 15_000);
	}

	@Test
	void countingJobsThatWaitForFailedOnes() {
		this.recorded.monitoring().waitingForFailed();
		assertIndexScans(this.recorder.take(), 1, 20);
	}

	@Test
	void countingWhatIsUnresolved() {
		this.sql.sql("UPDATE jobqueue_dependency SET failed = true WHERE job_id IN (?, ?)")
			.params(successor(600), successor(601))
			.update();
		assertThat(this.recorded.monitoring().unresolved().waiting()).containsExactly(Map.entry("emails", 2L));
		assertIndexScans(this.recorder.take(), 3, 40);
	}

	@Test
	void findingAJobThatWaits() {
		assertThat(this.recorded.search().find(successor(400))).isNotNull();
		assertIndexScans(this.recorder.take(), 1, 30);
	}

	@Test
	void findingAFamily() {
		UUID root = archived(500);
		this.sql.sql("UPDATE jobqueue_job SET parent_id = ?, root_id = ? WHERE id = ANY (ARRAY[?, ?])")
			.params(root, root, successor(500), successor(501))
			.update();
		assertThat(this.recorded.search().search(JobQuery.all().root(root), Duration.ofMinutes(1)).jobs()).hasSize(3);
		assertIndexScans(this.recorder.take(), 2, 100);
	}

	private static void assertIndexScans(List<Plan> plans, int statements, long buffers) {
		assertThat(plans).hasSize(statements).allSatisfy((plan) -> {
			assertThat(plan.buffers()).as(plan.toString()).isLessThanOrEqualTo(buffers);
			for (String table : List.of("jobqueue_job", "jobqueue_archive", "jobqueue_dependency")) {
				assertThat(plan.readsOf(table)).as(plan.toString())
					.allMatch((read) -> read.startsWith("Index") || read.equals("Tid Scan"));
			}
		});
	}

}
