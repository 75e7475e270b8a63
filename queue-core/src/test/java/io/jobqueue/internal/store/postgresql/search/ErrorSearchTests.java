package io.jobqueue.internal.store.postgresql.search;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.internal.store.SearchStore.FoundJob;
import io.jobqueue.internal.store.SearchStore.SearchResult;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the jobs of an error are found among many.
 */
class ErrorSearchTests extends StoreTestBase {

	private static final JobQuery EMAILS = JobQuery.all().queue("emails").limit(20);

	private static final String HISTORY = """
			jsonb_build_array(jsonb_build_object('attempt', 1, 'ended', now(), 'worker', 'w', 'outcome', 'retried',
			    'fingerprint', CASE WHEN n % 400 = 0 THEN 'rare' ELSE 'common' END))""";

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	/**
	 * 11,000 failed jobs behind 11,000 others, and 11,000 dead ones among as many.
	 */
	@BeforeAll
	void fill() {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, failures, queue, type, payload, history)
				SELECT gen_random_uuid(), now() + n * interval '1 second', now(), 10, n / 11001, 'emails', 'mail', '{}',
				       CASE WHEN n > 11000 THEN %s END
				FROM generate_series(1, 22000) n
				""".formatted(HISTORY)).update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload, history)
					SELECT gen_random_uuid(), n, now(), now(), now(), 1, 1, 10, CASE WHEN n > 11000 THEN 'DEAD' ELSE 'CANCELLED' END,
					       'emails', 'mail', '{}', %s
					FROM generate_series(1, 22000) n
					"""
				.formatted(HISTORY))
			.update();
		this.sql.sql("VACUUM ANALYZE jobqueue_job, jobqueue_archive").update();
	}

	@Override
	@BeforeEach
	public void empty() {
		this.recorder.take();
	}

	@Test
	void fewLiveJobsAreFoundByTheirError() {
		SearchResult page = search(EMAILS.fingerprint("rare").states(JobState.SCHEDULED, JobState.RETRYING));
		assertThat(ids(page)).isEqualTo(this.sql.sql("""
				SELECT id FROM jobqueue_job WHERE history -> 0 ->> 'fingerprint' = 'rare' ORDER BY run_at LIMIT 20
				""").query(UUID.class).list());
		assertReads("jobqueue_job", "jobqueue_job_error");
	}

	@Test
	void fewDeadJobsAreFoundByTheirError() {
		SearchResult page = search(EMAILS.fingerprint("rare").states(JobState.DEAD));
		assertThat(ids(page)).isEqualTo(this.sql.sql("""
				SELECT id FROM jobqueue_archive WHERE history -> 0 ->> 'fingerprint' = 'rare' AND state = 'DEAD'
				ORDER BY id DESC LIMIT 20
				""").query(UUID.class).list());
		assertReads("jobqueue_archive", "jobqueue_archive_error");
	}

	/**
	 * Sorting them for each page would cost the more the more there are.
	 */
	@Test
	void manyJobsAreFoundAmongAllThatHaveFailed() {
		assertThat(search(EMAILS.fingerprint("common").states(JobState.RETRYING)).jobs()).hasSize(20);
		assertReads("jobqueue_job", "jobqueue_job_retrying");
		assertThat(search(EMAILS.fingerprint("common").states(JobState.DEAD)).jobs()).hasSize(20);
		assertReads("jobqueue_archive", "jobqueue_archive_unsuccessful_of_queue");
	}

	private SearchResult search(JobQuery query) {
		return PostgresStores.of(this.recorder, this.recorder, null).search().search(query, Duration.ofMinutes(1));
	}

	private static List<UUID> ids(SearchResult page) {
		return page.jobs().stream().map(FoundJob::id).toList();
	}

	/**
	 * The first statement counts.
	 */
	private void assertReads(String table, String index) {
		List<Plan> plans = this.recorder.take();
		assertThat(plans.get(0).readsOf(table)).allMatch((read) -> read.endsWith(" " + table + "_error"));
		assertThat(plans).hasSizeGreaterThan(1).last().satisfies((plan) -> {
			assertThat(plan.readsOf(table)).as(plan.toString())
				.anyMatch((read) -> read.endsWith(" " + index))
				.allMatch((read) -> read.startsWith("Index"));
			assertThat(plan.buffers()).as("%d buffers: %s", plan.buffers(), plan).isLessThan(6_000);
		});
	}

}
