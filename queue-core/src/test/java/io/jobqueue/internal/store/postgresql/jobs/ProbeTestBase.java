package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.AttemptStore.RetryProbe;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Short ways to have jobs fail and succeed in a queue that probes its retries.
 */
abstract class ProbeTestBase extends StoreTestBase {

	static final Duration MINUTE = Duration.ofMinutes(1);

	static final String OUT = "jobqueue_job WHERE failures > 0 AND run_at < 'infinity'";

	static final String HELD = "jobqueue_job WHERE due_at IS NOT NULL";

	UUID worker;

	@BeforeEach
	void checkIn() {
		this.worker = worker();
	}

	final List<ClaimedJob> claimNew(int count) {
		List<NewJob> all = IntStream.range(0, count).mapToObj((n) -> job("emails", 10 + n % 3)).toList();
		this.jobs.enqueue(all);
		return claim(this.worker, request("emails", count));
	}

	final void failAll(List<ClaimedJob> jobs, Duration delay) {
		jobs.forEach((job) -> fail(job, delay));
	}

	final CompletionResult fail(ClaimedJob job, Duration delay) {
		return settleProbed(Outcomes.retried(job, delay), probe(job, false, delay));
	}

	final CompletionResult succeed(List<ClaimedJob> jobs) {
		List<Outcome> outcomes = new ArrayList<>(jobs.stream().map(Outcomes::completed).toList());
		return this.jobs.recordOutcomes(this.worker, outcomes, List.of(),
				new CompletionEffects(jobs.stream().map((job) -> probe(job, true, Duration.ZERO)).toList(), List.of()));
	}

	final CompletionResult settleProbed(Outcome outcome, RetryProbe probe) {
		return this.jobs.recordOutcomes(this.worker, List.of(outcome), List.of(outcome.claim()),
				new CompletionEffects(List.of(probe), List.of()));
	}

	static RetryProbe probe(ClaimedJob job, boolean succeeded, Duration pause) {
		return new RetryProbe(job.id(), job.queue(), job.attempt() > 1, succeeded, pause);
	}

	final List<UUID> out() {
		return this.sql.sql("SELECT id FROM " + OUT).query(UUID.class).list();
	}

	final void assertOut(UUID job) {
		assertThat(out()).containsExactly(job);
	}

}
