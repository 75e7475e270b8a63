package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.ObstacleStore.BlockedBy;
import io.jobqueue.internal.store.ObstacleStore.LivingWorker;
import io.jobqueue.internal.store.ObstacleStore.Obstacle;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Why a job does not run is read from a few rows, however many jobs there are, even of
 * its own keys.
 */
@Tag("slow") // fills tables with 20,000 jobs
class ObstaclePlanTests extends StoreTestBase {

	private static final int JOBS = 20_000;

	private static final UUID CLAIMED = id(1);

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final PostgresStores recorded = PostgresStores.of(this.recorder, this.database.dataSource(), null);

	private static UUID id(int number) {
		return UUID.fromString("00000000-0000-7000-8000-%012x".formatted(number));
	}

	/**
	 * The jobs are claimed (1), plain, and wait by turns for their turn, for a slot and
	 * for a predecessor, all of the same keys.
	 */
	@BeforeAll
	void fill() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, due_at, created_at, priority, queue, type, payload, ordering_key, limit_key,
					                          admission, follows)
					SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
					       CASE WHEN n < 100 THEN now() ELSE 'infinity' END, CASE WHEN n >= 100 THEN now() END, now(), 10, 'emails',
					       'mail', '{}', CASE WHEN n % 4 = 0 OR n = 1 THEN 'a' END, CASE WHEN n % 4 = 1 THEN 'a' END,
					       CASE WHEN n >= 100 THEN CASE n % 4 WHEN 0 THEN 'ORDER' WHEN 1 THEN 'SLOT' WHEN 2 THEN 'PREDECESSORS' END END,
					       CASE WHEN n >= 100 AND n % 4 = 3 THEN '00000000-0000-7000-8000-000000000001'::uuid END
					FROM generate_series(1, ?) n
					""")
			.param(JOBS)
			.update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload, ordering_key)
					SELECT gen_random_uuid(), seq, created_at, created_at, now(), 1, 1, 10, 'DEAD', queue, type, payload, ordering_key
					FROM jobqueue_job
					WHERE ordering_key IS NOT NULL
					""")
			.update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_dependency (predecessor_id, job_id, on_failure)
					SELECT '00000000-0000-7000-8000-000000000001', id, 'WAIT' FROM jobqueue_job WHERE admission = 'PREDECESSORS'
					""")
			.update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_batch (id, then_id, failure_id, created_at, name)
					SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), 'import' FROM generate_series(1, 3000)
					""")
			.update();
		this.sql.sql("""
				INSERT INTO jobqueue_rate (began_at, ended_at, jobs, queue)
				SELECT now() - n * interval '1 second', now() - n * interval '1 second', 1, 'emails' || n
				FROM generate_series(1, 5000) n
				""").update();
		claim();
		this.sql.sql(
				"VACUUM ANALYZE jobqueue_job, jobqueue_archive, jobqueue_dependency, jobqueue_batch, jobqueue_claim, jobqueue_rate")
			.update();
	}

	private void claim() {
		UUID worker = worker();
		this.sql.sql("UPDATE jobqueue_worker SET queues = 'emails,faxes'").update();
		this.sql.sql("UPDATE jobqueue_job SET locked_by = ?, claim = 1 WHERE id = ?").params(worker, CLAIMED).update();
		this.sql.sql("""
				INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids, limited)
				SELECT ?, n, now(), 25, 'emails', CASE WHEN n = 1 THEN ARRAY[?] ELSE ARRAY[gen_random_uuid()] END, true
				FROM generate_series(1, 50) n
				""").params(worker, CLAIMED).update();
		this.sql.sql("""
				INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids, limited)
				SELECT gen_random_uuid(), n, now(), 25, 'invoices' || n, ARRAY[gen_random_uuid()], true
				FROM generate_series(1, 10000) n
				""").update();
	}

	@Override
	@BeforeEach
	public void empty() {
		this.recorder.take();
	}

	@ParameterizedTest
	@CsvSource({ "0, ORDER", "1, SLOT", "2, PREDECESSOR", "3, KEY" })
	void jobsThatAJobWaitsForAreFoundThroughIndexes(int kind, BlockedBy reason) {
		Obstacle obstacle = this.recorded.obstacles().obstacle(id(JOBS - 4 + kind));
		assertThat(obstacle.blockedBy()).isEqualTo(reason);
		assertThat(obstacle.blockers()).isNotEmpty().first().extracting("id").isEqualTo(CLAIMED);
		assertCheap(150);
	}

	@Test
	void jobThatWaitsForNoneIsFoundByItsId() {
		assertThat(this.recorded.obstacles().obstacle(id(50)).blockers()).isEmpty();
		assertCheap(50);
	}

	@Test
	void claimedJobsAreFoundThroughTheirClaims() {
		List<LivingWorker> workers = this.recorded.obstacles().workers(new Tier("emails", 10), "mail");
		assertThat(workers).singleElement().extracting(LivingWorker::claimed).isEqualTo(1);
		assertCheap(300);
		assertThat(this.recorded.obstacles().claimed("emails")).singleElement().extracting("id").isEqualTo(CLAIMED);
		assertCheap(300);
	}

	@Test
	void limitsAreReadFromTheClaimsOfTheQueue() {
		ClusterLimits limits = new ClusterLimits(3, new Rate(9, Duration.ofHours(1)));
		assertThat(this.recorded.obstacles().allowance("emails", limits).jobs()).isEqualTo(2);
		assertCheap(300);
	}

	/**
	 * The table of workers has a row per worker, which are all read.
	 */
	private void assertCheap(long buffers) {
		Plan plan = this.recorder.takeOnly();
		for (String table : List.of("jobqueue_job", "jobqueue_archive", "jobqueue_dependency", "jobqueue_batch",
				"jobqueue_claim", "jobqueue_rate")) {
			assertThat(plan.readsOf(table)).as(plan.toString())
				.allMatch((read) -> read.startsWith("Index") || read.equals("Tid Scan"));
		}
		assertThat(plan.buffers()).as("%d buffers: %s", plan.buffers(), plan).isLessThanOrEqualTo(buffers);
	}

}
