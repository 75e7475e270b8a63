package io.jobqueue.internal.workflow;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.StepState;
import io.jobqueue.WorkflowQuery;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.StepResult;
import io.jobqueue.internal.store.WorkflowSearchStore;
import io.jobqueue.internal.store.WorkflowStore;
import io.jobqueue.internal.store.WorkflowStore.ChangedStep;
import io.jobqueue.internal.store.WorkflowStore.ChangedWorkflow;
import io.jobqueue.internal.store.WorkflowStore.RetriedJobs;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the server executes the statements about workflows among 10,000 instances, half of
 * which run, without statistics of these tables.
 */
@Tag("oldest") // statements of the store
class WorkflowPlanTests extends WorkflowTestBase {

	private static final int INSTANCES = 10_000;

	private static final List<String> TABLES = List.of("jobqueue_workflow", "jobqueue_workflow_step", "jobqueue_job",
			"jobqueue_archive", "jobqueue_unarchived");

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final PostgresStores recorded = PostgresStores.of(this.recorder, this.database.dataSource(), null);

	private final WorkflowStore store = this.recorded.workflows();

	private final LoggedOperation operation = new LoggedOperation(UUID.randomUUID(), "cancel-workflow", null, "one",
			null, null);

	@BeforeEach
	void fill() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_workflow (id, created_at, finished_at, state, name)
					SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now() - interval '2 days',
					       CASE WHEN n %% 2 = 0 THEN now() - interval '1 day' END,
					       CASE WHEN n %% 2 = 0 THEN 'SUCCEEDED' ELSE 'RUNNING' END, 'w' || n %% 10
					FROM generate_series(1, %1$d) n;
					INSERT INTO jobqueue_workflow_step (workflow_id, position, job_id, changed_at, delay_millis, priority, state,
					                                    name, conditions, queue, type, payload)
					SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, s,
					       ('00000000-0000-7000-800' || s || '-' || lpad(to_hex(n), 12, '0'))::uuid, now(), 0, 10,
					       CASE WHEN n %% 2 = 0 THEN 'SUCCEEDED' WHEN s = 0 THEN 'STARTED' ELSE 'WAITING' END, 's' || s,
					       CASE WHEN s > 0 THEN ARRAY['AFTER:s0'] ELSE '{}' END, 'tasks', 'task', '{}'
					FROM generate_series(0, 2) s CROSS JOIN generate_series(1, %1$d) n;
					INSERT INTO jobqueue_job (id, run_at, has_successors, created_at, priority, queue, type, payload)
					SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), true, now(), 10, 'tasks', 'task', '{}'
					FROM generate_series(1, %1$d, 2) n
					"""
				.formatted(INSTANCES))
			.update();
		this.recorder.take();
	}

	private static UUID id(int number) {
		return UUID.fromString("00000000-0000-7000-8000-%012x".formatted(number));
	}

	private void assertIndexScans(int statements, long buffers) {
		List<Plan> plans = this.recorder.take();
		assertThat(plans).hasSize(statements).allSatisfy((plan) -> {
			assertThat(plan.buffers()).as(plan.toString()).isLessThanOrEqualTo(buffers);
			TABLES.forEach((table) -> assertThat(plan.readsOf(table)).as(plan.toString())
				.allMatch((read) -> read.startsWith("Index") || read.equals("Tid Scan")));
		});
	}

	@Test
	void advancing() {
		this.sql.sql("DELETE FROM jobqueue_job WHERE id IN (?, ?)").params(id(101), id(103)).update();
		List<ChangedWorkflow> changes = this.store.ofJobs(List.of(id(101), id(103)))
			.workflows()
			.stream()
			.map(WorkflowProgress::of)
			.toList();
		assertThat(this.store.advance(changes).due()).hasSize(4);
		assertIndexScans(3, 500);
	}

	@Test
	void storingAResult() {
		UUID worker = UUID.randomUUID();
		this.sql.sql("UPDATE jobqueue_job SET locked_by = ?, claim = 1 WHERE id = ?").params(worker, id(201)).update();
		Completed outcome = new Completed(id(201), 1, null, null, true, null)
			.with(new StepResult(Encoded.ofText("7"), null));
		assertThat(
				this.recorded.jobs().recordOutcomes(worker, List.of(outcome), Set.of(), CompletionEffects.NONE).jobs())
			.hasSize(1);
		assertIndexScans(2, 60);
	}

	@Test
	void readingAResult() {
		new TransactionTemplate(new JdbcTransactionManager(this.recorder))
			.executeWithoutResult((status) -> assertThat(this.store.result(id(301), "s1")).isNotNull());
		assertThat(this.recorder.take()).isNotEmpty().allMatch((plan) -> plan.buffers() <= 20);
	}

	@Test
	void listing() {
		assertThat(this.store.list(WorkflowQuery.all().limit(10))).hasSize(10);
		assertThat(this.store.list(WorkflowQuery.all().name("w7").state(WorkflowState.RUNNING).limit(10))).hasSize(10);
		assertThat(this.store.info(id(1))).isNotNull();
		assertIndexScans(3, 150);
	}

	@Test
	void searching() {
		this.sql.sql("UPDATE jobqueue_workflow SET state = 'FAILED' WHERE id = ?").param(id(4)).update();
		WorkflowSearchStore search = this.recorded.workflowSearch();
		assertThat(search.find("w7", WorkflowState.RUNNING, null, 10).ids()).hasSize(10);
		assertThat(search.find("w4", WorkflowState.SUCCEEDED, id(5_000), 10).ids()).hasSize(10);
		assertThat(search.find("w4", WorkflowState.FAILED, null, 10).ids()).containsExactly(id(4));
		assertThat(search.read(List.of(id(1), id(2)))).hasSize(2);
		assertThat(search.ofJob(id(1))).isNotNull();
		assertThat(search.results(id(1), 10)).isEmpty();
		assertIndexScans(6, 2_000);
		assertThat(search.count()).hasSize(4 * 10);
		assertIndexScans(1, 20_000);
	}

	@Test
	void sweeping() {
		assertThat(this.store.sweep(id(5_000), 100).last()).isNotNull();
		assertIndexScans(1, 1_000);
	}

	private void archive() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue, type, payload)
					SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n, now(), now(), now(), 1, 1, 10, 'DEAD', 'tasks', 'task', '{}'
					FROM generate_series(2, ?, 2) n
					""")
			.param(INSTANCES)
			.update();
		this.recorder.take();
	}

	@Test
	void changing() {
		archive();
		assertThat(this.store.cancel(id(401), this.operation)).containsExactly(id(401));
		ChangedWorkflow next = new ChangedWorkflow(id(401), 1, WorkflowState.RUNNING,
				List.of(new ChangedStep(0, StepState.STARTED, true)));
		RetriedJobs jobs = new RetriedJobs(Map.of(0, UUID.randomUUID()), List.of(id(2)), List.of(id(4)));
		assertThat(this.store.retry(next, jobs, this.operation).due()).hasSize(1);
		assertThat(this.store.purge(Duration.ofHours(1), 10)).isEqualTo(10);
		assertIndexScans(7, 500);
	}

}
