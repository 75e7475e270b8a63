package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;

import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobState;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.OperationStore.CancelResult;
import io.jobqueue.internal.store.OperationStore.JobLocation;
import io.jobqueue.internal.store.Outcome.Snoozed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * A job with a cancel request ends, whichever worker has it and whatever its outcome is.
 */
class CancelTests extends KeyTestBase {

	private final OperationStore operations = this.stores.operations();

	static Stream<NewJobs> waiting() {
		return Stream.of((test) -> test.job("emails", 10), (test) -> test.job("emails", "mail", 10, null, LONG, null),
				(test) -> test.job("emails", "mail", 10, Instant.now().plus(LONG), Duration.ZERO, null));
	}

	@ParameterizedTest
	@MethodSource
	void waiting(NewJobs jobs) {
		UUID job = enqueue(jobs.of(this));
		CancelResult cancellation = cancel(job);
		assertThat(cancellation.ended()).extracting(EndedJob::id, EndedJob::state)
			.containsExactly(tuple(job, JobState.CANCELLED));
		assertCancelled(job);
		assertThat(column("extract(epoch FROM keep_until - finished_at)", job)).isEqualTo("86400.000000");
	}

	@Test
	void retryingJobIsCancelled() {
		this.holder = worker();
		enqueue("emails", 1);
		ClaimedJob job = claimOne(this.holder);
		recordOutcomes(this.holder, Outcomes.retried(job, LONG));
		assertThat(cancel(job.id()).ended()).hasSize(1);
		assertCancelled(job.id());
		assertThat(column("last_error", job.id())).isEqualTo("refused");
	}

	@Test
	void isNotKeptWhereCancelledJobsAreNot() {
		UUID job = enqueue(job("emails", 10));
		assertThat(this.operations.cancel(job, Duration.ZERO).ended()).hasSize(1);
		assertThat(count("jobqueue_jobs")).isZero();
		assertThat(this.operations.find(job)).isNull();
	}

	@Test
	void isKeptForEverByDefault() {
		UUID job = enqueue(job("emails", 10));
		this.operations.cancel(job, null);
		assertThat(count("jobqueue_archive WHERE keep_until IS NULL")).isEqualTo(1);
	}

	@Test
	void isFound() {
		UUID job = enqueue(job("emails", 10));
		assertThat(this.operations.find(job)).isEqualTo(new JobLocation("emails", false));
		cancel(job);
		assertThat(this.operations.find(job)).isEqualTo(new JobLocation("emails", true));
		assertThat(cancel(job)).isEqualTo(new CancelResult(Set.of(), List.of(), List.of()));
	}

	@Test
	void freesItsKey() {
		UUID job = addOld(LONG, LONG).id();
		cancel(job);
		assertThat(count("jobqueue_key") + count("jobqueue_dedupe")).isZero();
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.ADDED);
	}

	@Test
	void followUpOfACancelledJobRuns() {
		ClaimedJob first = addAndRun(null);
		UUID followUp = again(OnDuplicate.REQUEUE).id();
		cancel(first.id());
		CompletionResult written = this.jobs.recordOutcomes(this.holder, List.of(Outcomes.retried(first, LONG)),
				List.of(), CompletionEffects.NONE);
		assertThat(written.available()).hasSize(1);
		assertThat(claimOne(this.holder).id()).isEqualTo(followUp);
	}

	/**
	 * The key is still that of the job that it would have followed.
	 */
	@Test
	void followUpIsCancelled() {
		ClaimedJob first = addAndRun(null);
		UUID followUp = again(OnDuplicate.REQUEUE).id();
		assertThat(cancel(followUp).ended()).hasSize(1);
		assertThat(column("state", followUp)).isEqualTo("CANCELLED");
		assertThat(again(OnDuplicate.KEEP).id()).isEqualTo(first.id());
		UUID next = again(OnDuplicate.REQUEUE).id();
		succeed(first);
		assertThat(claimOne(this.holder).id()).isEqualTo(next);
	}

	@Test
	void successBeatsTheRequest() {
		ClaimedJob job = runAndCancel();
		CompletionResult written = this.jobs.recordOutcomes(this.holder, List.of(Outcomes.completed(job)),
				List.of(job.claim()), CompletionEffects.NONE);
		assertThat(written.cancelled()).isEmpty();
		assertThat(column("state", job.id())).isEqualTo("SUCCEEDED");
	}

	static Stream<Ending> endings() {
		return Stream.of((job) -> Outcomes.retried(job, Duration.ZERO), Outcomes::dead, Outcomes::released,
				(job) -> new Snoozed(job.id(), job.claim(), LONG),
				(job) -> new io.jobqueue.internal.store.Outcome.Cancelled(job.id(), job.claim(), "ended"));
	}

	@ParameterizedTest
	@MethodSource("endings")
	void anyOtherOutcomeIsCancelled(Ending ending) {
		ClaimedJob job = runAndCancel();
		CompletionResult written = this.jobs.recordOutcomes(this.holder, List.of(ending.of(job)), List.of(job.claim()),
				CompletionEffects.NONE);
		assertThat(written.jobs()).containsExactly(job.id());
		assertThat(written.cancelled()).containsExactly(job.id());
		assertThat(written.available()).isEmpty();
		assertCancelled(job.id());
		assertThat(column("extract(epoch FROM keep_until - finished_at)", job.id())).isEqualTo("86400.000000");
		assertThat(count("jobqueue_claim")).isZero();
	}

	/**
	 * No reaper finds the job while it waits.
	 */
	@ParameterizedTest
	@MethodSource("endings")
	void outcomeAndCancellationAreWrittenTogether(Ending ending) {
		ClaimedJob job = runAndCancel();
		this.sql.sql("ALTER TABLE jobqueue_archive ADD CONSTRAINT audit CHECK (state <> 'CANCELLED')").update();
		try {
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> recordOutcomes(this.holder, ending.of(job)));
		}
		finally {
			this.sql.sql("ALTER TABLE jobqueue_archive DROP CONSTRAINT audit").update();
		}
		assertThat(column("state", job.id())).isEqualTo("RUNNING");
	}

	@ParameterizedTest
	@MethodSource("endings")
	void workerThatHasLostItsClaimLeavesTheJobToTheReaper(Ending ending) {
		ClaimedJob lost = runAndCancel();
		this.jobs.release(this.holder, List.of(lost.claim()));
		assertThat(recordOutcomes(this.holder, ending.of(lost))).isEmpty();
		assertThat(this.maintenance.reap(null).cancellable()).isTrue();
		assertThat(cancelUnclaimed()).containsExactly(lost.id());
	}

	@ParameterizedTest
	@MethodSource("endings")
	void workerThatHasLostItsClaimCancelsNothing(Ending ending) {
		ClaimedJob lost = runAndCancel();
		this.sql.sql("UPDATE jobqueue_job SET claim = claim + 1").update();
		assertThat(recordOutcomes(this.holder, ending.of(lost))).isEmpty();
		assertThat(column("state", lost.id())).isEqualTo("RUNNING");
	}

	@Test
	void workerReadsCancelRequestsWithItsHeartbeat() {
		ClaimedJob job = runAndCancel();
		enqueue("emails", 1);
		claimOne(this.holder);
		assertThat(checkIn(this.holder)).containsExactly(job.id());
		assertThat(checkIn(UUID.randomUUID())).isEmpty();
		recordOutcomes(this.holder, Outcomes.completed(job));
		assertThat(checkIn(this.holder)).isEmpty();
	}

	@Test
	void reaperCancelsJobsOfALostWorker() {
		ClaimedJob job = runAndCancel();
		fallSilent(this.holder);
		assertThat(this.maintenance.reap(null).ended()).extracting(EndedJob::id, EndedJob::state)
			.containsExactly(tuple(job.id(), JobState.CANCELLED));
		assertCancelled(job.id());
		assertThat(column("last_error", job.id())).startsWith("Lost: worker");
		assertThat(count("jobqueue_claim")).isZero();
	}

	@Test
	void reaperCancelsJobsOnTheirLastAttempt() {
		enqueue(lastAttempt("emails"));
		this.holder = worker();
		ClaimedJob job = claimOne(this.holder);
		cancel(job.id());
		endLease(job.id());
		this.maintenance.reap(null);
		assertCancelled(job.id());
	}

	/**
	 * As if the worker that gave it back had died before it could be cancelled.
	 */
	@Test
	void releasedJobIsNotClaimedAndLeftToTheReaper() {
		ClaimedJob job = runAndCancel();
		this.jobs.release(this.holder, List.of(job.claim()));
		assertThat(column("state", job.id())).isEqualTo("READY");
		assertThat(claim(this.holder, request("emails", 9))).isEmpty();
		assertThat(cancelUnclaimed()).containsExactly(job.id());
		assertCancelled(job.id());
		assertThat(this.maintenance.reap(null).cancellable()).isFalse();
	}

	@Test
	void requestWithItsKeyMeanwhileTakesItForRunning() {
		ClaimedJob job = addAndRun(null);
		cancel(job.id());
		this.jobs.release(this.holder, List.of(job.claim()));
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.ALREADY_RUNNING);
		assertThat(again(OnDuplicate.UPDATE).outcome()).isEqualTo(Outcome.ALREADY_RUNNING);
		UUID followUp = again(OnDuplicate.REQUEUE).id();
		assertThat(cancelUnclaimed()).containsExactly(job.id());
		assertThat(claimOne(this.holder).id()).isEqualTo(followUp);
	}

	@Test
	void atMostOnce() {
		this.holder = worker();
		enqueue("emails", 1);
		ClaimedJob job = claim(this.holder, request().onceTypes("mail").build()).get(0);
		cancel(job.id());
		fallSilent(this.holder);
		this.maintenance.reap(null);
		assertCancelled(job.id());
	}

	@Test
	@Tag("slow") // waits for a lock time-out of 5 s
	void doesNotWaitForEverForALockedJob() {
		UUID job = addOld(LONG, null).id();
		inTransaction(() -> {
			again(OnDuplicate.UPDATE);
			assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(() -> cancel(job));
			return "";
		});
		assertThat(column("state", job)).isEqualTo("READY");
		assertThat(count("jobqueue_job WHERE cancel_requested")).isZero();
	}

	private ClaimedJob runAndCancel() {
		enqueue("emails", 1);
		ClaimedJob job = run();
		CancelResult cancellation = cancel(job.id());
		assertThat(cancellation.running()).containsExactly(job.id());
		assertThat(cancellation.ended()).isEmpty();
		return job;
	}

	private Set<UUID> checkIn(UUID worker) {
		return this.workers.checkIn(new WorkerBuilder(worker).build(), false).cancels();
	}

	private void assertCancelled(UUID job) {
		assertThat(column("state", job)).isEqualTo("CANCELLED");
		assertThat(count("jobqueue_job")).isZero();
	}

	private String column(String column, UUID job) {
		String table = column.contains("keep_until") ? "jobqueue_archive" : "jobqueue_jobs";
		return this.sql.sql("SELECT %s FROM %s WHERE id = ?".formatted(column, table))
			.param(job)
			.query(String.class)
			.single();
	}

	@FunctionalInterface
	interface NewJobs {

		NewJob of(StoreTestBase test);

	}

	@FunctionalInterface
	interface Ending {

		io.jobqueue.internal.store.Outcome of(ClaimedJob job);

	}

}
