package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

import io.jobqueue.JobReceipt;
import io.jobqueue.OnDuplicate;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.JobStore.NewJobRequest;
import io.jobqueue.internal.store.MaintenanceStore.CancelResult;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys;
import io.jobqueue.internal.store.NewJob.JobKeys.UniqueKey;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Outcome.Snoozed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that end because they have not begun in time.
 */
class ExpiryTests extends KeyTestBase {

	private static final Duration EXPIRY = Duration.ofMinutes(5);

	/**
	 * Outcomes after which a job waits again, although it has begun.
	 */
	static final List<Function<ClaimedJob, Outcome>> WAITING_AGAIN = List.of(
			(job) -> Outcomes.retried(job, Duration.ZERO), (job) -> Outcomes.failedAsExpected(job, Duration.ZERO),
			(job) -> new Snoozed(job.id(), job.claim(), Duration.ZERO),
			(job) -> new Released(job.id(), job.claim(), true));

	static final List<JobKeys> ONE_AT_A_TIME = List.of(ordered(), new JobKeys(null, null, "tenant", null));

	private static NewJob expiring(JobKeys keys, Duration delay, @Nullable Duration expiry, UUID... predecessors) {
		return new NewJobBuilder().payload(OLD)
			.delay(delay)
			.expiresAfter(expiry)
			.keys(keys)
			.after(OnPredecessorFailure.WAIT, predecessors)
			.build();
	}

	private static NewJob expiring() {
		return expiring(JobKeys.NONE, Duration.ZERO, EXPIRY);
	}

	private static JobKeys unique(OnDuplicate onDuplicate) {
		return new JobKeys(new UniqueKey("signup-42", onDuplicate, null), null, null, null);
	}

	private static JobKeys ordered() {
		return new JobKeys(null, "customer", null, null);
	}

	private UUID expired(NewJob job) {
		add(job);
		expire(job.id());
		return job.id();
	}

	private void expire(UUID job) {
		this.sql.sql("UPDATE jobqueue_job SET expires_at = statement_timestamp() - interval '1 second' WHERE id = ?")
			.param(job)
			.update();
	}

	private @Nullable Instant expiresAt(UUID job) {
		return Objects.requireNonNull(this.stores.search().find(job)).details().expiresAt();
	}

	private CancelResult sweep() {
		return this.maintenance.cancel(this.maintenance.findCancellable(100)
			.keySet()
			.stream()
			.collect(Collectors.toMap((job) -> job, (job) -> Duration.ofDays(1))));
	}

	private List<UUID> swept() {
		return sweep().ended().stream().map(EndedJob::id).toList();
	}

	@ParameterizedTest
	@CsvSource({ "PT0S,false", "PT1H,false", "PT0S,true", "PT1H,true" })
	void expiryCountsFromTheRunTime(Duration delay, boolean keyed) {
		NewJob job = expiring(keyed ? unique(OnDuplicate.KEEP) : JobKeys.NONE, delay, EXPIRY);
		NewJob lasting = expiring(JobKeys.NONE, delay, null);
		this.jobs.enqueue(List.of(job, lasting));
		assertThat(expiresAt(job.id()))
			.isEqualTo(column("created_at", job.id(), Instant.class).plus(delay).plus(EXPIRY));
		assertThat(expiresAt(lasting.id())).isNull();
	}

	@Test
	void runTimeInThePastIsNow() {
		NewJob job = new NewJobBuilder().runAt(Instant.EPOCH).expiresAfter(EXPIRY).build();
		add(job);
		assertThat(expiresAt(job.id())).isEqualTo(column("created_at", job.id(), Instant.class).plus(EXPIRY));
	}

	@Test
	void expiredJobIsCancelledWithTheReason() {
		UUID job = expired(expiring());
		UUID other = add(expiring()).id();
		Instant expiredAt = expiresAt(job);
		assertThat(this.maintenance.findCancellable(9)).isEqualTo(Map.of(job, "emails"));
		assertThat(swept()).containsExactly(job);
		assertThat(column("state", job, String.class)).isEqualTo("CANCELLED");
		assertThat(column("last_error", job, String.class)).startsWith("Not begun in time: expired at 2")
			.endsWith("Z")
			.contains(String.valueOf(expiredAt).substring(0, 23));
		assertThat(column("attempts", job, Integer.class)).isZero();
		assertThat(expiresAt(job)).isEqualTo(expiredAt);
		assertThat(count("jobqueue_archive WHERE keep_until - finished_at = interval '1 day'")).isOne();
		assertThat(column("state", other, String.class)).isEqualTo("READY");
	}

	@Test
	void logOfTheReaperNamesExpiryUnlessTheCancellationWasRequested() {
		UUID job = expired(expiring());
		UUID requested = expired(expiring());
		this.sql.sql("UPDATE jobqueue_job SET cancel_requested = true WHERE id = ?").param(requested).update();
		try (CapturedLog log = new CapturedLog()) {
			reaper(new JobSignals()).cancelUnclaimed();
			assertThat(log.messages(job.toString())).singleElement()
				.asString()
				.endsWith("] is cancelled: it has expired before it began");
			assertThat(log.messages(requested.toString())).singleElement().asString().endsWith("] is cancelled");
		}
	}

	@Test
	void expiredJobIsNotClaimed() {
		UUID job = expired(expiring());
		assertNotClaimed(job);
		this.sql.sql("UPDATE jobqueue_job SET expires_at = NULL").update();
		assertThat(claimOne(worker()).id()).isEqualTo(job);
	}

	@Test
	void expiredJobWithAKeyIsNotClaimed() {
		UUID pending = expired(expiring(ordered(), Duration.ZERO, EXPIRY));
		assertThat(this.jobs.admit("emails", AdmissionRules.NONE).admitted()).isEmpty();
		assertNotClaimed(pending);
		this.sql.sql("UPDATE jobqueue_job SET run_at = due_at, due_at = NULL, admission = NULL").update();
		assertNotClaimed(pending);
		this.sql.sql("UPDATE jobqueue_job SET expires_at = NULL").update();
		assertThat(claimOne(worker()).id()).isEqualTo(pending);
	}

	private void assertNotClaimed(UUID job) {
		UUID worker = worker();
		assertThat(claim(worker, request("emails", 9))).isEmpty();
		NewJobRequest alone = new ClaimRequestBuilder(1_000).buildFor(job);
		assertThat(this.jobs.claimNew(worker, alone).jobs()).isEmpty();
		assertThat(this.jobs.claimOne(worker, job, request("emails", 1), null).claimed().jobs()).isEmpty();
		assertThat(this.jobs.claimOne(worker, job, request("emails", 1), AdmissionRules.NONE).claimed().jobs())
			.isEmpty();
	}

	@Test
	void expiredJobTakesNoSlot() {
		JobKeys limited = new JobKeys(null, null, "tenant", null);
		expired(expiring(limited, Duration.ZERO, EXPIRY));
		UUID next = add(expiring(limited, Duration.ZERO, null)).id();
		AdmissionRules oneSlot = new AdmissionRules(1, false);
		assertThat(this.jobs.admit("emails", oneSlot).admitted()).hasSize(1);
		assertThat(claimOne(worker()).id()).isEqualTo(next);
	}

	@Test
	void jobThatHasBegunDoesNotExpire() {
		UUID job = add(expiring()).id();
		ClaimedJob running = run();
		expire(job);
		assertThat(this.maintenance.findCancellable(9)).isEmpty();
		assertThat(this.maintenance.cancel(Map.of(job, EXPIRY)).ended()).isEmpty();
		succeed(running);
		assertThat(count("jobqueue_job")).isZero();
	}

	@ParameterizedTest
	@FieldSource("WAITING_AGAIN")
	void jobThatWaitsAgainDoesNotExpire(Function<ClaimedJob, Outcome> outcome) {
		UUID job = add(expiring()).id();
		end(outcome.apply(run()));
		assertThat(expiresAt(job)).isNull();
		assertThat(column("state", job, String.class)).isIn("READY", "RETRYING");
	}

	@Test
	void jobOfALostWorkerDoesNotExpire() {
		UUID job = add(expiring()).id();
		run();
		fallSilent(this.holder);
		this.maintenance.reap(null);
		assertThat(column("state", job, String.class)).isEqualTo("READY");
		assertThat(expiresAt(job)).isNull();
	}

	@Test
	void jobReleasedBeforeItBeganExpires() {
		UUID job = add(expiring()).id();
		end(Outcomes.released(run()));
		long claim = run().claim();
		this.jobs.release(this.holder, List.of(claim));
		expire(job);
		assertThat(swept()).containsExactly(job);
	}

	@Test
	void keysOfAnExpiredJobAreFree() {
		UUID job = add(expiring(new JobKeys(new UniqueKey("signup-42", OnDuplicate.KEEP, LONG), "customer", null, null),
				Duration.ZERO, EXPIRY))
			.id();
		UUID next = add(expiring(ordered(), Duration.ZERO, null)).id();
		this.jobs.admit("emails", AdmissionRules.NONE);
		assertThat(column("state", next, String.class)).isEqualTo("BLOCKED");
		expire(job);
		assertThat(sweep().available()).hasSize(1);
		assertThat(count("jobqueue_key")).isZero();
		assertThat(count("jobqueue_dedupe")).isZero();
		this.jobs.admit("emails", AdmissionRules.NONE);
		assertThat(claimOne(worker()).id()).isEqualTo(next);
	}

	/**
	 * While jobs arrive faster than they run, the next one of a key has often expired.
	 */
	@ParameterizedTest
	@FieldSource("ONE_AT_A_TIME")
	void jobBehindAnExpiredOneRunsBeforeItsCancellation(JobKeys keys) {
		AdmissionRules oneSlot = new AdmissionRules(1, false);
		add(expiring(keys, Duration.ZERO, null));
		UUID expiring = add(expiring(keys, Duration.ZERO, EXPIRY)).id();
		UUID next = add(expiring(keys, Duration.ZERO, null)).id();
		this.jobs.admit("emails", oneSlot);
		ClaimedJob first = run();
		expire(expiring);
		this.jobs.recordOutcomes(this.holder, List.of(succeeded(first)), List.of(first.claim()),
				new CompletionEffects(List.of(), List.of(Objects.requireNonNull(first.heldKeys()))));
		this.jobs.admit("emails", oneSlot);
		assertThat(claimOne(this.holder).id()).isEqualTo(next);
		assertThat(swept()).containsExactly(expiring);
	}

	/**
	 * A job that was admitted and has expired since then loses its turn.
	 */
	@Test
	void jobBehindAnAdmittedExpiredOneRunsBeforeItsCancellation() {
		UUID admitted = add(expiring(ordered(), Duration.ZERO, EXPIRY)).id();
		this.jobs.admit("emails", AdmissionRules.NONE);
		expire(admitted);
		UUID next = add(expiring(ordered(), Duration.ZERO, null)).id();
		this.jobs.admit("emails", AdmissionRules.NONE);
		assertThat(claimOne(worker()).id()).isEqualTo(next);
	}

	@Test
	void blockedJobsExpire() {
		UUID first = add(expiring(JobKeys.NONE, LONG, null)).id();
		UUID successor = expired(expiring(JobKeys.NONE, Duration.ZERO, EXPIRY, first));
		ClaimedJob running = addAndRun(null);
		UUID followUp = expired(expiring(unique(OnDuplicate.REQUEUE), Duration.ZERO, EXPIRY));
		assertThat(swept()).containsExactlyInAnyOrder(successor, followUp);
		assertThat(count("jobqueue_dependency")).isZero();
		succeed(running);
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(JobReceipt.Outcome.ADDED);
	}

	@Test
	void predecessorsOfOthersAreReported() {
		UUID job = add(expiring()).id();
		add(expiring(JobKeys.NONE, Duration.ZERO, null, job));
		this.stores.dependencies().resolve(List.of(job));
		expire(job);
		assertThat(EndedJob.predecessors(sweep().ended())).containsExactly(job);
	}

	@ParameterizedTest
	@EnumSource
	void duplicateOfAnExpiredJobReplacesIt(OnDuplicate onDuplicate) {
		UUID job = expired(expiring(unique(OnDuplicate.KEEP), Duration.ZERO, EXPIRY));
		JobReceipt receipt = again(onDuplicate);
		assertThat(receipt).isEqualTo(new JobReceipt(job, JobReceipt.Outcome.UPDATED));
		assertThat(column("payload", job, String.class)).isEqualTo(NEW);
		assertThat(expiresAt(job)).isNull();
	}

	/**
	 * The sweep may be about to end it.
	 */
	@ParameterizedTest
	@EnumSource
	void duplicateOfAnExpiredJobThatIsLockedFollowsIt(OnDuplicate onDuplicate) throws SQLException {
		UUID job = expired(expiring(unique(OnDuplicate.KEEP), Duration.ZERO, EXPIRY));
		JobReceipt receipt;
		try (Connection other = this.database.directDataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("SELECT id FROM jobqueue_job FOR UPDATE");
			receipt = again(onDuplicate);
			other.rollback();
		}
		assertThat(receipt.outcome()).isEqualTo(JobReceipt.Outcome.REQUEUED);
		assertThat(swept()).containsExactly(job);
		assertThat(column("payload", receipt.id(), String.class)).isEqualTo(NEW);
	}

	@Test
	void duplicateIsWantedIfTheJobAndItsFollowUpHaveExpired() {
		UUID job = add(expiring(unique(OnDuplicate.KEEP), Duration.ZERO, EXPIRY)).id();
		ClaimedJob running = run();
		UUID followUp = expired(expiring(unique(OnDuplicate.REQUEUE), Duration.ZERO, EXPIRY));
		end(Outcomes.released(running));
		expire(job);
		assertThat(again(OnDuplicate.KEEP)).isEqualTo(new JobReceipt(followUp, JobReceipt.Outcome.UPDATED));
		assertThat(swept()).containsExactly(job);
	}

	@Test
	void duplicateOfABlockedExpiredJobReplacesIt() {
		UUID first = add(expiring(JobKeys.NONE, LONG, null)).id();
		UUID job = expired(expiring(unique(OnDuplicate.KEEP), Duration.ZERO, EXPIRY, first));
		assertThat(again(OnDuplicate.KEEP)).isEqualTo(new JobReceipt(job, JobReceipt.Outcome.UPDATED));
		assertThat(expiresAt(job)).isNull();
	}

	@Test
	void expiredFollowUpDoesNotMakeADuplicateWanted() {
		addAndRun(null);
		UUID followUp = expired(expiring(unique(OnDuplicate.REQUEUE), Duration.ZERO, EXPIRY));
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(JobReceipt.Outcome.ALREADY_RUNNING);
		assertThat(column("payload", followUp, String.class)).isEqualTo(OLD);
	}

	@Test
	void updateTakesTheExpiryOfItsRequest() {
		UUID job = add(expiring(unique(OnDuplicate.KEEP), Duration.ZERO, null)).id();
		add(expiring(unique(OnDuplicate.KEEP), Duration.ZERO, EXPIRY));
		assertThat(expiresAt(job)).isNull();
		add(expiring(unique(OnDuplicate.UPDATE), LONG, EXPIRY));
		assertThat(expiresAt(job)).isEqualTo(column("run_at", job, Instant.class).plus(EXPIRY));
	}

	@Test
	void retriedJobNoLongerExpires() {
		UUID job = expired(expiring());
		sweep();
		assertThat(this.stores.operations().revive(List.of(job)).jobs()).containsExactly(job);
		assertThat(expiresAt(job)).isNull();
		assertThat(claimOne(worker()).id()).isEqualTo(job);
	}

	@Test
	void retryOfAWaitingJobRemovesTheExpiry() {
		UUID job = add(expiring()).id();
		this.sql.sql("UPDATE jobqueue_job SET attempts = 1").update();
		this.stores.operations().retry(List.of(job));
		assertThat(expiresAt(job)).isNull();
	}

	@Test
	void expiryMovesWithTheRunTime() {
		UUID job = expired(expiring());
		this.stores.operations().reschedule(List.of(job), Instant.now().plus(LONG));
		assertThat(expiresAt(job)).isAfter(Instant.now().plus(Duration.ofMinutes(50)));
		assertThat(swept()).isEmpty();
	}

	@Test
	void expiredJobThatIsDueIsRescheduledToNow() {
		UUID job = add(expiring()).id();
		this.sql.sql(
				"UPDATE jobqueue_job SET run_at = run_at - interval '1 hour', expires_at = expires_at - interval '1 hour'")
			.update();
		this.stores.operations().reschedule(List.of(job), Instant.EPOCH);
		assertThat(expiresAt(job)).isEqualTo(column("run_at", job, Instant.class).plus(EXPIRY));
		assertThat(claimOne(worker()).id()).isEqualTo(job);
	}

	@Test
	void jobThatTheDatabaseRefusesDoesNotBlockOthers() {
		UUID refused = expired(expiring());
		UUID job = expired(expiring());
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload)
					VALUES (?, 1, now(), now(), now(), 1, 0, 10, 'SUCCEEDED', 'emails', 'mail', '{}')
					""")
			.param(refused)
			.update();
		try (CapturedLog log = new CapturedLog()) {
			assertThat(swept()).containsExactly(job);
			assertThat(log.messages()).singleElement()
				.asString()
				.startsWith("The reaper could not cancel job %s; will retry: ".formatted(refused));
			assertThat(swept()).isEmpty();
		}
		assertThat(count("jobqueue_job")).isOne();
	}

	@Test
	void uncommittedClaimIsNotCancelled() throws SQLException {
		UUID job = add(expiring()).id();
		run();
		try (Connection other = this.database.directDataSource().getConnection();
				Statement statement = other.createStatement()) {
			this.sql.sql("UPDATE jobqueue_job SET locked_by = NULL, claim = NULL").update();
			expire(job);
			other.setAutoCommit(false);
			statement.execute("UPDATE jobqueue_job SET locked_by = gen_random_uuid(), claim = 1");
			assertThat(swept()).isEmpty();
			other.commit();
			assertThat(swept()).isEmpty();
		}
		assertThat(column("state", job, String.class)).isEqualTo("RUNNING");
	}

	/**
	 * A worker claims from the first on, and the last ones expire first.
	 */
	@Test
	void eachJobHasOneEnd() {
		List<UUID> all = this.jobs.enqueue(Stream.generate(ExpiryTests::expiring).limit(200).toList())
			.receipts()
			.stream()
			.map(JobReceipt::id)
			.toList();
		this.sql
			.sql("""
					UPDATE jobqueue_job j SET expires_at = CASE WHEN n.place > 199 THEN statement_timestamp() + interval '1 hour'
					    ELSE statement_timestamp() + (n.place - 2) * interval '1 millisecond' END
					FROM (SELECT id, row_number() OVER (ORDER BY seq DESC) AS place FROM jobqueue_job) n
					WHERE j.id = n.id
					""")
			.update();
		this.holder = worker();
		CompletableFuture<List<UUID>> claimed = untilNoJobIsLeft(this::claimTwo);
		CompletableFuture<List<UUID>> swept = untilNoJobIsLeft(this::swept);
		assertThat(claimed.join()).contains(all.get(0)).doesNotContainAnyElementsOf(swept.join());
		assertThat(swept.join()).contains(all.get(199));
		assertThat(Stream.of(claimed, swept).flatMap((ids) -> ids.join().stream()))
			.containsExactlyInAnyOrderElementsOf(all);
		assertThat(count("jobqueue_archive WHERE state = 'CANCELLED'")).isEqualTo(swept.join().size());
	}

	private List<UUID> claimTwo() {
		List<ClaimedJob> jobs = claim(this.holder, request("emails", 2));
		recordOutcomes(this.holder, jobs.stream().map(Outcomes::completed).toArray(Outcome[]::new));
		return jobs.stream().map(ClaimedJob::id).toList();
	}

	private CompletableFuture<List<UUID>> untilNoJobIsLeft(Supplier<List<UUID>> step) {
		return CompletableFuture.supplyAsync(() -> {
			List<UUID> all = new ArrayList<>();
			while (count("jobqueue_job") > 0) {
				all.addAll(step.get());
			}
			return all;
		});
	}

}
