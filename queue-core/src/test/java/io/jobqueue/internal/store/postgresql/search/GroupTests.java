package io.jobqueue.internal.store.postgresql.search;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.GroupProgress;
import io.jobqueue.JobState;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.Outcomes;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many jobs of a group are in which state.
 */
@Tag("pooler") // statements of the store
class GroupTests extends StoreTestBase {

	private static final Duration LONG = Duration.ofHours(1);

	private UUID holder = UUID.randomUUID();

	@Test
	void jobsAreCountedInEachState() {
		this.holder = worker();
		recordOutcomes(this.holder, Outcomes.completed(addAndRun()));
		recordOutcomes(this.holder, Outcomes.dead(addAndRun()));
		recordOutcomes(this.holder, Outcomes.retried(addAndRun(), LONG));
		addAndRun();
		add("emails", "import", LONG);
		this.stores.operations().cancel(add("emails", "import", LONG), null);
		add("emails", "import", Duration.ZERO);
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, follows, run_at, due_at, created_at, priority, queue, type, payload, job_group)
					VALUES (gen_random_uuid(), gen_random_uuid(), 'infinity', now(), now(), 10, 'emails', 'mail', '{}', 'import')
					""")
			.update();
		GroupProgress progress = progress();
		assertThat(JobState.values()).allSatisfy((state) -> assertThat(progress.count(state)).as("%s", state).isOne());
		assertThat(progress.total()).isEqualTo(JobState.values().length);
		assertThat(progress.finished()).isEqualTo(3);
	}

	@Test
	void jobsOfOtherGroupsAndQueuesAreNot() {
		add("emails", "other", Duration.ZERO);
		add("invoices", "import", Duration.ZERO);
		enqueue("emails", 1);
		assertThat(progress().counts()).isEmpty();
		assertThat(progress().count(JobState.READY)).isZero();
		add("emails", "import", Duration.ZERO);
		assertThat(progress().counts()).isEqualTo(Map.of(JobState.READY, 1L));
	}

	@Test
	void jobsOfAllQueuesAreCountedWhereNoneIsNamed() {
		this.holder = worker();
		recordOutcomes(this.holder, Outcomes.completed(addAndRun()));
		add("emails", "import", Duration.ZERO);
		add("invoices", "import", Duration.ZERO);
		add("invoices", "import", LONG);
		add("invoices", "other", Duration.ZERO);
		assertThat(this.stores.search().countGroup("import"))
			.isEqualTo(Map.of(JobState.SUCCEEDED, 1L, JobState.READY, 2L, JobState.SCHEDULED, 1L));
	}

	@Test
	void numbersShrinkAsTheArchiveIsPurged() {
		this.holder = worker();
		recordOutcomes(this.holder, Outcomes.completed(addAndRun()));
		assertThat(progress().finished()).isOne();
		this.sql.sql("UPDATE jobqueue_archive SET keep_until = statement_timestamp()").update();
		this.maintenance.purge(10);
		assertThat(progress().total()).isZero();
	}

	@Test
	@Tag("slow") // a large table
	void nothingElseIsRead() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, job_group)
					SELECT gen_random_uuid(), now(), now(), 10, 'emails', 'mail', '{}', CASE WHEN n % 100 = 0 THEN 'g' || n % 1000 END
					FROM generate_series(1, 100000) n
					""")
			.update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload, job_group)
					SELECT id, seq, run_at, created_at, now(), 1, 0, priority, 'SUCCEEDED', queue, type, payload, job_group
					FROM jobqueue_job
					""")
			.update();
		this.sql.sql("VACUUM ANALYZE jobqueue_job, jobqueue_archive").update();
		PlanRecorder recorder = new PlanRecorder(this.database);
		try (PostgresStores recorded = PostgresStores.of(recorder, this.dataSource, null)) {
			recorder.take();
			assertThat(recorded.search().countGroup("emails", "g100"))
				.isEqualTo(Map.of(JobState.READY, 100L, JobState.SUCCEEDED, 100L));
			Plan plan = recorder.takeOnly();
			assertThat(plan.readsOf("jobqueue_job")).as(plan.toString())
				.containsExactly("Index Scan jobqueue_job_group");
			assertThat(plan.readsOf("jobqueue_archive")).as(plan.toString())
				.containsExactly("Index Scan jobqueue_archive_group");
			assertThat(plan.buffers()).isLessThan(400);
			assertThat(recorded.search().countGroup("g100"))
				.isEqualTo(Map.of(JobState.READY, 100L, JobState.SUCCEEDED, 100L));
			Plan overQueues = recorder.takeOnly();
			assertThat(overQueues.readsOf("jobqueue_job")).as(overQueues.toString())
				.containsExactly("Index Scan jobqueue_job_group");
			assertThat(overQueues.readsOf("jobqueue_archive")).as(overQueues.toString())
				.containsExactly("Index Scan jobqueue_archive_group");
			assertThat(overQueues.buffers()).isLessThan(400);
		}
	}

	private ClaimedJob addAndRun() {
		add("emails", "import", Duration.ZERO);
		return claimOne(this.holder);
	}

	private UUID add(String queue, String group, Duration delay) {
		return enqueue(new NewJobBuilder().queue(queue).delay(delay).group(group).build());
	}

	private GroupProgress progress() {
		return new GroupProgress(this.stores.search().countGroup("emails", "import"));
	}

}
