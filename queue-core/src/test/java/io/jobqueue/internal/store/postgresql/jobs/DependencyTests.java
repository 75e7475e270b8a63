package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobRejectedException;
import io.jobqueue.OnDuplicate;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.DependencyStore;
import io.jobqueue.internal.store.DependencyStore.Failure;
import io.jobqueue.internal.store.DependencyStore.Resolution;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.JobStore.EnqueuedJob;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys;
import io.jobqueue.internal.store.NewJob.JobKeys.UniqueKey;
import io.jobqueue.internal.store.ObstacleStore.BlockedBy;
import io.jobqueue.internal.store.Outcome.RetryLater;

import static io.jobqueue.OnPredecessorFailure.FAIL;
import static io.jobqueue.OnPredecessorFailure.RUN;
import static io.jobqueue.OnPredecessorFailure.WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DependencyTests extends DependencyTestBase {

	@Test
	void jobWaitsUntilAllHaveSucceeded() {
		UUID first = predecessor();
		UUID second = predecessor();
		UUID job = enqueueAfter(WAIT, first, second);
		succeedAndResolve(second);
		assertThat(state(job)).isEqualTo("BLOCKED");
		succeedAndResolve(first);
		assertThat(state(job)).isEqualTo("READY");
		assertThat(count("jobqueue_dependency")).isZero();
	}

	@Test
	void waitingJobIsNotClaimed() {
		UUID first = predecessor();
		UUID job = enqueueAfter(WAIT, first);
		assertThat(claim(this.worker, request("emails", 9))).extracting(ClaimedJob::id).containsExactly(first);
		assertThat(this.jobs.claimOne(this.worker, job, request("emails", 1), null).claimed().jobs()).isEmpty();
		assertThat(this.stores.obstacles().blockedBy(job)).isEqualTo(BlockedBy.PREDECESSOR);
	}

	@Test
	void retryOfAPredecessorIsNoEnd() {
		UUID first = predecessor();
		UUID job = enqueueAfter(WAIT, first);
		ClaimedJob claimed = claimed(first);
		assertThat(
				record(claimed, new RetryLater(first, claimed.claim(), Duration.ZERO, "error", false)).predecessors())
			.isEmpty();
		assertThat(state(job)).isEqualTo("BLOCKED");
	}

	@Test
	void jobAfterSucceededOnesIsReadyAtOnce() {
		UUID first = predecessor();
		succeed(first, KEPT);
		NewJob job = after(WAIT, first);
		assertThat(this.jobs.enqueue(List.of(job)).available()).hasSize(1);
		assertThat(state(job.id())).isEqualTo("READY");
		assertThat(count("jobqueue_dependency")).isZero();
	}

	@Test
	void jobWithoutSuccessorsIsNotReturned() {
		assertThat(succeed(predecessor(), KEPT).predecessors()).isEmpty();
	}

	@Test
	void unknownPredecessorIsRejectedAndNothingIsWritten() {
		UUID known = predecessor();
		UUID unknown = UUID.randomUUID();
		assertThatThrownBy(() -> this.jobs.enqueue(List.of(job("emails", 10), after(WAIT, known, unknown))))
			.isInstanceOf(JobRejectedException.class)
			.hasMessageContaining("after")
			.hasMessageContaining(unknown.toString())
			.hasMessageContaining("retention");
		assertThat(count("jobqueue_job")).isEqualTo(1);
	}

	@Test
	void delayCountsFromTheEnqueueing() {
		UUID first = predecessor();
		NewJob late = new NewJobBuilder().delay(Duration.ofHours(1)).after(WAIT, first).build();
		resolve(enqueueIn(this.jobs, late));
		succeedAndResolve(first);
		assertThat(state(late.id())).isEqualTo("SCHEDULED");
		assertThat(column("run_at", late.id(), Instant.class))
			.isEqualTo(column("created_at", late.id(), Instant.class).plus(Duration.ofHours(1)));
	}

	@Test
	void jobWithAnOrderingKeyIsAdmittedAfterItsPredecessors() {
		UUID first = predecessor();
		NewJob ordered = keyed(new JobKeys(null, "customer", null, null), WAIT, first);
		resolve(enqueueIn(this.jobs, ordered));
		this.jobs.admit("emails", AdmissionRules.NONE);
		assertThat(state(ordered.id())).isEqualTo("BLOCKED");
		resolve(succeed(first, KEPT).predecessors());
		assertThat(this.jobs.admit("emails", AdmissionRules.NONE).admitted()).hasSize(1);
		assertThat(claim(this.worker, request("emails", 9))).extracting(ClaimedJob::id).containsExactly(ordered.id());
	}

	private static NewJob keyed(JobKeys keys, OnPredecessorFailure policy, UUID... predecessors) {
		return new NewJobBuilder().keys(keys).after(policy, predecessors).build();
	}

	private EnqueuedJob add(NewJob job) {
		return Objects.requireNonNull(new TransactionTemplate(new JdbcTransactionManager(this.dataSource))
			.execute((status) -> this.jobs.enqueue(List.of(job)).jobs().get(0)));
	}

	private static NewJob unique(OnDuplicate onDuplicate, UUID... predecessors) {
		return keyed(new JobKeys(new UniqueKey("signup", onDuplicate, null), null, null, null), WAIT, predecessors);
	}

	@ParameterizedTest
	@EnumSource(names = { "UPDATE", "REQUEUE" })
	void changeByKeyKeepsThePredecessors(OnDuplicate mode) {
		UUID first = predecessor();
		UUID second = predecessor();
		NewJob job = unique(OnDuplicate.KEEP, first);
		add(job);
		resolve(Set.of(first));
		EnqueuedJob changed = add(unique(mode, second));
		assertThat(changed.receipt().outcome()).isEqualTo(Outcome.UPDATED);
		assertThat(changed.receipt().id()).isEqualTo(job.id());
		assertThat(changed.blocked()).isTrue();
		succeedAndResolve(second);
		assertThat(state(job.id())).isEqualTo("BLOCKED");
		succeedAndResolve(first);
		assertThat(state(job.id())).isEqualTo("READY");
	}

	@Test
	void requestThatKeepsTheJobWaitsForNothing() {
		UUID first = predecessor();
		UUID job = add(unique(OnDuplicate.KEEP)).receipt().id();
		EnqueuedJob kept = add(unique(OnDuplicate.KEEP, first));
		assertThat(kept.receipt().outcome()).isEqualTo(Outcome.ALREADY_WAITING);
		assertThat(state(job)).isEqualTo("READY");
		assertThat(count("jobqueue_dependency")).isZero();
	}

	/**
	 * It waits for the running job with its key and for its predecessor, whichever ends
	 * first.
	 */
	@ParameterizedTest
	@EnumSource
	void followUpWaitsForBoth(Order order) {
		UUID first = predecessor();
		ClaimedJob claimed = claimed(add(unique(OnDuplicate.KEEP)).receipt().id());
		NewJob followUp = unique(OnDuplicate.REQUEUE, first);
		EnqueuedJob enqueued = add(followUp);
		assertThat(enqueued.receipt().outcome()).isEqualTo(Outcome.REQUEUED);
		assertThat(enqueued.blocked()).isTrue();
		resolve(Set.of(first));
		Runnable ofKey = () -> record(claimed, Outcomes.completed(claimed));
		Runnable ofPredecessor = () -> succeedAndResolve(first);
		((order == Order.KEY_FIRST) ? ofKey : ofPredecessor).run();
		assertThat(state(followUp.id())).isEqualTo("BLOCKED");
		((order == Order.KEY_FIRST) ? ofPredecessor : ofKey).run();
		assertThat(state(followUp.id())).isEqualTo("READY");
	}

	private enum Order {

		KEY_FIRST, PREDECESSOR_FIRST

	}

	@Test
	void waitsForAFailedPredecessorUntilItSucceeds() {
		UUID first = predecessor();
		UUID job = enqueueAfter(WAIT, first);
		dieAndResolve(first);
		assertThat(state(job)).isEqualTo("BLOCKED");
		assertThat(failed(job)).isTrue();
		this.operations.revive(List.of(first));
		assertThat(failed(job)).isFalse();
		assertThat(state(job)).isEqualTo("BLOCKED");
		succeedAndResolve(first);
		assertThat(state(job)).isEqualTo("READY");
	}

	private boolean failed(UUID job) {
		return this.sql.sql("SELECT failed FROM jobqueue_dependency WHERE job_id = ?")
			.param(job)
			.query(Boolean.class)
			.single();
	}

	@Test
	void runsAfterAFailedPredecessor() {
		UUID first = predecessor();
		UUID second = predecessor();
		UUID job = enqueueAfter(RUN, first, second);
		dieAndResolve(first);
		assertThat(state(job)).isEqualTo("BLOCKED");
		succeedAndResolve(second);
		assertThat(state(job)).isEqualTo("READY");
	}

	@Test
	void failsWithAFailedPredecessor() {
		UUID first = predecessor();
		UUID job = enqueueAfter(FAIL, first);
		Resolution resolution = resolve(die(first, KEPT).predecessors());
		assertThat(resolution.failing()).containsExactly(Map.entry(job, "emails"));
		Failure failure = this.dependencies.fail(retentions(job));
		assertThat(failure.ended()).hasSize(1);
		assertThat(state(job)).isEqualTo("DEAD");
		assertThat(column("attempts", job, Integer.class)).isZero();
		assertThat(column("failures", job, Integer.class)).isZero();
		assertThat(column("last_error", job, String.class)).isEqualTo("Predecessor %s died".formatted(first));
		assertThat(count("jobqueue_dependency")).isZero();
	}

	private static Map<UUID, @Nullable Duration> retentions(UUID job) {
		Map<UUID, @Nullable Duration> retentions = new HashMap<>();
		retentions.put(job, null);
		return retentions;
	}

	@Test
	void cancelledPredecessorCountsAsFailed() {
		UUID first = predecessor();
		UUID job = enqueueAfter(WAIT, first);
		resolve(List.of(this.operations.cancel(first, KEPT).ended().get(0).id()));
		assertThat(state(job)).isEqualTo("BLOCKED");
		assertThat(failed(job)).isTrue();
	}

	@Test
	void deletedPredecessorCountsAsFailed() {
		UUID first = predecessor();
		UUID job = enqueueAfter(WAIT, first);
		assertThat(this.operations.delete(List.of(first)).predecessors()).containsExactly(first);
		resolve(List.of(first));
		assertThat(state(job)).isEqualTo("BLOCKED");
		assertThat(failed(job)).isTrue();
	}

	@Test
	void predecessorThatIsPurgedWhileDeadCountsAsFailed() {
		UUID first = predecessor();
		UUID job = enqueueAfter(WAIT, first);
		die(first, Duration.ofMillis(1));
		this.sql.sql("UPDATE jobqueue_archive SET keep_until = now() - interval '1 second'").update();
		assertThat(this.maintenance.purge(9).jobs()).isEqualTo(1);
		resolve(List.of(first));
		assertThat(state(job)).isEqualTo("BLOCKED");
		assertThat(failed(job)).isTrue();
	}

	@Test
	void succeededPredecessorThatIsNotKeptCountsAsSucceeded() {
		UUID first = predecessor();
		UUID job = enqueueAfter(WAIT, first);
		resolve(succeed(first, Duration.ZERO).predecessors());
		assertThat(state(job)).isEqualTo("READY");
	}

	@Test
	void reapedPredecessorIsReturned() {
		UUID first = enqueue(lastAttempt("emails"));
		UUID job = enqueueAfter(WAIT, first);
		claimed(first);
		fallSilent(this.worker);
		assertThat(this.maintenance.reap(null).ended()).satisfiesExactly((ended) -> {
			assertThat(ended.id()).isEqualTo(first);
			assertThat(ended.hasSuccessors()).isTrue();
		});
		resolve(List.of(first));
		assertThat(failed(job)).isTrue();
	}

	@Test
	void cancelledJobNoLongerWaits() {
		UUID job = enqueueAfter(WAIT, predecessor());
		this.operations.cancel(job, KEPT);
		assertThat(count("jobqueue_dependency")).isZero();
		this.operations.revive(List.of(job));
		assertThat(state(job)).isEqualTo("READY");
	}

	@Test
	void releasedJobRuns() {
		UUID job = enqueueAfter(WAIT, predecessor());
		assertThat(this.operations.release(job).jobs()).containsExactly(job);
		assertThat(state(job)).isEqualTo("READY");
		assertThat(this.operations.release(job).jobs()).isEmpty();
	}

	@Test
	void rescheduledJobStillWaits() {
		UUID first = predecessor();
		NewJob ordered = keyed(new JobKeys(null, "customer", null, null), WAIT, first);
		resolve(enqueueIn(this.jobs, ordered));
		this.operations.reschedule(List.of(ordered.id()), Instant.now().plusSeconds(3600));
		assertThat(state(ordered.id())).isEqualTo("BLOCKED");
		succeedAndResolve(first);
		assertThat(state(ordered.id())).isEqualTo("SCHEDULED");
	}

	@Test
	void predecessorsOfTheSameTransactionAreMarkedInIt() {
		NewJob first = job("emails", 10);
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			transaction.jobs().enqueue(List.of(first));
			assertThat(enqueueIn(transaction.jobs(), after(WAIT, first.id()))).isEmpty();
			transaction.end(true);
		}
		assertThat(succeed(first.id(), KEPT).predecessors()).containsExactly(first.id());
	}

	@ParameterizedTest
	@EnumSource
	void onlyRunIgnoresAPredecessorThatIsDead(OnPredecessorFailure policy) {
		UUID dead = predecessor();
		die(dead, KEPT);
		NewJob job = after(policy, dead);
		assertThat(enqueueIn(this.jobs, job)).isEqualTo((policy == RUN) ? Set.of() : Set.of(dead));
		assertThat(state(job.id())).isEqualTo((policy == RUN) ? "READY" : "BLOCKED");
	}

	@Test
	void jobMayWaitForMoreThanAStatementReads() {
		List<UUID> predecessors = enqueue("emails", 5_001);
		assertThat(enqueueIn(this.jobs, after(WAIT, predecessors.toArray(UUID[]::new))))
			.containsExactlyInAnyOrderElementsOf(predecessors);
		assertThat(count("jobqueue_dependency")).isEqualTo(5_001);
	}

	@Test
	void manyDependenciesAreResolvedInSteps() {
		UUID first = predecessor();
		int jobs = DependencyStore.MAX_RESOLVED + 1;
		List<NewJob> successors = IntStream.range(0, jobs).mapToObj((index) -> after(WAIT, first)).toList();
		resolve(this.jobs.enqueue(successors).predecessors());
		Set<UUID> finished = succeed(first, KEPT).predecessors();
		assertThat(resolve(finished).more()).isTrue();
		assertThat(resolve(finished).more()).isFalse();
		assertThat(count("jobqueue_jobs WHERE state = 'READY'")).isEqualTo(jobs);
	}

	/**
	 * Claims skip a job that is locked while it is marked.
	 */
	@Test
	void markedPredecessorIsAvailable() {
		UUID first = predecessor();
		assertThat(this.dependencies.resolve(enqueueIn(this.jobs, after(WAIT, first))).available()).hasSize(1);
	}

	@Test
	void sweepFindsWhatWasNotResolved() {
		UUID first = predecessor();
		NewJob waiting = after(WAIT, first);
		enqueueIn(this.jobs, waiting);
		assertThat(this.dependencies.sweep(null, 9).predecessors()).containsExactly(first);
		resolve(List.of(first));
		assertThat(this.dependencies.sweep(null, 9).predecessors()).isEmpty();
		succeed(first, KEPT);
		assertThat(this.dependencies.sweep(null, 9).predecessors()).containsExactly(first);
		this.dependencies.resolve(List.of(first));
		assertThat(this.dependencies.sweep(null, 9).jobs()).containsExactly(waiting.id());
		this.dependencies.release(List.of(waiting.id()));
		assertThat(state(waiting.id())).isEqualTo("READY");
	}

	/**
	 * The predecessor has failed and succeeded after a retry while the transaction was
	 * open, and its end did not reach the dependency.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void sweepFindsAFailedPredecessorThatHasSucceeded(boolean kept) {
		UUID first = predecessor();
		UUID job = enqueueAfter(WAIT, first);
		dieAndResolve(first);
		this.operations.revive(List.of(first));
		succeed(first, kept ? KEPT : Duration.ZERO);
		this.sql.sql("UPDATE jobqueue_dependency SET failed = true").update();
		assertThat(this.dependencies.sweep(null, 9).predecessors()).containsExactly(first);
		resolve(List.of(first));
		assertThat(state(job)).isEqualTo("READY");
	}

	/**
	 * All nodes were down for longer than the retention, and the purge comes first.
	 */
	@Test
	void predecessorThatIsPurgedBeforeTheSweepCountsAsFailed() {
		UUID first = predecessor();
		UUID job = enqueueAfter(WAIT, first);
		this.operations.cancel(first, Duration.ofDays(1));
		this.sql.sql("UPDATE jobqueue_archive SET finished_at = now() - interval '2 days', keep_until = now()")
			.update();
		this.maintenance.purge(9);
		this.sql.sql("UPDATE jobqueue_unarchived SET removed_at = removed_at - interval '25 hours'").update();
		this.maintenance.purge(9);
		resolve(this.dependencies.sweep(null, 9).predecessors());
		assertThat(state(job)).isEqualTo("BLOCKED");
		assertThat(failed(job)).isTrue();
	}

	@Test
	void jobsThatAreGoneDoNotFailAgain() {
		UUID first = predecessor();
		UUID job = enqueueAfter(FAIL, first);
		this.sql.sql("DELETE FROM jobqueue_job WHERE id = ?").param(job).update();
		assertThat(resolve(die(first, KEPT).predecessors()).failing()).isEmpty();
	}

	@Test
	void onlyJobsThatWaitForAFailedPredecessorAreCounted() {
		UUID first = predecessor();
		enqueueAfter(RUN, first, predecessor());
		UUID job = enqueueAfter(WAIT, first, predecessor());
		dieAndResolve(first);
		assertThat(this.stores.monitoring().waitingForFailed()).isEqualTo(1);
		assertThat(this.stores.monitoring().unresolved().waiting()).containsExactly(Map.entry("emails", 1L));
		assertThat(this.stores.search().find(job).details().failedPredecessors()).containsExactly(first);
	}

	@Test
	void sweepForgetsJobsThatAreGone() {
		UUID job = enqueueAfter(WAIT, predecessor());
		this.sql.sql("DELETE FROM jobqueue_job WHERE id = ?").param(job).update();
		this.dependencies.sweep(null, 9);
		assertThat(count("jobqueue_dependency")).isZero();
	}

	@Test
	void sweepContinuesAfterThePositionOfTheLast() {
		UUID first = predecessor();
		enqueueAfter(WAIT, first);
		enqueueAfter(WAIT, first);
		DependencyStore.Sweep one = this.dependencies.sweep(null, 1);
		assertThat(one.last()).isNotNull();
		DependencyStore.Sweep two = this.dependencies.sweep(one.last(), 2);
		assertThat(two.last()).isNull();
	}

	@Test
	void tracesOfUnarchivedFailuresAreDeletedAfterADay() {
		die(predecessor(), Duration.ZERO);
		this.maintenance.purge(9);
		assertThat(count("jobqueue_unarchived")).isEqualTo(1);
		this.sql.sql("UPDATE jobqueue_unarchived SET removed_at = removed_at - interval '25 hours'").update();
		this.maintenance.purge(9);
		assertThat(count("jobqueue_unarchived")).isZero();
	}

}
