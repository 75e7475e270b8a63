package io.jobqueue.internal.store.postgresql.jobs;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.OnDuplicate;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.MaintenanceStore.KeyPosition;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the server executes the statements about keys where there are 50,000 jobs with
 * keys, as many that follow them and as many windows.
 */
@Tag("slow") // fills large tables
class KeyPlanTests extends KeyTestBase {

	private static final int KEYS = 50_000;

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final PostgresStores recorded = PostgresStores.of(this.recorder, this.database.dataSource(), null);

	private final TransactionTemplate recordedTransaction = new TransactionTemplate(
			new JdbcTransactionManager(this.recorder));

	@BeforeAll
	void fill() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, follows, run_at, due_at, created_at, priority, queue, type, payload, unique_key)
					SELECT ('00000000-0000-7000-800' || f || '-' || lpad(to_hex(n), 12, '0'))::uuid,
					       CASE f WHEN 1 THEN ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid END,
					       CASE f WHEN 1 THEN 'infinity' ELSE now() END, CASE f WHEN 1 THEN now() END, now(), 10, 'emails',
					       'mail', '{}', 'key ' || n
					FROM generate_series(1, ?) n CROSS JOIN generate_series(0, 1) f;
					INSERT INTO jobqueue_key (job_id, follow_up_id, used_by, queue, unique_key)
					SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
					       ('00000000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid, pg_current_xact_id(), 'emails', 'key ' || n
					FROM generate_series(1, ?) n;
					INSERT INTO jobqueue_dedupe (job_id, ends_at, queue, unique_key)
					SELECT gen_random_uuid(), now() + n * interval '1 second' - interval '10 seconds', 'emails', 'window ' || n
					FROM generate_series(1, ?) n
					""")
			.params(KEYS, KEYS, KEYS)
			.update();
		this.sql.sql("VACUUM ANALYZE jobqueue_job, jobqueue_key, jobqueue_dedupe").update();
	}

	@Override
	@BeforeEach
	public void empty() {
		this.recorder.take();
	}

	/**
	 * The first execution in a session also reads the catalogs, which took 105 to 122
	 * buffers in all. The second one takes 71 with PostgreSQL 15 and 18, and some more
	 * where a page is full.
	 */
	@Test
	void enqueueing() {
		this.recordedTransaction.executeWithoutResult((status) -> {
			enqueueOneOfEachKind(76);
			this.recorder.take();
			enqueueOneOfEachKind(77);
		});
		assertIndexScans(this.recorder.take(), 2, 100);
	}

	private void enqueueOneOfEachKind(int number) {
		NewJob duplicate = keyed("key " + number, NEW, ZERO, OnDuplicate.UPDATE, null);
		NewJob recent = keyed("window " + number, NEW, ZERO, OnDuplicate.KEEP, null);
		NewJob added = keyed("new " + number, NEW, ZERO, OnDuplicate.KEEP, null);
		assertThat(enqueue(List.of(duplicate, recent, added))).extracting(JobReceipt::outcome)
			.containsExactly(Outcome.UPDATED, Outcome.RECENTLY_SUCCEEDED, Outcome.ADDED);
	}

	@Test
	void enqueueingMany() {
		enqueue(IntStream.range(0, 1_000)
			.mapToObj((n) -> keyed("key " + (1_000 + n), NEW, ZERO, OnDuplicate.UPDATE, null))
			.toList());
		assertIndexScans(this.recorder.take(), 2, 60_000);
	}

	private List<JobReceipt> enqueue(List<NewJob> jobs) {
		return this.recordedTransaction.execute((status) -> this.recorded.jobs().enqueue(jobs).receipts());
	}

	@Test
	void finishing() {
		UUID worker = worker();
		ClaimedJob job = claimOne(worker);
		this.recorded.jobs()
			.recordOutcomes(worker, List.of(Outcomes.completed(job)), List.of(), CompletionEffects.NONE);
		assertIndexScans(this.recorder.take(), 1, 100);
	}

	@Test
	void finishingOnTheTransactionOfAHandler() {
		UUID worker = worker();
		ClaimedJob job = claimOne(worker);
		this.recordedTransaction
			.executeWithoutResult((status) -> this.recorded.jobs().complete(worker, Outcomes.completed(job)));
		assertIndexScans(this.recorder.take(), 1, 100);
	}

	@Test
	void releasing() {
		this.recorded.maintenance().releaseFollowUps(null, 1_000);
		assertIndexScans(this.recorder.take(), 1, 10_000);
	}

	@Test
	void endingWindows() {
		assertThat(this.recorded.maintenance().endDedupes(1_000)).isPositive();
		assertIndexScans(this.recorder.take(), 1, 1_000);
	}

	@Test
	void sweeping() {
		assertThat(this.recorded.maintenance().sweepKeys(new KeyPosition("emails", "key 5"), 1_000)).isNotNull();
		assertIndexScans(this.recorder.take(), 1, 20_000);
	}

	private static void assertIndexScans(List<Plan> plans, int statements, long buffers) {
		assertThat(plans).hasSize(statements).allSatisfy((plan) -> {
			assertThat(plan.buffers()).as(plan.toString()).isLessThanOrEqualTo(buffers);
			for (String table : List.of("jobqueue_job", "jobqueue_key", "jobqueue_dedupe")) {
				assertThat(plan.readsOf(table)).as(plan.toString())
					.allMatch((read) -> read.startsWith("Index") || read.equals("Tid Scan"));
			}
		});
	}

}
