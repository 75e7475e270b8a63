package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.CannotAcquireLockException;

import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.RetryProbe;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.OperationStore.ChangeResult;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Jobs that wait for others keep waiting for them, whatever an operator changes, and jobs
 * that release a key admit others.
 */
class KeyedEditTests extends AdmissionTestBase {

	private static final Instant PAST = Instant.EPOCH;

	private final OperationStore operations = this.stores.operations();

	private final Instant later = Instant.now().plus(LONG);

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = "a")
	void jobThatFollowsAnotherIsDueAfterItsEnd(String limit) {
		UUID worker = worker();
		UUID first = enqueueUnique(OnDuplicate.KEEP, Duration.ZERO, limit);
		ClaimedJob running = runOne(worker, AdmissionRules.NONE);
		UUID followUp = enqueueUnique(OnDuplicate.REQUEUE, LONG, limit);
		assertThat(reschedule(followUp, PAST).available()).isEmpty();
		assertThat(state(followUp)).isEqualTo("BLOCKED");
		assertThat(run(worker, AdmissionRules.NONE)).isEmpty();
		end(worker, List.of(running), Outcomes.completed(running));
		assertThat(state(first)).isEqualTo("SUCCEEDED");
		assertThat(runIds(worker, AdmissionRules.NONE)).containsExactly(followUp);
	}

	private UUID enqueueUnique(OnDuplicate onDuplicate, Duration delay) {
		return enqueueUnique(onDuplicate, delay, null);
	}

	private UUID enqueueUnique(OnDuplicate onDuplicate, Duration delay, @Nullable String limit) {
		return Objects.requireNonNull(this.transaction
			.execute((status) -> this.jobs.enqueue(List.of(unique(onDuplicate, delay, limit))).receipts().get(0).id()));
	}

	private static NewJob unique(OnDuplicate onDuplicate, Duration delay, @Nullable String limit) {
		return new NewJobBuilder().delay(delay).key("k", onDuplicate, null).limitedBy(limit).build();
	}

	@Test
	void jobWhoseAdmissionIsPendingIsEvaluatedAtItsNewTime() {
		UUID job = enqueue(keyed("a", null, 10, LONG));
		UUID postponed = ordered("b");
		assertThat(reschedule(job, PAST).available()).extracting(JobsAvailable::pendingAdmission).containsExactly(true);
		reschedule(postponed, this.later);
		assertThat(runIds(worker(), AdmissionRules.NONE)).containsExactly(job);
		assertThat(admission(postponed)).isEqualTo("PENDING");
		assertThat(
				column("date_trunc('milliseconds', due_at) = '%s'".formatted(this.later.truncatedTo(ChronoUnit.MILLIS)),
						postponed))
			.isEqualTo("t");
	}

	@Test
	void jobThatWaitsForItsTurnStillDoes() {
		UUID worker = worker();
		ordered("a");
		UUID next = ordered("a");
		ClaimedJob head = runOne(worker, AdmissionRules.NONE);
		admit();
		assertThat(reschedule(next, this.later).available()).isEmpty();
		assertThat(admission(next)).isEqualTo("ORDER");
		succeed(worker, head);
		assertThat(run(worker, AdmissionRules.NONE)).as("it is not due").isEmpty();
		reschedule(next, PAST);
		assertThat(runIds(worker, AdmissionRules.NONE)).containsExactly(next);
	}

	@Test
	void jobThatWaitsForASlotIsPassedWhileItIsNotDue() {
		UUID worker = worker();
		limited("a");
		runOne(worker, slots(1));
		UUID urgent = enqueue(keyed(null, "a", 0, Duration.ZERO));
		admit(slots(1));
		assertThat(admission(urgent)).isEqualTo("SLOT");
		reschedule(urgent, this.later);
		UUID third = limited("a");
		assertThat(runIds(worker, slots(2))).containsExactly(third);
	}

	@Test
	void postponedJobReleasesItsSlot() {
		UUID first = limited("a");
		UUID second = limited("a");
		admit(slots(1));
		assertThat(List.of(admission(first), admission(second))).containsExactly("OPEN", "SLOT");
		assertThat(reschedule(first, this.later).available()).extracting(JobsAvailable::pendingAdmission)
			.containsOnly(true);
		assertThat(runIds(worker(), slots(1))).containsExactly(second);
		assertThat(admission(first)).isEqualTo("PENDING");
	}

	@Test
	void withheldRetryIsRescheduledAndReleasedByAnOperatorsRetry() {
		UUID worker = worker();
		UUID job = heldBack(worker);
		assertThat(reschedule(job, this.later).available()).isEmpty();
		assertThat(column("run_at", job)).isEqualTo("infinity");
		ChangeResult changed = this.operations.retry(List.of(job));
		assertThat(changed.available()).hasSize(1);
		assertThat(claimOne(worker).id()).isEqualTo(job);
	}

	private UUID heldBack(UUID worker) {
		enqueue("emails", 2);
		for (ClaimedJob job : claim(worker, request("emails", 2))) {
			this.jobs.recordOutcomes(worker, List.of(Outcomes.retried(job, LONG)), List.of(), new CompletionEffects(
					List.of(new RetryProbe(job.id(), "emails", true, false, Duration.ZERO)), List.of()));
		}
		return this.sql.sql("SELECT id FROM jobqueue_job WHERE run_at = 'infinity'").query(UUID.class).single();
	}

	private String column(String column, UUID job) {
		return this.sql.sql("SELECT %s FROM jobqueue_job WHERE id = ?".formatted(column))
			.param(job)
			.query(String.class)
			.single();
	}

	@Test
	void dueJobKeepsItsPlaceWhenItIsToBeDue() {
		UUID job = enqueue(job("emails", 10));
		String before = column("run_at", job);
		assertThat(reschedule(job, PAST).jobs()).isEmpty();
		assertThat(column("run_at", job)).isEqualTo(before);
	}

	@Test
	void retriedHeadRunsBeforeLaterJobs() {
		AdmissionRules holding = new AdmissionRules(null, true);
		UUID worker = worker();
		UUID head = ordered("a");
		UUID next = ordered("a");
		ClaimedJob running = runOne(worker, holding);
		end(worker, List.of(running), Outcomes.dead(running));
		assertThat(run(worker, holding)).isEmpty();
		assertThat(this.operations.revive(List.of(head)).available()).extracting(JobsAvailable::pendingAdmission)
			.containsExactly(true);
		ClaimedJob again = runOne(worker, holding);
		assertThat(again.id()).isEqualTo(head);
		assertThat(again.attempt()).isOne();
		succeed(worker, again);
		assertThat(runIds(worker, holding)).containsExactly(next);
	}

	@ParameterizedTest
	@ValueSource(strings = { "revive", "replay", "retry" })
	void jobWithALimitKeyThatComesBackWaitsForASlot(String operation) {
		UUID worker = worker();
		UUID failed = limited("a");
		ClaimedJob first = runOne(worker, slots(1));
		end(worker, List.of(first), operation.equals("retry") ? Outcomes.retried(first, LONG) : Outcomes.dead(first));
		limited("a");
		ClaimedJob running = runOne(worker, slots(1));
		UUID back = operation.equals("replay") ? UUID.randomUUID() : failed;
		assertThat(comeBack(operation, failed, back).available()).extracting(JobsAvailable::pendingAdmission)
			.containsExactly(true);
		assertThat(run(worker, slots(1))).isEmpty();
		succeed(worker, running);
		assertThat(runIds(worker, slots(1))).containsExactly(back);
	}

	private ChangeResult comeBack(String operation, UUID job, UUID copy) {
		return switch (operation) {
			case "revive" -> this.operations.revive(List.of(job));
			case "replay" -> this.operations.replay(Map.of(job, copy));
			default -> this.operations.retry(List.of(job));
		};
	}

	@Test
	void deadHeadThatIsDeletedBlocksNoOtherJob() {
		AdmissionRules holding = new AdmissionRules(null, true);
		UUID worker = worker();
		UUID head = ordered("a");
		UUID next = ordered("a");
		ClaimedJob running = runOne(worker, holding);
		end(worker, List.of(running), Outcomes.dead(running));
		run(worker, holding);
		assertThat(this.operations.deleteArchived(List.of(head)).available())
			.extracting(JobsAvailable::pendingAdmission)
			.containsExactly(true);
		assertThat(runIds(worker, holding)).containsExactly(next);
	}

	@Test
	void deletedAdmittedJobAdmitsTheNextOne() {
		UUID first = limited("a");
		UUID second = limited("a");
		admit(slots(1));
		assertThat(this.operations.delete(List.of(first)).jobs()).containsExactly(first);
		assertThat(runIds(worker(), slots(1))).containsExactly(second);
	}

	@Test
	void priorityOfAPendingJobDecidesWhichGetsTheSlot() {
		UUID worker = worker();
		limited("a");
		limited("a");
		UUID third = limited("a");
		ClaimedJob first = runOne(worker, slots(1));
		this.operations.reprioritise(List.of(third), 0);
		succeed(worker, first);
		assertThat(runIds(worker, slots(1))).containsExactly(third);
	}

	@Test
	void lastOfSeveralJobsWithTheSameKeyIsRetried() {
		UUID first = enqueueUnique(OnDuplicate.KEEP, LONG);
		this.operations.cancel(first, null);
		UUID second = enqueueUnique(OnDuplicate.KEEP, LONG);
		this.operations.cancel(second, null);
		assertThat(this.operations.revive(List.of(first, second)).jobs()).containsExactly(second);
		assertThat(state(first)).isEqualTo("CANCELLED");
	}

	@Test
	@Tag("slow") // waits for a lock time-out of 5 s
	void singleLockedJobIsAwaitedAndOneOfSeveralSkipped() {
		List<UUID> both = enqueue("emails", 2);
		this.transaction.executeWithoutResult((status) -> {
			this.sql.sql("SELECT 1 FROM jobqueue_job WHERE id = ? FOR UPDATE").param(both.get(0)).query().singleRow();
			assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(() -> onAnotherConnection(() -> this.operations.delete(List.of(both.get(0)))))
				.withCauseInstanceOf(CannotAcquireLockException.class);
			assertThat(onAnotherConnection(() -> this.operations.reprioritise(both, 3)).jobs())
				.containsExactly(both.get(1));
			assertThat(onAnotherConnection(() -> this.operations.delete(both)).jobs()).containsExactly(both.get(1));
		});
	}

	private ChangeResult reschedule(UUID job, Instant runAt) {
		return this.operations.reschedule(List.of(job), runAt);
	}

}
