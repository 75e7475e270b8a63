package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators do costs by the job, however many there are.
 */
class OperationPlanTests extends StoreTestBase {

	private static final int STEP = 500;

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final PostgresStores recorded = PostgresStores.of(this.recorder, this.database.dataSource(), null);

	@BeforeAll
	void fill() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, attempts, failures, queue, type, payload)
					SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now() + n * interval '1 second', now(), 10,
					       1, 1, 'emails', 'mail', '{}'
					FROM generate_series(1, 60000) n
					""")
			.update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload, unique_key)
					SELECT gen_random_uuid(), seq, run_at, created_at, now(), 1, 1, 10, 'DEAD', queue, type, payload,
					       CASE WHEN seq % 2 = 0 THEN 'k' || seq END
					FROM jobqueue_job
					""")
			.update();
		this.sql.sql("VACUUM ANALYZE").update();
	}

	@Override
	@BeforeEach
	public void empty() {
		this.recorder.take();
	}

	static Stream<Consumer<OperationPlanTests>> operations() {
		Instant time = Instant.now().plus(Duration.ofDays(1));
		return Stream.of((test) -> test.operate("job", (ids) -> test.store().reschedule(ids, time).jobs().size()),
				(test) -> test.operate("job", (ids) -> test.store().reprioritise(ids, 3).jobs().size()),
				(test) -> test.operate("job", (ids) -> test.store().retry(ids).jobs().size()),
				(test) -> test.operate("job", (ids) -> test.store().cancel(retentions(ids)).ended().size()),
				(test) -> test.operate("job", (ids) -> test.store().delete(ids).jobs().size()),
				(test) -> test.operate("archive", (ids) -> test.store().revive(ids).jobs().size()),
				(test) -> test.operate("archive", (ids) -> test.store().deleteArchived(ids).jobs().size()),
				(test) -> test.operate("archive", (ids) -> test.store()
					.replay(ids.stream().collect(Collectors.toMap(Function.identity(), (id) -> UUID.randomUUID())))
					.jobs()
					.size()));
	}

	private static Map<UUID, Duration> retentions(List<UUID> ids) {
		return ids.stream().collect(Collectors.toMap(Function.identity(), (id) -> Duration.ofDays(1)));
	}

	private OperationStore store() {
		return this.recorded.operations()
			.logging(new LoggedOperation(UUID.randomUUID(), "change", null, "JobQuery[]", "alice", null));
	}

	@ParameterizedTest
	@MethodSource("operations")
	void stepFindsItsJobsByTheirIds(Consumer<OperationPlanTests> operation) {
		operation.accept(this);
		assertThat(this.recorder.take()).isNotEmpty().allSatisfy(OperationPlanTests::assertCheap);
	}

	private void operate(String table, Function<List<UUID>, Integer> operation) {
		List<UUID> ids = this.sql.sql("SELECT id FROM jobqueue_%s OFFSET 20000 LIMIT %d".formatted(table, STEP))
			.query(UUID.class)
			.list();
		this.recorder.take();
		assertThat(operation.apply(ids)).isEqualTo(STEP);
	}

	private static void assertCheap(Plan plan) {
		for (String table : List.of("jobqueue_job", "jobqueue_archive", "jobqueue_key")) {
			assertThat(plan.readsOf(table)).as(plan.toString())
				.allMatch((read) -> read.startsWith("Index") || read.equals("Tid Scan"));
		}
		assertThat(plan.buffers()).as("%d buffers: %s", plan.buffers(), plan).isLessThan(80L * STEP);
	}

	@Test
	void jobIsPickedByItsId() {
		UUID worker = worker();
		UUID job = this.sql.sql("SELECT id FROM jobqueue_job OFFSET 30000 LIMIT 1").query(UUID.class).single();
		this.recorder.take();
		assertThat(
				this.recorded.jobs().claimOne(worker, job, request("emails", 1), AdmissionRules.NONE).claimed().jobs())
			.hasSize(1);
		assertThat(this.recorder.take()).allSatisfy((plan) -> {
			assertThat(plan.readsOf("jobqueue_job")).as(plan.toString())
				.allMatch((read) -> read.startsWith("Index") || read.equals("Tid Scan"));
			assertThat(plan.buffers()).as(plan.toString()).isLessThan(100);
		});
	}

}
