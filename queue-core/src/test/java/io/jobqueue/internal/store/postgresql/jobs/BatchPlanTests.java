package io.jobqueue.internal.store.postgresql.jobs;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.BatchInfo;
import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.DependencyStore;
import io.jobqueue.internal.store.JobStore.Origin;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the server executes the statements about batches beside 20,000 live members, 20,000
 * batches and as many tallies. {@code -Dbatch.jobs=2000000} fills larger tables.
 */
class BatchPlanTests extends DependencyTestBase {

	private static final int ROWS = Integer.getInteger("batch.jobs", 20_000);

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final PostgresStores recorded = PostgresStores.of(this.recorder, this.database.dataSource(), null);

	private final BatchStore batches = this.recorded.batches();

	private final DependencyStore recordedDependencies = this.recorded.dependencies();

	/**
	 * Every third batch is not sealed, and every third one has finished.
	 */
	@BeforeAll
	void fill() {
		this.sql.sql("""
				INSERT INTO jobqueue_batch (id, then_id, failure_id, created_at, sealed_at, finished_at, name)
				SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
				       ('00000000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid,
				       ('00000000-0000-7000-8002-' || lpad(to_hex(n), 12, '0'))::uuid, now(),
				       CASE WHEN n % 3 > 0 THEN now() END, CASE WHEN n % 3 > 1 THEN now() END, 'import'
				FROM generate_series(1, ?) n;
				INSERT INTO jobqueue_batch_tally (batch_id, total, succeeded, dead, cancelled)
				SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1, 0, 0, 0
				FROM generate_series(1, ?) n;
				INSERT INTO jobqueue_job (id, run_at, batch_id, created_at, priority, queue, type, payload)
				SELECT ('00000000-0000-7000-8003-' || lpad(to_hex(n), 12, '0'))::uuid, now(),
				       ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), 10, 'emails', 'mail', '{}'
				FROM generate_series(1, ?) n
				""").params(ROWS, ROWS, ROWS).update();
		this.sql.sql("VACUUM ANALYZE jobqueue_job, jobqueue_batch, jobqueue_batch_tally").update();
	}

	@Override
	@BeforeEach
	public void empty() {
		this.recorder.take();
	}

	private static UUID id(int kind, int number) {
		return UUID.fromString("00000000-0000-7000-800%d-%012x".formatted(kind, number));
	}

	/**
	 * A batch that is sealed, or with a remainder of 0 one that is not.
	 */
	private static UUID batch(int number, int remainder) {
		return id(0, 3 * number + remainder);
	}

	/**
	 * The lock, the jobs, and the tally.
	 */
	@Test
	void addingMembers() {
		inTransaction(() -> {
			this.recorded.jobs().enqueue(List.of(job("emails", 10)), new Origin(null, batch(100, 0)));
			this.recorder.take();
			this.recorded.jobs()
				.enqueue(List.of(job("emails", 10), job("emails", 10)), new Origin(null, batch(101, 0)));
		});
		assertIndexScans(this.recorder.take(), 3, 100);
	}

	private void inTransaction(Runnable work) {
		new TransactionTemplate(new JdbcTransactionManager(this.recorder)).executeWithoutResult((status) -> work.run());
	}

	@Test
	void sealing() {
		inTransaction(() -> assertThat(this.batches.seal(batch(200, 0))).isTrue());
		assertIndexScans(this.recorder.take(), 1, 60);
	}

	/**
	 * Two of the statements resolve dependencies.
	 */
	@Test
	void finishing() {
		this.sql.sql("UPDATE jobqueue_batch_tally SET succeeded = 1 WHERE batch_id = ?").param(batch(300, 1)).update();
		assertThat(this.recordedDependencies.resolve(Set.of(batch(300, 1), batch(301, 1), batch(302, 0))).satisfied())
			.containsExactly(id(1, 901));
		assertIndexScans(this.recorder.take(), 4, 120);
	}

	@Test
	void replacingTallies() {
		UUID batch = batch(400, 1);
		this.sql.sql("INSERT INTO jobqueue_batch_tally SELECT ?, 0, 0, 0, 0 FROM generate_series(1, 1000)")
			.param(batch)
			.update();
		this.recordedDependencies.resolve(Set.of(batch));
		assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_batch_tally WHERE batch_id = ?")
			.param(batch)
			.query(Long.class)
			.single()).isOne();
		assertIndexScans(this.recorder.take(), 4, 8_000);
	}

	@Test
	void finding() {
		assertThat(Objects.requireNonNull(this.batches.find(batch(500, 1))).info())
			.isEqualTo(new BatchInfo(1, 0, 0, 0));
		assertIndexScans(this.recorder.take(), 1, 20);
	}

	@Test
	void findingTheBatchOfAJob() {
		assertThat(this.batches.findByJob(id(1, 1501))).isNotNull();
		assertThat(this.batches.findByJob(id(3, 1501))).isNotNull();
		assertIndexScans(this.recorder.take(), 2, 40);
	}

	@Test
	void listingUnfinishedBatches() {
		assertThat(this.batches.unfinished(100)).hasSize(100);
		assertIndexScans(this.recorder.take(), 1, 1_000);
	}

	@Test
	void listingFinishedBatches() {
		this.sql.sql("UPDATE jobqueue_batch SET finished_at = now() - (created_at - now()) WHERE id IN (?, ?)")
			.params(batch(800, 2), batch(801, 2))
			.update();
		this.sql.sql("UPDATE jobqueue_batch SET finished_at = now() WHERE id = ?").param(batch(802, 2)).update();
		assertThat(this.batches.finished(2)).hasSize(2);
		assertIndexScans(this.recorder.take(), 1, 150);
		assertThat(this.batches.callbacks(batch(800, 1))).isNotNull();
		assertIndexScans(this.recorder.take(), 1, 20);
	}

	@Test
	void sweeping() {
		assertThat(this.recordedDependencies.sealedBatches(batch(600, 1), 1_000)).hasSize(1_000);
		assertIndexScans(this.recorder.take(), 1, 2_000);
	}

	@Test
	void purging() {
		this.sql.sql("UPDATE jobqueue_batch SET finished_at = now() - interval '8 days' WHERE id = ?")
			.param(batch(700, 2))
			.update();
		assertThat(this.recorded.maintenance().purge(1_000).batches()).isOne();
		assertIndexScans(this.recorder.take(), 1, 150);
	}

	private static void assertIndexScans(List<Plan> plans, int statements, long buffers) {
		assertThat(plans).hasSize(statements).allSatisfy((plan) -> {
			assertThat(plan.buffers()).as(plan.toString()).isLessThanOrEqualTo(buffers);
			for (String table : List.of("jobqueue_job", "jobqueue_batch", "jobqueue_batch_tally")) {
				assertThat(plan.readsOf(table)).as(plan.toString())
					.allMatch((read) -> read.startsWith("Index") || read.equals("Tid Scan"));
			}
		});
	}

}
