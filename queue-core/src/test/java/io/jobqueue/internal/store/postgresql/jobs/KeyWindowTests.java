package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.OnDuplicate;
import io.jobqueue.internal.maintenance.Purge;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome.Cancelled;
import io.jobqueue.internal.store.Outcome.Completed;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long a key stays taken after a success, and what is left of it then.
 */
class KeyWindowTests extends KeyTestBase {

	@Test
	void ofTheResultBeatsThatOfTheRequest() {
		ClaimedJob job = addAndRun(null);
		recordOutcomes(this.holder, Completed.of(job, ZERO, LONG));
		assertThat(again(OnDuplicate.KEEP)).isEqualTo(new JobReceipt(job.id(), Outcome.RECENTLY_SUCCEEDED));
	}

	@Test
	void ofTheResultMayBeNone() {
		ClaimedJob job = addAndRun(LONG);
		recordOutcomes(this.holder, Completed.of(job, null, ZERO));
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.ADDED);
	}

	@Test
	void beginsWithACompletionOnTheCallersTransactionToo() {
		ClaimedJob job = addAndRun(LONG);
		inTransaction(() -> this.jobs.complete(this.holder, Completed.of(job, null, null)));
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.RECENTLY_SUCCEEDED);
	}

	@Test
	void lastsAsLongAsRequested() {
		succeed(addAndRun(LONG));
		assertThat(this.sql.sql("SELECT ends_at - now() BETWEEN '30 minutes' AND '1 hour' FROM jobqueue_dedupe")
			.query(Boolean.class)
			.single()).isTrue();
	}

	@Test
	void doesNotBeginWithADeadJob() {
		end(Outcomes.dead(addAndRun(LONG)));
		assertNoWindow();
	}

	@Test
	void doesNotBeginWithACancelledJob() {
		ClaimedJob job = addAndRun(LONG);
		cancel(job.id());
		end(new Cancelled(job.id(), job.claim(), "cancelled"));
		assertNoWindow();
		cancel(addOld(ZERO, LONG).id());
		assertNoWindow();
	}

	private void assertNoWindow() {
		assertThat(count("jobqueue_dedupe")).isZero();
		assertThat(count("jobqueue_key")).isZero();
	}

	@Test
	void isOverBeforeItsRowIsDeleted() {
		succeed(addAndRun(LONG));
		endWindows();
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.ADDED);
	}

	@Test
	void outlastsAJobThatWasRequeuedInIt() {
		succeed(addAndRun(LONG));
		again(OnDuplicate.REQUEUE);
		succeed(run());
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.RECENTLY_SUCCEEDED);
	}

	@Test
	void isProlongedByAnotherSuccess() {
		succeed(addAndRun(LONG));
		add(keyed(NEW, ZERO, OnDuplicate.REQUEUE, LONG.multipliedBy(2)));
		ClaimedJob second = run();
		succeed(second);
		this.sql.sql("UPDATE jobqueue_dedupe SET ends_at = ends_at - interval '1 hour'").update();
		assertThat(again(OnDuplicate.KEEP)).isEqualTo(new JobReceipt(second.id(), Outcome.RECENTLY_SUCCEEDED));
	}

	@Test
	void isNotCutShortByAnotherSuccess() {
		succeed(addAndRun(LONG));
		add(keyed(NEW, ZERO, OnDuplicate.REQUEUE, Duration.ofMillis(1)));
		succeed(run());
		this.sql.sql("UPDATE jobqueue_dedupe SET ends_at = ends_at - interval '1 minute'").update();
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.RECENTLY_SUCCEEDED);
	}

	@Test
	void leavesNoKeyBehind() {
		succeed(addAndRun(null));
		assertThat(count("jobqueue_key")).isZero();
		assertThat(count("jobqueue_dedupe")).isZero();
	}

	@Test
	void endedWindowFreesTheKeyOfARefusedDuplicate() {
		succeed(addAndRun(LONG));
		again(OnDuplicate.KEEP);
		assertThat(this.maintenance.endDedupes(9)).isZero();
		assertThat(count("jobqueue_key")).isEqualTo(1);
		endWindows();
		assertThat(this.maintenance.endDedupes(9)).isEqualTo(1);
		assertThat(count("jobqueue_key")).isZero();
		assertThat(count("jobqueue_dedupe")).isZero();
	}

	@Test
	void leavesAKeyThatWasTakenAgain() {
		succeed(addAndRun(LONG));
		again(OnDuplicate.REQUEUE);
		endWindows();
		this.maintenance.endDedupes(9);
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.ALREADY_WAITING);
	}

	@Test
	void followUpWhoseFirstIsGoneKeepsTheKey() {
		succeed(addAndRun(LONG));
		again(OnDuplicate.REQUEUE);
		UUID first = run().id();
		again(OnDuplicate.REQUEUE);
		delete(first);
		endWindows();
		assertThat(this.maintenance.endDedupes(9)).isOne();
		this.maintenance.sweepKeys(null, 9);
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.ALREADY_WAITING);
	}

	@Test
	void purgeFindsKeysThatWereLeftBehind() {
		addOld(ZERO, null);
		add(keyed("another", OLD, ZERO, OnDuplicate.KEEP, null));
		this.sql.sql("DELETE FROM jobqueue_job WHERE unique_key = 'another'").update();
		new Purge(this.maintenance).runOnce();
		assertThat(this.sql.sql("SELECT unique_key FROM jobqueue_key").query(String.class).list())
			.containsExactly("signup-42");
	}

	@Test
	void keysAreLookedAtInPortions() {
		for (String key : new String[] { "a", "b", "c" }) {
			add(keyed(key, OLD, ZERO, OnDuplicate.KEEP, null));
		}
		var place = this.maintenance.sweepKeys(null, 2);
		assertThat(place).extracting("queue", "key").containsExactly("emails", "b");
		assertThat(this.maintenance.sweepKeys(place, 2)).isNull();
	}

	/**
	 * A job that uses the key again keeps it.
	 */
	@Test
	void purgeLeavesAKeyThatIsBeingTaken() {
		addOld(ZERO, null);
		this.sql.sql("DELETE FROM jobqueue_job").update();
		this.transaction.executeWithoutResult((status) -> {
			again(OnDuplicate.KEEP);
			CompletableFuture.runAsync(() -> new Purge(this.maintenance).runOnce()).join();
		});
		assertThat(count("jobqueue_key")).isEqualTo(1);
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.ALREADY_WAITING);
	}

}
