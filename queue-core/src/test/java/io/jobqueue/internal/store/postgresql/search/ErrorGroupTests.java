package io.jobqueue.internal.store.postgresql.search;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.ArchiveCount;
import io.jobqueue.internal.store.SearchStore.ErrorCounts;
import io.jobqueue.internal.store.SearchStore.ErrorGroup;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failures that have a class and a place in common.
 */
class ErrorGroupTests extends StoreTestBase {

	private static final String REFUSED = "java.net.ConnectException at com.acme.Smtp.send";

	private static final String UNKNOWN = "java.net.UnknownHostException at com.acme.Smtp.send";

	private final SearchStore search = this.stores.search();

	@Test
	void emptyTablesHaveNoErrors() {
		assertThat(this.search.countErrors(10).groups()).isEmpty();
	}

	@Test
	void lastAttemptsOfLiveAndDeadJobsAreCounted() {
		UUID worker = worker();
		enqueue("emails", 6);
		List<ClaimedJob> claimed = claim(worker, request("emails", 6));
		recordOutcomes(worker, retried(claimed.get(0), REFUSED), retried(claimed.get(1), REFUSED),
				retried(claimed.get(2), UNKNOWN), dead(claimed.get(3), UNKNOWN),
				new Outcome.RetryLater(claimed.get(4).id(), claimed.get(4).claim(), TIMEOUT, "without an exception",
						false),
				Outcome.Completed.of(claimed.get(5), TIMEOUT, null));
		assertThat(this.search.countErrors(10).groups()).containsExactlyInAnyOrder(group(REFUSED, false, 2),
				group(UNKNOWN, false, 1), group(UNKNOWN, true, 1));
	}

	@Test
	void laterAttemptDecides() {
		UUID worker = worker();
		enqueue("emails", 2);
		for (ClaimedJob job : claim(worker, request("emails", 2))) {
			recordOutcomes(worker, retried(job, REFUSED));
		}
		this.sql.sql("UPDATE jobqueue_job SET run_at = now()").update();
		List<ClaimedJob> again = claim(worker, request("emails", 2));
		recordOutcomes(worker, dead(again.get(0), UNKNOWN));
		recordOutcomes(worker,
				new Outcome.Completed(again.get(1).id(), again.get(1).claim(), TIMEOUT, null, false, null));
		assertThat(this.search.countErrors(10).groups()).containsExactly(group(UNKNOWN, true, 1));
	}

	/**
	 * Which a search for the error leaves out, too.
	 */
	@Test
	void jobsWhoseAttemptsWereResetAreNotCounted() {
		UUID worker = worker();
		enqueue("emails", 3);
		List<ClaimedJob> claimed = claim(worker, request("emails", 3));
		recordOutcomes(worker, retried(claimed.get(0), REFUSED), retried(claimed.get(1), REFUSED),
				retried(claimed.get(2), UNKNOWN));
		this.sql.sql("UPDATE jobqueue_job SET failures = 0, expected_failures = 1 WHERE id = ?")
			.param(claimed.get(0).id())
			.update();
		this.stores.operations().retry(List.of(claimed.get(1).id(), claimed.get(2).id()));
		assertThat(this.search.countErrors(10).groups()).containsExactly(group(REFUSED, false, 1));
		assertThat(this.search.search(JobQuery.all().queue("emails").fingerprint(REFUSED), TIMEOUT).jobs()).hasSize(1);
	}

	@Test
	void resetJobsAreReadUpToTheCap() {
		insertJobs(10_001, "jsonb_build_array(jsonb_build_object('fingerprint', 'reset'))");
		this.sql.sql("UPDATE jobqueue_job SET failures = 0").update();
		assertThat(this.search.countErrors(10).groups())
			.containsExactly(new ErrorGroup("emails", "reset", false, new JobCount(0, true)));
	}

	/**
	 * 20,000 jobs of one error, and 30 errors of one job each, behind 20,000 others.
	 */
	@Test
	void countsEndAtTheirCapAndUseTheIndexes() {
		insertJobs(20_000, "NULL");
		insertJobs(20_000, "jsonb_build_array(jsonb_build_object('fingerprint', 'common'))");
		insertJobs(30, "jsonb_build_array(jsonb_build_object('fingerprint', 'rare-' || n))");
		this.sql.sql("VACUUM ANALYZE jobqueue_job").update();
		PlanRecorder recorder = new PlanRecorder(this.database);
		SearchStore recorded = PostgresStores.of(recorder, recorder, null).search();
		recorder.take();
		List<ErrorGroup> groups = recorded.countErrors(20).groups();
		assertThat(groups).hasSize(20).startsWith(group("common", false, 10_000), group("rare-1", false, 1));
		assertThat(recorder.take()).hasSize(2)
			.anySatisfy((plan) -> assertThat(plan.readsOf("jobqueue_job")).containsOnly("Index Scan jobqueue_job_error",
					"Index Scan jobqueue_job_retrying"))
			.anySatisfy((plan) -> assertThat(plan.readsOf("jobqueue_archive"))
				.containsOnly("Index Scan jobqueue_archive_error", "Index Scan jobqueue_archive_dead"));
	}

	/**
	 * Of 30,000 dead jobs in pages that are not known to be visible to all, 20,000 are
	 * read: the 30 errors and the three queues share them. Rare errors and queues with
	 * few dead jobs are counted apart.
	 */
	@Test
	void manyFrequentErrorsShareACap() {
		insertDead(30_000, "'queue-' || n % 3", "'common-' || n % 10");
		insertDead(15, "'few'", "'rare'");
		PlanRecorder recorder = new PlanRecorder(this.database);
		SearchStore recorded = PostgresStores.of(recorder, recorder, null).search();
		recorder.take();
		assertThat(recorded.countDeadErrors(50, null).groups()).hasSize(31)
			.contains(new ErrorGroup("queue-2", "common-9", true, new JobCount(666, true)),
					new ErrorGroup("few", "rare", true, new JobCount(15, false)));
		assertThat(recorder.takeOnly().buffers()).isLessThan(15_000);
		assertThat(recorded.countDeadErrors(50, "queue-1").groups()).hasSize(10)
			.allMatch((group) -> group.queue().equals("queue-1"))
			.allMatch((group) -> group.count().equals(new JobCount(1_000, false)));
		assertThat(recorder.takeOnly().readsOf("jobqueue_archive")).containsOnly("Index Scan jobqueue_archive_error",
				"Index Scan jobqueue_archive_dead");
		assertThat(recorded.countDead(10)).containsExactly(dead("queue-0", 6_666, true), dead("queue-1", 6_666, true),
				dead("queue-2", 6_666, true), dead("few", 15, false));
		Plan plan = recorder.takeOnly();
		assertThat(plan.readsOf("jobqueue_archive")).containsExactly("Index Only Scan jobqueue_archive_dead");
		assertThat(plan.buffers()).isLessThan(15_000);
		assertThat(this.search.countDead(2)).hasSize(2);
	}

	/**
	 * Of 30 errors, each of the two queues has 15.
	 */
	@Test
	void queueWithManyErrorsHidesNoneOfAnother() {
		insertDead(40, "'first'", "'rare-' || n");
		insertDead(5, "'second'", "'frequent'");
		ErrorCounts counts = this.search.countDeadErrors(30, null);
		assertThat(counts.groups()).hasSize(16)
			.startsWith(new ErrorGroup("second", "frequent", true, new JobCount(5, false)));
		assertThat(counts.partial()).containsExactly("first");
		insertDead(7, "'first'", "'the most frequent'");
		assertThat(this.search.countDeadErrors(30, null).groups())
			.startsWith(new ErrorGroup("first", "the most frequent", true, new JobCount(7, false)));
		assertThat(this.search.countDeadErrors(100, null).partial()).isEmpty();
		assertThat(this.search.countDeadErrors(30, "first").groups()).hasSize(31);
	}

	private static ArchiveCount dead(String queue, long jobs, boolean capped) {
		return new ArchiveCount(queue, JobState.DEAD, new JobCount(jobs, capped));
	}

	private void insertDead(int count, String queue, String fingerprint) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload, history)
					SELECT gen_random_uuid(), n, now(), now(), now(), 1, 1, 10, 'DEAD', %s, 'mail', '{}',
					       jsonb_build_array(jsonb_build_object('fingerprint', %s))
					FROM generate_series(1, %d) n
					"""
				.formatted(queue, fingerprint, count))
			.update();
	}

	private static ErrorGroup group(String fingerprint, boolean dead, long jobs) {
		return new ErrorGroup("emails", fingerprint, dead, new JobCount(jobs, jobs == SearchStore.ERROR_CAP));
	}

	private void insertJobs(int count, String history) {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, failures, queue, type, payload, history)
				SELECT gen_random_uuid(), now(), now(), 10, 1, 'emails', 'mail', '{}', %s FROM generate_series(1, %d) n
				""".formatted(history, count)).update();
	}

	private static Outcome retried(ClaimedJob job, String fingerprint) {
		return new Outcome.RetryLater(job.id(), job.claim(), TIMEOUT, "failed", false).with(fingerprint);
	}

	private static Outcome dead(ClaimedJob job, String fingerprint) {
		return new Outcome.Dead(job.id(), job.claim(), "failed", null).with(fingerprint);
	}

}
