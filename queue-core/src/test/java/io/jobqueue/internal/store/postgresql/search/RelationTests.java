package io.jobqueue.internal.store.postgresql.search;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.RelationStore.Related;
import io.jobqueue.internal.store.RelationStore.Relation;
import io.jobqueue.internal.store.RelationStore.Relation.Kind;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which jobs have to do with each other.
 */
class RelationTests extends StoreTestBase {

	private final RelationStore relations = this.stores.relations();

	private static UUID id(int number) {
		return UUID.fromString("00000000-0000-7000-8000-%012x".formatted(number));
	}

	private static Relation relation(Kind kind, int from, int to) {
		return new Relation(kind, id(from), id(to));
	}

	@Test
	void jobWithoutRelationsHasNone() {
		insertJob(1, null, null);
		assertThat(this.relations.around(id(1))).isEmpty();
		assertThat(this.relations.around(id(2))).isEmpty();
	}

	@Test
	void familyIsFoundFromEachOfItsJobs() {
		insertArchived(1, null, null);
		insertJob(2, 1, 1);
		insertArchived(3, 1, 1);
		insertJob(4, 2, 1);
		insertJob(5, null, null);
		for (int job = 1; job <= 4; job++) {
			assertThat(this.relations.around(id(job))).as("around %s", job)
				.contains(relation(Kind.PARENT, 1, 2), relation(Kind.PARENT, 1, 3), relation(Kind.PARENT, 2, 4))
				.doesNotContain(relation(Kind.PARENT, 1, 5));
		}
	}

	@Test
	void predecessorsAndSuccessorsAreFoundThroughOthers() {
		for (int job = 1; job <= 8; job++) {
			insertJob(job, null, null);
		}
		for (int job = 1; job < 8; job++) {
			insertDependency(job, job + 1);
		}
		assertThat(this.relations.around(id(6))).containsExactlyInAnyOrder(relation(Kind.PREDECESSOR, 2, 3),
				relation(Kind.PREDECESSOR, 3, 4), relation(Kind.PREDECESSOR, 4, 5), relation(Kind.PREDECESSOR, 5, 6),
				relation(Kind.PREDECESSOR, 6, 7), relation(Kind.PREDECESSOR, 7, 8));
	}

	@Test
	void batchIsFoundFromItsMembersAndCallbacks() {
		insertBatch(1, 2, 3);
		insertJob(2, null, null);
		insertJob(3, null, null);
		insertJob(4, null, null);
		this.sql.sql("UPDATE jobqueue_job SET batch_id = ? WHERE id = ?").params(id(1), id(4)).update();
		Relation then = relation(Kind.CALLBACK, 1, 2);
		Relation failure = relation(Kind.FAILURE_CALLBACK, 1, 3);
		assertThat(this.relations.around(id(2))).containsExactlyInAnyOrder(then, failure);
		assertThat(this.relations.around(id(3))).containsExactlyInAnyOrder(then, failure);
		assertThat(this.relations.around(id(4))).containsExactlyInAnyOrder(relation(Kind.MEMBER, 4, 1), then, failure);
	}

	@Test
	void jobsAndBatchesAreFoundByTheirIds() {
		insertBatch(1, 2, 3);
		insertJob(2, null, null);
		insertArchived(4, null, null);
		assertThat(this.relations.find(List.of(id(1), id(2), id(3), id(4)))).containsExactlyInAnyOrder(
				new Related(id(1), null, "import", null), new Related(id(2), "emails", "mail", JobState.READY),
				new Related(id(4), "emails", "mail", JobState.SUCCEEDED));
	}

	/**
	 * A job with 20,000 children and as many successors.
	 */
	@Test
	void largeFamiliesAreReadByIndexesUpToACap() {
		insertJob(1, null, null);
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, parent_id, root_id)
					SELECT ('00000000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid, now(), now(), 10, 'emails', 'mail', '{}', ?, ?
					FROM generate_series(1, 20000) n
					""")
			.params(id(1), id(1))
			.update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload, parent_id, root_id)
					SELECT gen_random_uuid(), seq, run_at, created_at, now(), 1, 0, 10, 'SUCCEEDED', queue, type, payload, parent_id,
					       root_id
					FROM jobqueue_job
					""")
			.update();
		this.sql.sql("""
				INSERT INTO jobqueue_dependency (predecessor_id, job_id, on_failure)
				SELECT parent_id, id, 'WAIT' FROM jobqueue_job WHERE parent_id IS NOT NULL
				""").update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_batch (id, then_id, failure_id, created_at, name)
					SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), 'import' FROM generate_series(1, 3000)
					""")
			.update();
		this.sql.sql("VACUUM ANALYZE jobqueue_job, jobqueue_archive, jobqueue_dependency, jobqueue_batch").update();
		assertReads();
	}

	private void assertReads() {
		PlanRecorder recorder = new PlanRecorder(this.database);
		RelationStore recorded = PostgresStores.of(recorder, recorder, null).relations();
		recorder.take();
		List<Relation> around = recorded.around(id(1));
		assertThat(around).hasSize(2_100);
		recorded.find(around.subList(0, 50).stream().map(Relation::to).toList());
		assertThat(recorder.take()).hasSize(2)
			.allSatisfy((plan) -> assertThat(plan.buffers()).as("%d buffers: %s", plan.buffers(), plan)
				.isLessThanOrEqualTo(4_500))
			.flatExtracting(RelationTests::reads)
			.allMatch((read) -> read.startsWith("Index"));
	}

	private static List<String> reads(Plan plan) {
		return List.of("jobqueue_job", "jobqueue_archive", "jobqueue_dependency", "jobqueue_batch")
			.stream()
			.flatMap((table) -> plan.readsOf(table).stream())
			.toList();
	}

	private void insertJob(int job, Integer parent, Integer root) {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, parent_id, root_id)
				VALUES (?, now(), now(), 10, 'emails', 'mail', '{}', ?::uuid, ?::uuid)
				""").params(parameters(job, parent, root)).update();
	}

	private void insertArchived(int job, Integer parent, Integer root) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload, parent_id, root_id)
					VALUES (?, 1, now(), now(), now(), 1, 0, 10, 'SUCCEEDED', 'emails', 'mail', '{}', ?::uuid, ?::uuid)
					""")
			.params(parameters(job, parent, root))
			.update();
	}

	private static List<UUID> parameters(Integer... numbers) {
		return Arrays.stream(numbers).map((number) -> (number != null) ? id(number) : null).toList();
	}

	private void insertDependency(int predecessor, int job) {
		this.sql.sql("INSERT INTO jobqueue_dependency (predecessor_id, job_id, on_failure) VALUES (?, ?, 'WAIT')")
			.params(id(predecessor), id(job))
			.update();
	}

	private void insertBatch(int batch, int then, int failure) {
		this.sql.sql(
				"INSERT INTO jobqueue_batch (id, then_id, failure_id, created_at, name) VALUES (?, ?, ?, now(), 'import')")
			.params(id(batch), id(then), id(failure))
			.update();
	}

}
