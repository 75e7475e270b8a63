package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.RetryProbe;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is read to decide which retries run, beside many that are held back and many that
 * have never failed.
 */
@Tag("slow") // fills large tables
class ProbePlanTests extends StoreTestBase {

	private static final String OUT = "Index Scan jobqueue_job_retrying";

	private static final String HELD = "Index Scan jobqueue_job_held";

	/**
	 * All of them together take more than 1,500 buffers.
	 */
	private static final int MANY = 50_000;

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final PostgresStores recorded = PostgresStores.of(this.recorder, this.database.dataSource(), null);

	@BeforeEach
	void fill() {
		insert(MANY, "now()", 0);
		insert(MANY, "now() + interval '1 day'", 0);
		insert(MANY, "'infinity'", 2);
		this.sql.sql("VACUUM ANALYZE jobqueue_job").update();
		this.recorder.take();
	}

	@Test
	void endOfARetryReadsNoneOfThoseThatAreHeldBack() {
		UUID worker = worker();
		List<ClaimedJob> jobs = claim(worker, request("emails", 2));
		settleRecorded(worker, Outcomes.retried(jobs.get(0), Duration.ZERO),
				new RetryProbe(jobs.get(0).id(), "emails", true, false, Duration.ZERO));
		settleRecorded(worker, Outcomes.completed(jobs.get(1)),
				new RetryProbe(jobs.get(1).id(), "emails", true, true, Duration.ZERO));
		assertThat(count("jobqueue_job WHERE failures > 0 AND run_at < 'infinity'")).isEqualTo(3);
		assertThat(this.recorder.take().stream().filter(ProbePlanTests::isAboutProbes).toList()).hasSize(4)
			.allSatisfy((plan) -> assertThat(plan.buffers()).as(plan.toString()).isLessThan(1_500));
	}

	@Test
	void upkeepReadsNoneOfThemEither() {
		assertThat(this.recorded.maintenance().releaseRetries()).hasSize(1);
		assertThat(this.recorder.take()).isNotEmpty()
			.allSatisfy((plan) -> assertThat(plan.buffers()).as(plan.toString()).isLessThan(1_500));
	}

	private void settleRecorded(UUID worker, Outcome outcome, RetryProbe probe) {
		this.recorded.jobs()
			.recordOutcomes(worker, List.of(outcome), List.of(outcome.claim()),
					new CompletionEffects(List.of(probe), List.of()));
	}

	private static boolean isAboutProbes(Plan plan) {
		List<String> reads = List.copyOf(plan.readsOf("jobqueue_job"));
		return reads.contains(OUT) || reads.contains(HELD);
	}

}
