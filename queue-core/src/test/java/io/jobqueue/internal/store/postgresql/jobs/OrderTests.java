package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.AdmissionResult;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.MaintenanceStore.KeyPass;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.ObstacleStore.BlockedBy;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Snoozed;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs with an ordering key run one at a time, in the order in which they were enqueued.
 */
class OrderTests extends AdmissionTestBase {

	private static final AdmissionRules HOLD = new AdmissionRules(null, true);

	private UUID worker = UUID.randomUUID();

	@BeforeEach
	void join() {
		this.worker = worker();
	}

	@Test
	void firstOfEachKeyIsAdmitted() {
		UUID first = ordered("a");
		UUID second = ordered("a");
		UUID other = ordered("b");
		assertThat(claim(this.worker, request("emails", 9))).isEmpty();
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactlyInAnyOrder(first, other);
		assertThat(state(first)).isEqualTo("RUNNING");
		assertThat(state(second)).isEqualTo("BLOCKED");
	}

	@Test
	void nextIsAdmittedWhenTheFirstHasSucceeded() {
		ordered("a");
		UUID second = ordered("a");
		ClaimedJob running = runOne(this.worker, AdmissionRules.NONE);
		assertThat(run(this.worker, AdmissionRules.NONE)).isEmpty();
		assertThat(pendingAdmission(succeed(this.worker, running))).containsExactly(true);
		assertThat(state(second)).isEqualTo("READY");
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(second);
	}

	@Test
	void admittedJobsAreReturnedWithTheirPlaces() {
		enqueue(keyed("a", null, 30, Duration.ZERO));
		ordered("b");
		ordered("b");
		ordered("c");
		AdmissionResult admission = admit();
		assertThat(admission.admitted()).extracting(JobsAvailable::tier)
			.containsExactly(new Tier("emails", 10), new Tier("emails", 30));
		assertThat(admission.admitted()).allMatch((arrival) -> arrival.dueIn().isZero() && !arrival.pendingAdmission());
		assertThat(admission.nextDueIn()).isNull();
		List<ClaimedJob> claimed = claim(this.worker, request("emails", 9));
		assertThat(admission.admitted()).extracting(JobsAvailable::position)
			.containsExactly(
					claimed.stream()
						.filter((job) -> "b".equals(job.orderingKey()))
						.findFirst()
						.orElseThrow()
						.position(),
					claimed.stream()
						.filter((job) -> "a".equals(job.orderingKey()))
						.findFirst()
						.orElseThrow()
						.position());
	}

	/**
	 * As after a restore without the sequence. Their ids decide, in their first turn, in
	 * a retry, and when a lost turn is found.
	 */
	@Test
	void jobsWithTheSameNumberRunOneAtATime() {
		IntStream.range(0, 4).forEach((number) -> {
			this.sql.sql("ALTER TABLE jobqueue_job ALTER COLUMN seq RESTART").update();
			enqueue(keyed("a", "slot"));
		});
		List<UUID> jobs = this.sql.sql("SELECT id FROM jobqueue_job ORDER BY id").query(UUID.class).list();
		assertThat(jobs).extracting(this.stores.obstacles()::blockedBy)
			.containsExactly(BlockedBy.SLOT, BlockedBy.ORDER, BlockedBy.ORDER, BlockedBy.ORDER);
		ClaimedJob first = runOne(this.worker, AdmissionRules.NONE);
		assertThat(first.id()).isEqualTo(jobs.get(0));
		later(this.worker, first, LONG);
		assertThat(run(this.worker, AdmissionRules.NONE)).isEmpty();
		makeDue(first.id());
		succeed(this.worker, runOne(this.worker, AdmissionRules.NONE));
		ClaimedJob second = runOne(this.worker, AdmissionRules.NONE);
		assertThat(second.id()).isEqualTo(jobs.get(1));
		recordOutcomes(this.worker, Outcomes.completed(second));
		assertThat(this.maintenance.sweepTurns(null, 9).reconsidered()).hasSize(1);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(jobs.get(2));
	}

	@Test
	void retryHoldsBackItsOwnKeyOnly() {
		UUID first = ordered("a");
		UUID second = ordered("a");
		ClaimedJob failed = runOne(this.worker, AdmissionRules.NONE);
		UUID other = ordered("b");
		later(this.worker, failed, LONG);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(other);
		assertThat(state(first)).isEqualTo("RETRYING");
		assertThat(state(second)).isEqualTo("BLOCKED");
		makeDue(first);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(first);
	}

	@Test
	void snoozeHoldsBackItsKey() {
		UUID first = ordered("a");
		ordered("a");
		ClaimedJob snoozing = runOne(this.worker, AdmissionRules.NONE);
		assertThat(end(this.worker, List.of(snoozing), new Snoozed(snoozing.id(), snoozing.claim(), LONG)).available())
			.extracting(JobsAvailable::dueIn)
			.contains(LONG);
		assertThat(run(this.worker, AdmissionRules.NONE)).isEmpty();
		assertThat(state(first)).isEqualTo("SCHEDULED");
		makeDue(first);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(first);
		assertThat(column("attempts", first, Integer.class)).isEqualTo(1);
	}

	@Test
	void releasedJobIsStillNext() {
		UUID first = ordered("a");
		ordered("a");
		ClaimedJob running = runOne(this.worker, AdmissionRules.NONE);
		recordOutcomes(this.worker, Outcomes.released(running));
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(first);
	}

	@Test
	void scheduledHeadHoldsBackItsKey() {
		UUID first = enqueue(keyed("a", null, 10, LONG));
		UUID second = ordered("a");
		AdmissionResult admission = admit();
		assertThat(admission.admitted()).isEmpty();
		assertThat(admission.nextDueIn()).isBetween(LONG.minusMinutes(1), LONG);
		assertThat(state(first)).isEqualTo("SCHEDULED");
		assertThat(state(second)).isEqualTo("BLOCKED");
		makeDue(first);
		succeed(this.worker, runOne(this.worker, AdmissionRules.NONE));
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(second);
	}

	@Test
	void keyIsReleasedWhileAnotherHoldsTheLock() throws Exception {
		ordered("a");
		UUID second = ordered("a");
		ClaimedJob running = runOne(this.worker, AdmissionRules.NONE);
		try (Connection connection = this.database.directDataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute(
					"SELECT pg_advisory_xact_lock(hashtextextended('ADMISSION of emails', 'jobqueue_job'::regclass::oid::bigint))");
			CompletableFuture<CompletionResult> success = CompletableFuture
				.supplyAsync(() -> succeed(this.worker, running));
			Awaitility.await()
				.until(() -> count("pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'advisory' "
						+ "AND query_start < clock_timestamp() - interval '600 milliseconds'") == 1);
			connection.commit();
			assertThat(success.get().jobs()).containsExactly(running.id());
		}
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(second);
	}

	/**
	 * Whatever their priorities.
	 */
	@Test
	void sequenceDecides() {
		UUID first = enqueue(keyed("a", null, 30, Duration.ZERO));
		enqueue(keyed("a", null, 0, Duration.ZERO));
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(first);
	}

	@Test
	void lateCommitGoesFirstWhereTheOtherHasNotBegun() {
		NewJob late = keyed("a", null);
		UUID early = this.transaction.execute((status) -> {
			enqueue(late);
			UUID committed = onAnotherConnection(() -> ordered("a"));
			assertThat(onAnotherConnection(this::admit).admitted()).hasSize(1);
			return committed;
		});
		ClaimedJob first = runOne(this.worker, AdmissionRules.NONE);
		assertThat(first.id()).isEqualTo(late.id());
		assertThat(state(early)).isEqualTo("BLOCKED");
		succeed(this.worker, first);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(early);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void lateCommitWaitsForOneThatHasBegun(boolean retried) {
		NewJob late = keyed("a", null);
		ClaimedJob running = this.transaction.execute((status) -> {
			enqueue(late);
			onAnotherConnection(() -> ordered("a"));
			return onAnotherConnection(() -> runOne(this.worker, AdmissionRules.NONE));
		});
		assertThat(run(this.worker, AdmissionRules.NONE)).isEmpty();
		if (retried) {
			later(this.worker, running, Duration.ZERO);
		}
		else {
			succeed(this.worker, running);
		}
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(late.id());
	}

	@Test
	void deadHeadAdmitsTheNextJob() {
		ordered("a");
		UUID second = ordered("a");
		ClaimedJob first = runOne(this.worker, AdmissionRules.NONE);
		end(this.worker, List.of(first), Outcomes.dead(first));
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(second);
	}

	@Test
	void deadHeadHoldsItsKeyUntilItIsGone() {
		ordered("a");
		UUID second = ordered("a");
		ClaimedJob first = runOne(this.worker, HOLD);
		end(this.worker, List.of(first), Outcomes.dead(first));
		UUID other = ordered("b");
		assertThat(runIds(this.worker, HOLD)).containsExactly(other);
		assertThat(state(second)).isEqualTo("BLOCKED");
		this.sql.sql("DELETE FROM jobqueue_archive").update();
		assertThat(this.maintenance.sweepTurns(null, 9).reconsidered()).hasSize(1);
		assertThat(runIds(this.worker, HOLD)).containsExactly(second);
	}

	@Test
	void jobThatDiesInTheReaperReleasesItsKey() {
		enqueue(lastAttempt("a", "slot"));
		UUID second = enqueue(keyed("a", "slot"));
		runOne(this.worker, slots(1));
		fallSilent(this.worker);
		assertThat(this.maintenance.reap(null).reconsidered()).allMatch(JobsAvailable::pendingAdmission).hasSize(1);
		assertThat(runIds(worker(), slots(1))).containsExactly(second);
	}

	@Test
	void reapedJobIsStillNext() {
		UUID first = ordered("a");
		ordered("a");
		runOne(this.worker, AdmissionRules.NONE);
		fallSilent(this.worker);
		assertThat(this.maintenance.reap(null).keyed()).isTrue();
		assertThat(runIds(worker(), AdmissionRules.NONE)).containsExactly(first);
	}

	private NewJob lastAttempt(String ordering, String limit) {
		return new NewJobBuilder().maxAttempts(1).orderedBy(ordering).limitedBy(limit).build();
	}

	@Test
	void unreleasedKeyIsSwept() {
		ordered("a");
		UUID second = ordered("a");
		ClaimedJob first = runOne(this.worker, AdmissionRules.NONE);
		recordOutcomes(this.worker, Outcomes.completed(first));
		assertThat(run(this.worker, AdmissionRules.NONE)).isEmpty();
		assertThat(this.maintenance.sweepTurns(null, 9).reconsidered()).allMatch(JobsAvailable::pendingAdmission)
			.hasSize(1);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(second);
	}

	@Test
	void sweepKeepsKeysThatAreHeld() {
		UUID first = ordered("a");
		ordered("a");
		runOne(this.worker, AdmissionRules.NONE);
		enqueue(keyed("b", null, 10, LONG));
		ordered("b");
		admit();
		assertThat(this.maintenance.sweepTurns(null, 9).reconsidered()).isEmpty();
		assertThat(state(first)).isEqualTo("RUNNING");
	}

	/**
	 * However many keys there are whose jobs do not wait for each other.
	 */
	@Test
	void onlyKeysThatWaitAreSwept() {
		IntStream.range(0, 20).forEach((key) -> ordered("a" + key));
		run(this.worker, AdmissionRules.NONE);
		ordered("z");
		ordered("z");
		recordOutcomes(this.worker, Outcomes.completed(runOne(this.worker, AdmissionRules.NONE)));
		admit();
		KeyPass pass = this.maintenance.sweepTurns(null, 9);
		assertThat(pass.reconsidered()).allMatch(JobsAvailable::pendingAdmission).hasSize(1);
		assertThat(pass.last()).isNull();
	}

	/**
	 * It has come back after it was dead, and stands before the one that runs.
	 */
	@Test
	void sweepDoesNotAdmitAHeadWhoseKeyALaterJobHolds() {
		UUID head = ordered("a");
		UUID next = ordered("a");
		ClaimedJob dying = runOne(this.worker, AdmissionRules.NONE);
		end(this.worker, List.of(dying), Outcomes.dead(dying));
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(next);
		this.stores.operations().revive(List.of(head));
		admit();
		assertThat(admission(head)).isEqualTo("ORDER");
		assertThat(this.maintenance.sweepTurns(null, 9).reconsidered()).isEmpty();
		assertThat(admission(head)).isEqualTo("ORDER");
	}

	@Test
	void keysAreSweptInPortions() {
		for (String key : List.of("a", "b", "c")) {
			ordered(key);
			ordered(key);
		}
		List<ClaimedJob> heads = run(this.worker, AdmissionRules.NONE);
		recordOutcomes(this.worker, heads.stream().map(Outcomes::completed).toArray(Outcome[]::new));
		var one = this.maintenance.sweepTurns(null, 2);
		var two = this.maintenance.sweepTurns(one.last(), 2);
		assertThat(one.last()).isNotNull();
		assertThat(two.last()).isNull();
		assertThat(run(this.worker, AdmissionRules.NONE)).hasSize(3);
	}

	private void makeDue(UUID job) {
		this.sql.sql("UPDATE jobqueue_job SET due_at = statement_timestamp() WHERE id = ?").param(job).update();
	}

}
