package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each outcome leaves behind.
 */
@Tag("pooler") // statements of the store
@Tag("container") // statements of the store
class JobCompletionTests extends StoreTestBase {

	@Test
	void completedJobMovesToTheArchive() {
		UUID worker = worker();
		ClaimedJob job = claimNew(worker);
		assertThat(recordOutcomes(worker, Outcomes.completed(job))).containsExactly(job.id());
		assertThat(count("jobqueue_job")).isZero();
		assertThat(column("state", job.id(), String.class)).isEqualTo("SUCCEEDED");
		assertThat(column("failures", job.id(), Integer.class)).isZero();
	}

	@Test
	void failedJobWaitsForItsNextAttempt() {
		UUID worker = worker();
		ClaimedJob job = claimNew(worker);
		recordOutcomes(worker, Outcomes.retried(job, Duration.ofMinutes(10)));
		assertThat(column("state", job.id(), String.class)).isEqualTo("RETRYING");
		assertThat(column("attempts", job.id(), Integer.class)).isEqualTo(1);
		assertThat(column("failures", job.id(), Integer.class)).isEqualTo(1);
		assertThat(column("last_error", job.id(), String.class)).isEqualTo("refused");
		assertThat(column("extract(epoch FROM run_at - now())", job.id(), Double.class)).isBetween(540.0, 600.0);
	}

	@Test
	void failedJobCanBeClaimedAgainOnceItIsDue() {
		UUID worker = worker();
		ClaimedJob job = claimNew(worker);
		recordOutcomes(worker, Outcomes.retried(job, Duration.ZERO));
		assertThat(claimOne(worker).attempt()).isEqualTo(2);
	}

	@Test
	void creationTimeSurvivesRetries() {
		UUID worker = worker();
		ClaimedJob job = claimNew(worker);
		Instant created = job.createdAt();
		recordOutcomes(worker, Outcomes.retried(job, Duration.ZERO));
		assertThat(claimOne(worker).createdAt()).isEqualTo(created);
	}

	@Test
	void deadJobKeepsItsErrorInTheArchive() {
		UUID worker = worker();
		ClaimedJob job = claimNew(worker);
		recordOutcomes(worker, Outcomes.dead(job));
		assertThat(count("jobqueue_job")).isZero();
		assertThat(column("state", job.id(), String.class)).isEqualTo("DEAD");
		assertThat(column("last_error", job.id(), String.class)).isEqualTo("refused");
		assertThat(column("payload", job.id(), String.class)).isEqualTo("{}");
		assertThat(column("failures", job.id(), Integer.class)).isEqualTo(1);
	}

	@Test
	void releasedJobHasNotCountedAndIsReadyAtOnce() {
		UUID worker = worker();
		ClaimedJob job = claimNew(worker);
		recordOutcomes(worker, Outcomes.released(job));
		assertThat(column("attempts", job.id(), Integer.class)).isZero();
		assertThat(column("failures", job.id(), Integer.class)).isZero();
		assertThat(claimOne(worker("other")).attempt()).isEqualTo(1);
	}

	@Test
	void successKeepsTheErrorOfAnEarlierAttempt() {
		UUID worker = worker();
		recordOutcomes(worker, Outcomes.retried(claimNew(worker), Duration.ZERO));
		ClaimedJob again = claimOne(worker);
		recordOutcomes(worker, Outcomes.completed(again));
		assertThat(column("last_error", again.id(), String.class)).isEqualTo("refused");
	}

	@Test
	void recordsAllKindsTogether() {
		UUID worker = worker();
		enqueue("emails", 4);
		List<ClaimedJob> jobs = claim(worker, request("emails", 4));
		List<Outcome> outcomes = List.of(Outcomes.completed(jobs.get(0)), Outcomes.dead(jobs.get(1)),
				Outcomes.retried(jobs.get(2), Duration.ofMinutes(1)), Outcomes.released(jobs.get(3)));
		assertThat(
				this.jobs.recordOutcomes(worker, outcomes, List.of(jobs.get(0).claim()), CompletionEffects.NONE).jobs())
			.hasSize(4);
		assertThat(this.sql.sql("SELECT state FROM jobqueue_jobs").query(String.class).list())
			.containsExactlyInAnyOrder("SUCCEEDED", "DEAD", "RETRYING", "READY");
	}

	@Test
	void claimIsDeletedWithItsLastJob() {
		UUID worker = worker();
		enqueue("emails", 2);
		List<ClaimedJob> jobs = claim(worker, request("emails", 2));
		this.jobs.recordOutcomes(worker, List.of(Outcomes.completed(jobs.get(0))), List.of(), CompletionEffects.NONE);
		assertThat(count("jobqueue_claim")).isEqualTo(1);
		recordOutcomes(worker, Outcomes.completed(jobs.get(1)));
		assertThat(count("jobqueue_claim")).isZero();
	}

	private ClaimedJob claimNew(UUID worker) {
		enqueue("emails", 1);
		return claimOne(worker);
	}

}
