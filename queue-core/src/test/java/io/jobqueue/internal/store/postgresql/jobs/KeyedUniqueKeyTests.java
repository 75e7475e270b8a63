package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobReceipt;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that have a unique key beside an ordering or a limit key.
 */
class KeyedUniqueKeyTests extends AdmissionTestBase {

	private UUID worker = UUID.randomUUID();

	@BeforeEach
	void join() {
		this.worker = worker();
	}

	@Test
	void awaitsAdmission() {
		EnqueueResult enqueued = add("a", null, OnDuplicate.KEEP, Duration.ZERO);
		assertThat(enqueued.available()).singleElement().matches(JobsAvailable::pendingAdmission);
		assertThat(enqueued.jobs()).singleElement().matches((job) -> !job.blocked());
		assertThat(claim(this.worker, request("emails", 9))).isEmpty();
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(id(enqueued));
	}

	@Test
	void followUpTakesItsTurn() {
		add("a", null, OnDuplicate.KEEP, Duration.ZERO);
		ClaimedJob first = runOne(this.worker, AdmissionRules.NONE);
		UUID second = ordered("a");
		EnqueueResult requeued = add("a", null, OnDuplicate.REQUEUE, Duration.ZERO);
		assertThat(requeued.available()).isEmpty();
		assertThat(state(id(requeued))).isEqualTo("BLOCKED");
		assertThat(pendingAdmission(succeed(this.worker, first))).containsOnly(true);
		succeed(this.worker, runOne(this.worker, AdmissionRules.NONE));
		assertThat(this.sql.sql("SELECT id FROM jobqueue_archive").query(UUID.class).list()).contains(second);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(id(requeued));
	}

	@Test
	void followUpOfOneThatIsGoneAwaitsAdmission() {
		add("a", null, OnDuplicate.KEEP, Duration.ZERO);
		ClaimedJob first = runOne(this.worker, AdmissionRules.NONE);
		EnqueueResult requeued = add("a", null, OnDuplicate.REQUEUE, Duration.ZERO);
		this.sql.sql("DELETE FROM jobqueue_job WHERE id = ?").param(first.id()).update();
		assertThat(this.maintenance.releaseFollowUps(null, 9).released()).singleElement()
			.matches(JobsAvailable::pendingAdmission);
		assertThat(claim(this.worker, request("emails", 9))).isEmpty();
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(id(requeued));
	}

	/**
	 * It is admitted, and then its delay restarts.
	 */
	@Test
	void updatedJobAwaitsAdmissionAgain() {
		UUID job = id(add("a", null, OnDuplicate.KEEP, Duration.ZERO));
		admit();
		assertThat(add("a", null, OnDuplicate.DEBOUNCE, LONG).available()).singleElement()
			.matches(JobsAvailable::pendingAdmission);
		assertThat(state(job)).isEqualTo("SCHEDULED");
		assertThat(run(this.worker, AdmissionRules.NONE)).isEmpty();
		add("a", null, OnDuplicate.UPDATE, Duration.ZERO);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(job);
	}

	@Test
	void jobThatWaitsForItsTurnIsUpdated() {
		ordered("a");
		UUID job = id(add("a", null, OnDuplicate.KEEP, Duration.ZERO));
		ClaimedJob first = runOne(this.worker, AdmissionRules.NONE);
		assertThat(add("a", null, OnDuplicate.UPDATE, Duration.ZERO).receipts())
			.containsExactly(new JobReceipt(job, JobReceipt.Outcome.UPDATED));
		assertThat(run(this.worker, AdmissionRules.NONE)).isEmpty();
		succeed(this.worker, first);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(job);
	}

	@Test
	void keysMayBeLeftBehind() {
		UUID job = id(add("a", "slot", OnDuplicate.KEEP, LONG));
		UUID waiting = ordered("a");
		admit(slots(1));
		add(null, null, OnDuplicate.UPDATE, Duration.ZERO);
		assertThat(claim(this.worker, request("emails", 9))).extracting(ClaimedJob::id).containsExactly(job);
		this.maintenance.sweepTurns(null, 9);
		assertThat(runIds(this.worker, slots(1))).containsExactly(waiting);
	}

	@Test
	void keysMayComeLater() {
		UUID job = id(add(null, null, OnDuplicate.KEEP, LONG));
		add("a", null, OnDuplicate.UPDATE, Duration.ZERO);
		assertThat(claim(this.worker, request("emails", 9))).isEmpty();
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(job);
	}

	@Test
	void updateLeavesAFollowUpWaiting() {
		add("a", null, OnDuplicate.KEEP, Duration.ZERO);
		ClaimedJob first = runOne(this.worker, AdmissionRules.NONE);
		UUID followUp = id(add("a", null, OnDuplicate.REQUEUE, Duration.ZERO));
		assertThat(add("a", null, OnDuplicate.UPDATE, Duration.ZERO).available()).isEmpty();
		assertThat(run(this.worker, AdmissionRules.NONE)).isEmpty();
		assertThat(state(followUp)).isEqualTo("BLOCKED");
		succeed(this.worker, first);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(followUp);
	}

	private EnqueueResult add(@Nullable String ordering, @Nullable String limit, OnDuplicate onDuplicate,
			Duration delay) {
		NewJob unique = new NewJobBuilder().delay(delay)
			.key("signup-42", onDuplicate, null)
			.orderedBy(ordering)
			.limitedBy(limit)
			.build();
		return this.transaction.execute((status) -> this.jobs.enqueue(List.of(unique)));
	}

	private static UUID id(EnqueueResult enqueued) {
		return enqueued.receipts().get(0).id();
	}

}
