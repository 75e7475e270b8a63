package io.jobqueue.internal.store.postgresql.monitoring;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.OverviewStore.WorkerList;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers and arrivals are read through indexes, however many jobs there are.
 */
@Tag("slow") // fills tables with 60,000 jobs
class OverviewPlanTests extends StoreTestBase {

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final PostgresStores recorded = PostgresStores.of(this.recorder, this.database.dataSource(), null);

	/**
	 * Of 30,000 jobs in each table, 600 are of the last five minutes.
	 */
	@BeforeAll
	void fill() {
		String id = """
				(lpad(to_hex((extract(epoch FROM now() - n * interval '0.5 second') * 1000)::bigint), 12, '0') || '7000'
				 || lpad(to_hex(n), 16, '8'))::uuid""";
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				SELECT %s, now(), now(), 10, 'emails', 'mail', '{}' FROM generate_series(1, 30000) n
				""".formatted(id)).update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload)
					SELECT %s, n, now(), now(), now(), 1, 0, 10, 'SUCCEEDED', 'letters', 'mail', '{}'
					FROM generate_series(1, 30000) n
					"""
				.formatted(id))
			.update();
		UUID worker = worker();
		this.sql.sql("""
				INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids)
				SELECT CASE WHEN n <= 20 THEN ? ELSE gen_random_uuid() END, n, now(), 25, 'emails', ARRAY[id]
				FROM (SELECT id, row_number() OVER () AS n FROM jobqueue_job LIMIT 5000) j
				""").param(worker).update();
		this.sql.sql("""
				UPDATE jobqueue_job j SET locked_by = c.worker_id, claim = c.claim FROM jobqueue_claim c
				WHERE j.id = ANY (c.job_ids)
				""").update();
		this.sql.sql("VACUUM ANALYZE jobqueue_job, jobqueue_archive, jobqueue_claim").update();
	}

	@Override
	@BeforeEach
	public void empty() {
		this.recorder.take();
	}

	@Test
	void jobsOfWorkersAreFoundThroughTheirClaims() {
		WorkerList list = this.recorded.overview().workers();
		assertThat(list.workers()).singleElement().extracting((worker) -> worker.claimed().jobs()).isEqualTo(20L);
		assertIndexed(200);
	}

	@Test
	void arrivalsAreFoundByTheirIds() {
		assertThat(this.recorded.overview().arrivals().jobs()).containsOnlyKeys(new Tier("emails", 10),
				new Tier("letters", 10));
		assertIndexed(1_000);
	}

	private void assertIndexed(long buffers) {
		Plan plan = this.recorder.takeOnly();
		for (String table : List.of("jobqueue_job", "jobqueue_archive", "jobqueue_claim")) {
			assertThat(plan.readsOf(table)).as(plan.toString()).allMatch((read) -> read.endsWith("_pkey"));
		}
		assertThat(plan.buffers()).as("%d buffers: %s", plan.buffers(), plan).isLessThanOrEqualTo(buffers);
	}

}
