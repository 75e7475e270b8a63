package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker that lost its claim writes nothing any more.
 */
@Tag("pooler") // statements of the store
class FencingTests extends StoreTestBase {

	private UUID zombie;

	private ClaimedJob lost;

	@BeforeEach
	void loseTheClaim() {
		enqueue("emails", 1);
		this.zombie = worker("zombie");
		this.lost = claimOne(this.zombie);
		fallSilent(this.zombie);
		this.maintenance.reap(null);
	}

	@Test
	void recordsNothingWhileTheJobWaits() {
		assertNothingChanges();
	}

	@Test
	void recordsNothingWhileAnotherWorkerHasTheJob() {
		claimOne(worker("successor"));
		assertNothingChanges();
	}

	@Test
	void recordsNothingAfterAnotherWorkerFinishedTheJob() {
		UUID successor = worker("successor");
		recordOutcomes(successor, Outcomes.dead(claimOne(successor)));
		assertNothingChanges();
		assertThat(count("jobqueue_archive")).isEqualTo(1);
	}

	@Test
	void recordsNothingAfterItClaimedTheJobAgain() {
		this.workers.checkIn(new WorkerBuilder(this.zombie).name("zombie").build(), false);
		ClaimedJob again = claimOne(this.zombie);
		assertThat(again.id()).isEqualTo(this.lost.id());
		assertNothingChanges();
		assertThat(recordOutcomes(this.zombie, Outcomes.completed(again))).containsExactly(again.id());
	}

	@Test
	void claimNumberOfAnotherWorkerIsNotAccepted() {
		UUID successor = worker("successor");
		ClaimedJob theirs = claimOne(successor);
		assertThat(recordOutcomes(this.zombie, Outcomes.completed(theirs))).isEmpty();
		assertThat(recordOutcomes(successor, Outcomes.completed(theirs))).containsExactly(theirs.id());
	}

	@Test
	void endsNoClaimOfAnotherWorker() {
		ClaimedJob theirs = claimOne(worker("successor"));
		recordOutcomes(this.zombie, Outcomes.completed(theirs));
		assertThat(count("jobqueue_claim")).isEqualTo(1);
	}

	private void assertNothingChanges() {
		String before = jobRow();
		for (Outcome outcome : Outcomes.each(this.lost)) {
			assertThat(recordOutcomes(this.zombie, outcome)).as(outcome.toString()).isEmpty();
		}
		assertThat(this.jobs.extendLeases(this.zombie, List.of(this.lost), Duration.ofHours(1))).isEmpty();
		assertThat(jobRow()).isEqualTo(before);
	}

	private String jobRow() {
		return this.sql.sql("SELECT * FROM jobqueue_jobs").query().listOfRows().toString();
	}

}
