package io.jobqueue.internal.store.postgresql.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.harness.WakeUpListener;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.MaintenanceStore.FollowUpPass;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome.Snoozed;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job that was requeued while it ran is followed by another one, once it is finished.
 */
@Tag("pooler") // statements of the store
@Tag("container") // statements of the store
class FollowUpTests extends KeyTestBase {

	@Test
	void runsOnceTheFirstHasSucceeded() {
		ClaimedJob first = addAndRun(null);
		UUID followUp = again(OnDuplicate.REQUEUE).id();
		assertThat(again(OnDuplicate.REQUEUE).id()).isEqualTo(followUp);
		assertThat(column("state", followUp, String.class)).isEqualTo("BLOCKED");
		assertThat(claim(this.holder, request("emails", 9))).isEmpty();
		assertThat(this.jobs
			.recordOutcomes(this.holder, List.of(succeeded(first)), List.of(first.claim()), CompletionEffects.NONE)
			.available()).hasSize(1);
		assertThat(claimOne(this.holder).id()).isEqualTo(followUp);
	}

	@Test
	void runsOnceTheFirstIsDead() {
		ClaimedJob first = addAndRun(null);
		UUID followUp = again(OnDuplicate.REQUEUE).id();
		recordOutcomes(this.holder, Outcomes.dead(first));
		assertThat(claimOne(this.holder).id()).isEqualTo(followUp);
	}

	@Test
	void waitsWhileTheFirstIsToRunAgain() {
		ClaimedJob first = addAndRun(null);
		UUID followUp = again(OnDuplicate.REQUEUE).id();
		recordOutcomes(this.holder, Outcomes.retried(first, ZERO));
		ClaimedJob second = claimOne(this.holder);
		recordOutcomes(this.holder, new Snoozed(second.id(), second.claim(), ZERO));
		ClaimedJob third = claimOne(this.holder);
		recordOutcomes(this.holder, Outcomes.released(third));
		this.maintenance.releaseFollowUps(null, 9);
		assertThat(column("state", followUp, String.class)).isEqualTo("BLOCKED");
		assertThat(claimOne(this.holder).id()).isEqualTo(first.id());
	}

	@Test
	void delayIsCountedFromTheRequest() {
		ClaimedJob first = addAndRun(null);
		UUID followUp = again(OnDuplicate.DEBOUNCE).id();
		succeed(first);
		assertThat(column("state", followUp, String.class)).isEqualTo("SCHEDULED");
	}

	@Test
	void mayHaveAFollowUpOfItsOwn() {
		ClaimedJob first = addAndRun(null);
		again(OnDuplicate.REQUEUE);
		succeed(first);
		ClaimedJob second = run();
		JobReceipt third = again(OnDuplicate.REQUEUE);
		assertThat(third.outcome()).isEqualTo(Outcome.REQUEUED);
		assertThat(third.id()).isNotEqualTo(second.id());
		assertThat(column("state", third.id(), String.class)).isEqualTo("BLOCKED");
		assertThat(claim(this.holder, request("emails", 9))).isEmpty();
		succeed(second);
		assertThat(again(OnDuplicate.KEEP)).isEqualTo(new JobReceipt(third.id(), Outcome.ALREADY_WAITING));
		succeed(run());
		assertThat(count("jobqueue_job")).isZero();
		assertThat(count("jobqueue_key")).isZero();
	}

	/**
	 * The first, which is to be retried, keeps its payload and its backoff.
	 */
	@ParameterizedTest
	@EnumSource
	void duplicateUpdatesTheFollowUpOfARetryingJob(OnDuplicate mode) {
		UUID first = runAndBackOffWithAFollowUp();
		JobReceipt receipt = again(mode);
		assertThat(receipt.id().equals(first)).isEqualTo(mode == OnDuplicate.KEEP);
		assertThat(column("state", first, String.class)).isEqualTo("RETRYING");
		assertThat(column("payload", first, String.class)).isEqualTo(OLD);
	}

	private UUID runAndBackOffWithAFollowUp() {
		ClaimedJob first = runAndRequeue();
		end(Outcomes.retried(first, LONG));
		return first.id();
	}

	/**
	 * What comes while the first is being completed changes the follow-up, instead of
	 * adding another one.
	 */
	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "KEEP")
	void staysTheOnlyOneWhileTheFirstIsCompleted(OnDuplicate mode) {
		ClaimedJob first = addAndRun(null);
		UUID followUp = add(keyed(OLD, ZERO, OnDuplicate.REQUEUE, null)).id();
		CompletableFuture<JobReceipt> late = inTransaction(() -> {
			this.jobs.complete(this.holder, succeeded(first));
			return waiting(mode);
		});
		assertThat(late.join().id()).isEqualTo(followUp);
		assertThat(count("jobqueue_job")).isEqualTo(1);
		assertThat(column("payload", followUp, String.class)).isEqualTo(NEW);
		assertThat(column("state", followUp, String.class))
			.isEqualTo((mode == OnDuplicate.DEBOUNCE) ? "SCHEDULED" : "READY");
	}

	/**
	 * The completion of the first does not see the follow-up, which must not wait for
	 * ever.
	 */
	@Test
	void isNotLostWhereItsTransactionIsOpenWhenTheFirstEnds() {
		ClaimedJob first = addAndRun(null);
		UUID followUp = inTransaction(() -> {
			UUID added = again(OnDuplicate.REQUEUE).id();
			CompletableFuture.runAsync(() -> succeed(first)).join();
			return added;
		});
		assertThat(claim(this.holder, request("emails", 9))).isEmpty();
		assertThat(this.maintenance.releaseFollowUps(null, 9).released()).hasSize(1);
		assertThat(claimOne(this.holder).id()).isEqualTo(followUp);
	}

	@Test
	void isNotLostWhereItChangesWhenTheFirstEnds() {
		ClaimedJob first = addAndRun(null);
		UUID followUp = again(OnDuplicate.REQUEUE).id();
		this.transaction.executeWithoutResult((status) -> {
			again(OnDuplicate.REQUEUE);
			CompletableFuture.runAsync(() -> succeed(first)).join();
		});
		this.maintenance.releaseFollowUps(null, 9);
		assertThat(claimOne(this.holder).id()).isEqualTo(followUp);
	}

	@Test
	void followUpOfADeletedJobIsUpdated() {
		addAndRun(null);
		UUID followUp = again(OnDuplicate.REQUEUE).id();
		this.sql.sql("DELETE FROM jobqueue_job WHERE id <> ?").param(followUp).update();
		assertThat(again(OnDuplicate.REQUEUE)).isEqualTo(new JobReceipt(followUp, Outcome.UPDATED));
		assertThat(this.maintenance.releaseFollowUps(null, 9).released()).hasSize(1);
	}

	@Test
	void areLookedAtInPortions() {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, follows, run_at, due_at, created_at, priority, queue, type, payload)
				SELECT gen_random_uuid(), gen_random_uuid(), 'infinity', now(), now(), 10, 'emails', 'mail', '{}'
				FROM generate_series(1, 5)
				""").update();
		FollowUpPass one = this.maintenance.releaseFollowUps(null, 3);
		FollowUpPass two = this.maintenance.releaseFollowUps(one.last(), 3);
		assertThat(one.released()).hasSize(3);
		assertThat(one.last()).isNotNull();
		assertThat(two.released()).hasSize(2);
		assertThat(two.last()).isNull();
	}

	@Test
	void isPublishedByTheReaperWhereTheFirstDied() {
		addAndRun(null);
		this.sql.sql("UPDATE jobqueue_job SET max_attempts = 1").update();
		UUID followUp = again(OnDuplicate.REQUEUE).id();
		fallSilent(this.holder);
		List<WakeUp> published = new ArrayList<>();
		JobSignals signals = new JobSignals();
		signals.subscribe(new WakeUpListener(published::addAll));
		reaper(signals).runOnce();
		assertThat(published).filteredOn(JobsAvailable.class::isInstance).hasSize(1);
		assertThat(claimOne(worker()).id()).isEqualTo(followUp);
	}

	@Test
	void jobThatWaitsForACancelledOneFollowsTheFirst() {
		ClaimedJob first = addAndRun(null);
		UUID cancelled = again(OnDuplicate.REQUEUE).id();
		JobReceipt next = repeatDuringDeletion(cancelled);
		assertThat(next.outcome()).isEqualTo(Outcome.REQUEUED);
		assertThat(claim(this.holder, request("emails", 9))).isEmpty();
		succeed(first);
		assertThat(claimOne(this.holder).id()).isEqualTo(next.id());
	}

	@Test
	void followUpOfAJobCancelledBeforeItsAdmissionIsIndependent() {
		this.holder = worker();
		NewJob job = new NewJobBuilder().key("signup-42", OnDuplicate.KEEP, null).orderedBy("customer").build();
		UUID cancelled = add(job).id();
		JobReceipt next = repeatDuringDeletion(cancelled);
		assertThat(next.outcome()).isEqualTo(Outcome.ADDED);
		assertThat(claimOne(this.holder).id()).isEqualTo(next.id());
	}

	private JobReceipt repeatDuringDeletion(UUID job) {
		return inTransaction(() -> {
			this.sql.sql("DELETE FROM jobqueue_job WHERE id = ?").param(job).update();
			return waiting(OnDuplicate.REQUEUE);
		}).join();
	}

}
