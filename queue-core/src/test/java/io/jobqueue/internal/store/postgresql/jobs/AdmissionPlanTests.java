package io.jobqueue.internal.store.postgresql.jobs;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.ClaimedJob.HeldKeys;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.MaintenanceStore.KeyPosition;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the server executes the statements of admission where 200,000 jobs wait for one
 * ordering key, as many for one limit key, as many are due tomorrow and as many are
 * admitted, each with keys of its own; on a connection whose plans were made while the
 * tables were empty.
 */
@Tag("slow") // fills large tables
class AdmissionPlanTests extends AdmissionTestBase {

	private static final int JOBS = 25_000;

	/**
	 * More often than the driver and the server wait before they keep a plan.
	 */
	private static final int TIMES = 20;

	private static final AdmissionRules RULES = new AdmissionRules(3, true);

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private SingleConnectionDataSource connection = new SingleConnectionDataSource();

	private PostgresStores recorded = this.stores;

	@BeforeAll
	void fill() throws Exception {
		settleWhileEmpty();
		this.connection = new SingleConnectionDataSource(this.recorder.getConnection(), true);
		this.recorded = PostgresStores.of(this.connection, this.database.dataSource(), null);
		for (int time = 0; time < TIMES; time++) {
			doAll();
		}
		fill("'busy'", "NULL", "'ORDER'", "now()");
		fill("NULL", "'busy'", "'SLOT'", "now()");
		fill("'late ' || n", "'late ' || n", "'PENDING'", "now() + interval '1 day'");
		fill("'key ' || n", "'slot ' || n", "NULL", "NULL");
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload, ordering_key)
					SELECT gen_random_uuid(), n, now(), now(), now(), 1, 1, 10, 'DEAD', 'emails', 'mail', '{}', 'dead ' || n
					FROM generate_series(1, ?) n
					""")
			.param(JOBS)
			.update();
	}

	private void settleWhileEmpty() {
		for (String table : List.of("jobqueue_job", "jobqueue_archive")) {
			this.sql.sql("ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(table)).update();
			this.sql.sql("VACUUM ANALYZE " + table).update();
		}
	}

	private void doAll() {
		UUID worker = worker();
		enqueue(keyed("busy", "busy"));
		this.recorded.jobs().admit("emails", RULES);
		List<ClaimedJob> jobs = claim(worker, request("emails", 9));
		settleRecorded(worker, jobs.get(0));
		this.recorded.maintenance().sweepTurns(null, 10);
		this.recorded.maintenance().sweepSlots(null, 10);
	}

	private void fill(String ordering, String limit, String admission, String dueAt) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, due_at, created_at, priority, queue, type, payload, ordering_key,
					                          limit_key, admission)
					SELECT gen_random_uuid(), CASE WHEN g.admission IS NULL THEN now() + interval '1 hour' ELSE 'infinity' END, %s,
					       now(), 10, 'emails', 'mail', '{}', %s, %s, g.admission
					FROM generate_series(1, %d) n CROSS JOIN (SELECT %s::text AS admission) g
					"""
				.formatted(dueAt, ordering, limit, JOBS, admission))
			.update();
	}

	@Override
	@BeforeEach
	public void empty() {
		this.recorder.take();
	}

	@AfterEach
	void vacuum() {
		this.sql.sql("VACUUM jobqueue_job").update();
	}

	@Test
	void admitting() {
		Stream.of("busy", "dead 77", "key 77", "mine").forEach((key) -> enqueue(keyed(key, "busy")));
		this.recorder.take();
		assertThat(this.recorded.jobs().admit("emails", RULES).nextDueIn()).isNotNull();
		assertReads(300);
	}

	@Test
	void admittingMany() {
		this.jobs.enqueue(IntStream.range(0, 1_000).mapToObj((n) -> keyed("key " + n, "new " + n)).toList());
		this.recorder.take();
		this.recorded.jobs().admit("emails", RULES);
		assertReads(60_000);
	}

	/**
	 * The number of admitted jobs of such a key is not read.
	 */
	@Test
	void admittingWithoutALimit() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, limit_key)
					SELECT gen_random_uuid(), now(), now(), 10, 'emails', 'mail', '{}', 'free' FROM generate_series(1, 20000)
					""")
			.update();
		enqueue(keyed(null, "free"));
		this.recorder.take();
		this.recorded.jobs().admit("emails", AdmissionRules.NONE);
		assertReads(300);
	}

	@Test
	void completing() {
		this.sql.sql("""
				UPDATE jobqueue_job SET run_at = now(), due_at = NULL, admission = NULL
				WHERE id = (SELECT id FROM jobqueue_job WHERE admission = 'ORDER' ORDER BY seq LIMIT 1)
				""").update();
		UUID worker = worker();
		ClaimedJob job = claimOne(worker);
		this.recorder.take();
		settleRecorded(worker, job);
		assertReads(150);
	}

	private void settleRecorded(UUID worker, ClaimedJob job) {
		this.recorded.jobs()
			.recordOutcomes(worker, List.of(Outcomes.completed(job)), List.of(job.claim()),
					new CompletionEffects(List.of(), List.of(new HeldKeys("emails", "busy", "busy"))));
	}

	@Test
	void sweeping() {
		this.recorded.maintenance().sweepTurns(new KeyPosition("emails", "b"), 1_000);
		this.recorded.maintenance().sweepSlots(null, 1_000);
		assertReads(20_000);
	}

	private void assertReads(long buffers) {
		List<Plan> plans = this.recorder.take();
		assertThat(plans).isNotEmpty().allSatisfy((plan) -> {
			assertThat(plan.buffers()).as(plan.toString()).isLessThanOrEqualTo(buffers);
			assertThat(plan.readsOf("jobqueue_job")).as(plan.toString())
				.allMatch((read) -> read.startsWith("Index") || read.equals("Tid Scan"));
		});
	}

}
