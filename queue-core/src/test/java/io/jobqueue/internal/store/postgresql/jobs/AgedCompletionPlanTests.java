package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.ProgressReport;
import io.jobqueue.internal.store.AttemptStore.RetryProbe;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Snoozed;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A connection keeps its plans. Those of outcomes that were made while the table of jobs
 * was almost empty have to serve when it is suddenly full, until it is analysed.
 */
class AgedCompletionPlanTests extends StoreTestBase {

	/**
	 * A scan of the table, or of its whole index, reads a buffer for each row.
	 */
	private static final int ROWS = 2_000;

	private static final Duration HOUR = Duration.ofHours(1);

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final SingleConnectionDataSource connection = connect();

	private final JobStore kept = PostgresStores.of(this.connection, null, null).jobs();

	private SingleConnectionDataSource connect() {
		try {
			return new SingleConnectionDataSource(this.recorder.getConnection(), true);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@BeforeAll
	void leaveStatistics() {
		this.sql.sql("ALTER TABLE jobqueue_job SET (autovacuum_enabled = off)").update();
	}

	@AfterAll
	void disconnect() {
		this.connection.destroy();
	}

	static Stream<Named<Step>> steps() {
		return Stream.of(ended("success", Outcomes::completed), ended("death", Outcomes::dead),
				ended("retry", (job) -> Outcomes.retried(job, HOUR)), ended("release", Outcomes::released),
				ended("snooze", (job) -> new Snoozed(job.id(), job.claim(), HOUR)),
				Named.of("progress",
						(store, worker, jobs) -> store.report(worker,
								jobs.stream().map((job) -> new ProgressReport(job.id(), job.claim(), 7, "")).toList())
							.size()));
	}

	private static Named<Step> ended(String name, Function<ClaimedJob, Outcome> outcome) {
		return Named.of(name,
				(store, worker, jobs) -> store
					.recordOutcomes(worker, jobs.stream().map(outcome).toList(), List.of(), CompletionEffects.NONE)
					.jobs()
					.size());
	}

	@ParameterizedTest
	@MethodSource("steps")
	void planOfAnAlmostEmptyTableServesALargeOne(Step step) {
		UUID worker = worker();
		List<ClaimedJob> first = claimTwo(worker);
		this.sql.sql("VACUUM ANALYZE jobqueue_job").update();
		assertThat(step.take(this.kept, worker, first)).isEqualTo(first.size());
		insert(ROWS, "now() + interval '1 day'", 0);
		List<ClaimedJob> second = claimTwo(worker);
		this.recorder.take();
		assertThat(step.take(this.kept, worker, second)).isEqualTo(second.size());
		assertThat(this.recorder.take()).isNotEmpty()
			.allSatisfy((plan) -> assertThat(plan.buffers()).as(plan.toString()).isLessThanOrEqualTo(100));
	}

	/**
	 * The statement searches each of 100 priorities in addition.
	 */
	@Test
	void planOfARetryThatProbesServesALargeTable() {
		UUID worker = worker();
		List<ClaimedJob> first = claimTwo(worker);
		this.sql.sql("VACUUM ANALYZE jobqueue_job").update();
		retryAndProbe(worker, first);
		insert(ROWS, "now() + interval '1 day'", 0);
		List<ClaimedJob> second = claimTwo(worker);
		this.recorder.take();
		retryAndProbe(worker, second);
		assertThat(this.recorder.take()).isNotEmpty()
			.allSatisfy((plan) -> assertThat(plan.buffers()).as(plan.toString()).isLessThanOrEqualTo(1_000));
	}

	private void retryAndProbe(UUID worker, List<ClaimedJob> claimed) {
		List<Outcome> outcomes = claimed.stream().map((job) -> (Outcome) Outcomes.retried(job, HOUR)).toList();
		List<RetryProbe> probes = claimed.stream()
			.map((job) -> new RetryProbe(job.id(), "emails", true, false, Duration.ZERO))
			.toList();
		assertThat(
				this.kept.recordOutcomes(worker, outcomes, List.of(), new CompletionEffects(probes, List.of())).jobs())
			.hasSize(2);
	}

	private List<ClaimedJob> claimTwo(UUID worker) {
		enqueue("emails", 2);
		List<ClaimedJob> claimed = claim(worker, request("emails", 2));
		assertThat(claimed).hasSize(2);
		return claimed;
	}

	/**
	 * What a worker writes of claimed jobs. It returns how many of them it found.
	 */
	@FunctionalInterface
	interface Step {

		int take(JobStore store, UUID worker, List<ClaimedJob> jobs);

	}

}
