package io.jobqueue.internal.store.postgresql.search;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.ArchiveCount;
import io.jobqueue.internal.store.postgresql.jobs.Outcomes;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * How many jobs the archive holds, and which of the numbers are capped.
 */
class ArchiveCountTests extends StoreTestBase {

	private final SearchStore search = this.stores.search();

	@Test
	void smallArchiveIsCounted() {
		UUID worker = worker();
		enqueue("emails", 3);
		List<ClaimedJob> jobs = claim(worker, request("emails", 3));
		recordOutcomes(worker, Outcomes.completed(jobs.get(0)));
		recordOutcomes(worker, Outcomes.completed(jobs.get(1)));
		recordOutcomes(worker, Outcomes.dead(jobs.get(2)));
		assertThat(this.search.countFinished()).allMatch((count) -> !count.count().capped())
			.extracting(ArchiveCount::state, (count) -> count.count().jobs())
			.containsExactlyInAnyOrder(tuple(JobState.SUCCEEDED, 2L), tuple(JobState.DEAD, 1L));
	}

	/**
	 * What did not succeed is counted up to a cap, queue by queue. About half of the jobs
	 * are among those whose successes are counted.
	 */
	@Test
	void successesInALargeArchiveAreCapped() {
		archive(4_000, "emails", "SUCCEEDED");
		archive(3_000, "emails", "DEAD");
		archive(2_000, "emails", "CANCELLED");
		archive(10_100, "faxes", "DEAD");
		assertThat(this.search.countFinished())
			.extracting(ArchiveCount::queue, ArchiveCount::state, (count) -> count.count().capped(),
					(count) -> Math.round(count.count().jobs() / 500.0))
			.containsExactlyInAnyOrder(tuple("emails", JobState.SUCCEEDED, true, 4L),
					tuple("emails", JobState.DEAD, false, 6L), tuple("emails", JobState.CANCELLED, false, 4L),
					tuple("faxes", JobState.DEAD, true, 20L), tuple("faxes", JobState.SUCCEEDED, true, 0L));
	}

	private void archive(int jobs, String queue, String state) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload)
					SELECT gen_random_uuid(), n, now(), now(), now(), 1, 0, 10, ?, ?, 'mail', '{}' FROM generate_series(1, ?) n
					""")
			.params(state, queue, jobs)
			.update();
	}

}
