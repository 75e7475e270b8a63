package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome.Snoozed;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs with a limit key share its slots.
 */
@Tag("pooler") // statements of the store
class SlotTests extends AdmissionTestBase {

	private static final AdmissionRules TWO = slots(2);

	private UUID worker = UUID.randomUUID();

	@BeforeEach
	void join() {
		this.worker = worker();
	}

	@Test
	void noMoreRunThanThereAreSlots() {
		List<UUID> jobs = List.of(limited("a"), limited("a"), limited("a"));
		UUID other = limited("b");
		UUID free = enqueue(job("emails", 10));
		assertThat(runIds(this.worker, TWO)).containsExactlyInAnyOrder(jobs.get(0), jobs.get(1), other, free);
		assertThat(run(this.worker, TWO)).isEmpty();
		assertThat(state(jobs.get(2))).isEqualTo("BLOCKED");
	}

	@Test
	void nothingIsLimitedWithoutASetting() {
		List<UUID> jobs = List.of(limited("a"), limited("a"), limited("a"));
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactlyInAnyOrderElementsOf(jobs);
	}

	@Test
	void retriedAndSnoozedJobsNeedASlotAgain() {
		limited("a");
		limited("a");
		List<ClaimedJob> running = run(this.worker, TWO);
		ClaimedJob snoozing = running.get(1);
		later(this.worker, running.get(0), LONG);
		end(this.worker, List.of(snoozing), new Snoozed(snoozing.id(), snoozing.claim(), LONG));
		assertThat(running).extracting((job) -> admission(job.id())).containsExactly("PENDING", "PENDING");
	}

	@Test
	void slotOfOneThatIsFinishedIsFree() {
		limited("a");
		limited("a");
		UUID third = limited("a");
		UUID fourth = limited("a");
		List<ClaimedJob> running = run(this.worker, TWO);
		assertThat(pendingAdmission(succeed(this.worker, running.get(0)))).containsExactly(true);
		assertThat(runIds(this.worker, TWO)).containsExactly(third);
		assertThat(state(fourth)).isEqualTo("BLOCKED");
	}

	@Test
	void slotOfOneThatBacksOffIsFree() {
		UUID first = limited("a");
		UUID second = limited("a");
		later(this.worker, runOne(this.worker, slots(1)), LONG);
		assertThat(state(first)).isEqualTo("RETRYING");
		assertThat(runIds(this.worker, slots(1))).containsExactly(second);
	}

	@Test
	void mostUrgentOneGetsTheSlot() {
		limited("a");
		enqueue(keyed(null, "a", 20, Duration.ZERO));
		ClaimedJob running = runOne(this.worker, slots(1));
		UUID urgent = enqueue(keyed(null, "a", 0, Duration.ZERO));
		admit(slots(1));
		succeed(this.worker, running);
		assertThat(runIds(this.worker, slots(1))).containsExactly(urgent);
	}

	@Test
	void newJobDoesNotOvertakeAWaitingOne() {
		limited("a");
		UUID waiting = limited("a");
		ClaimedJob running = runOne(this.worker, slots(1));
		succeed(this.worker, running);
		limited("a");
		assertThat(runIds(this.worker, slots(1))).containsExactly(waiting);
	}

	@Test
	void lostWorkerKeepsItsSlotUntilItIsReaped() {
		UUID first = limited("a");
		limited("a");
		runOne(this.worker, slots(1));
		fallSilent(this.worker);
		assertThat(run(worker(), slots(1))).isEmpty();
		this.maintenance.reap(null);
		assertThat(runIds(worker(), slots(1))).containsExactly(first);
	}

	@Test
	void limitMayBeRaised() {
		List<UUID> jobs = new ArrayList<>();
		for (int job = 0; job < 5; job++) {
			jobs.add(limited("a"));
		}
		ClaimedJob first = runOne(this.worker, slots(1));
		succeed(this.worker, first);
		assertThat(runIds(this.worker, slots(4))).containsExactlyInAnyOrderElementsOf(jobs.subList(1, 5));
	}

	@Test
	void limitMayBeLowered() {
		for (int job = 0; job < 5; job++) {
			limited("a");
		}
		List<ClaimedJob> running = run(this.worker, slots(4));
		assertThat(running).hasSize(4);
		succeed(this.worker, running.get(0));
		succeed(this.worker, running.get(1));
		assertThat(run(this.worker, slots(2))).isEmpty();
		succeed(this.worker, running.get(2));
		assertThat(run(this.worker, slots(2))).hasSize(1);
	}

	@Test
	void unreleasedSlotIsSwept() {
		limited("a");
		UUID second = limited("a");
		ClaimedJob first = runOne(this.worker, slots(1));
		assertThat(run(this.worker, slots(1))).isEmpty();
		recordOutcomes(this.worker, Outcomes.completed(first));
		assertThat(run(this.worker, slots(1))).isEmpty();
		assertThat(this.maintenance.sweepSlots(null, 9).reconsidered()).allMatch(JobsAvailable::pendingAdmission)
			.hasSize(1);
		assertThat(runIds(this.worker, slots(1))).containsExactly(second);
	}

	@Test
	void oneSlotOfSeveralIsSweptTooAndNoMore() {
		List<UUID> jobs = List.of(limited("a"), limited("a"), limited("a"), limited("a"));
		List<ClaimedJob> running = run(this.worker, TWO);
		recordOutcomes(this.worker, Outcomes.completed(running.get(0)));
		assertThat(run(this.worker, TWO)).isEmpty();
		this.maintenance.sweepSlots(null, 9);
		assertThat(runIds(this.worker, TWO)).containsExactly(jobs.get(2));
		this.maintenance.sweepSlots(null, 9);
		assertThat(run(this.worker, TWO)).isEmpty();
		assertThat(state(jobs.get(3))).isEqualTo("BLOCKED");
	}

	@Test
	void keysAreSweptInPortions() {
		for (String key : List.of("a", "b", "c")) {
			limited(key);
			limited(key);
		}
		admit(slots(1));
		this.sql.sql("DELETE FROM jobqueue_job WHERE admission IS NULL").update();
		var one = this.maintenance.sweepSlots(null, 2);
		var two = this.maintenance.sweepSlots(one.last(), 2);
		assertThat(one.last()).isNotNull();
		assertThat(two.last()).isNull();
		assertThat(run(this.worker, slots(1))).hasSize(3);
	}

	/**
	 * Who is not in turn takes no slot from one that is.
	 */
	@Test
	void bothKeysAreKept() {
		UUID first = enqueue(keyed("order", "slot"));
		UUID second = enqueue(keyed("order", "slot"));
		UUID other = enqueue(keyed("another", "slot"));
		UUID third = enqueue(keyed("third", "slot"));
		List<ClaimedJob> running = run(this.worker, TWO);
		assertThat(running).extracting(ClaimedJob::id).containsExactlyInAnyOrder(first, other);
		assertThat(admission(second)).isEqualTo("ORDER");
		assertThat(admission(third)).isEqualTo("SLOT");
		ClaimedJob firstJob = running.stream().filter((job) -> job.id().equals(first)).findFirst().orElseThrow();
		succeed(this.worker, firstJob);
		assertThat(runIds(this.worker, TWO)).containsExactly(second);
		assertThat(admission(third)).isEqualTo("SLOT");
	}

	/**
	 * It is the first of its key, and thus the one that it overtakes gives its slot to
	 * it.
	 */
	@Test
	void lateCommitGetsTheSlotOfTheOneThatItOvertakes() {
		NewJob late = keyed("order", "slot");
		UUID early = this.transaction.execute((status) -> {
			enqueue(late);
			UUID committed = onAnotherConnection(() -> enqueue(keyed("order", "slot")));
			assertThat(onAnotherConnection(() -> admit(slots(1))).admitted()).hasSize(1);
			return committed;
		});
		assertThat(runIds(this.worker, slots(1))).containsExactly(late.id());
		assertThat(admission(early)).isEqualTo("ORDER");
	}

	@Test
	void evaluatesNoMoreAtOnceThanNecessaryAndContinues() {
		List<NewJob> many = new ArrayList<>();
		for (int job = 0; job < 1_500; job++) {
			many.add(keyed("key " + job, null));
		}
		this.jobs.enqueue(many);
		assertThat(admit().nextDueIn()).isZero();
		assertThat(admit().nextDueIn()).isNull();
		assertThat(count("jobqueue_job WHERE admission IS NULL")).isEqualTo(1_500);
	}

	@Test
	void claimedJobNamesItsKeys() {
		enqueue(keyed("order", "slot"));
		ClaimedJob job = runOne(this.worker, TWO);
		assertThat(List.of(job.orderingKey(), job.limitKey())).containsExactly("order", "slot");
	}

	@Test
	void groupIsNoKey() {
		enqueue(new NewJobBuilder().group("group").build());
		assertThat(claim(this.worker, request("emails", 9))).hasSize(1);
	}

}
