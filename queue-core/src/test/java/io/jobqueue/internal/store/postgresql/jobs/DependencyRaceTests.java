package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Types;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.DependencyStore.Release;
import io.jobqueue.internal.store.DependencyStore.Resolution;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome.Completed;

import static io.jobqueue.OnPredecessorFailure.WAIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A predecessor changes while the transaction is open that enqueues a job after it, or
 * while another predecessor ends. Each transaction has a connection of its own.
 */
class DependencyRaceTests extends DependencyTestBase {

	/**
	 * The change neither waits for the open transaction nor sees it.
	 */
	@ParameterizedTest
	@CsvSource(textBlock = """
			SUCCEEDS,          WAIT, READY
			SUCCEEDS,          FAIL, READY
			SUCCEEDS_UNKEPT,   WAIT, READY
			SUCCEEDS_UNKEPT,   FAIL, READY
			DIES,              WAIT, BLOCKED
			DIES,              RUN,  READY
			DIES,              FAIL, DEAD
			DIES_UNKEPT,       WAIT, BLOCKED
			DIES_UNKEPT,       RUN,  READY
			DIES_UNKEPT,       FAIL, DEAD
			IS_RETRIED,        WAIT, BLOCKED
			IS_RETRIED,        RUN,  BLOCKED
			IS_RETRIED,        FAIL, BLOCKED
			IS_CANCELLED,      WAIT, BLOCKED
			IS_CANCELLED,      RUN,  READY
			IS_CANCELLED,      FAIL, DEAD
			IS_DELETED,        WAIT, BLOCKED
			IS_DELETED,        RUN,  READY
			IS_DELETED,        FAIL, DEAD
			IS_REAPED,         WAIT, BLOCKED
			IS_REAPED,         RUN,  READY
			IS_REAPED,         FAIL, DEAD
			IS_REAPED_UNKEPT,  WAIT, BLOCKED
			IS_REAPED_UNKEPT,  RUN,  READY
			IS_REAPED_UNKEPT,  FAIL, DEAD
			""")
	void predecessorEndsWhileTheJobIsEnqueued(Change change, OnPredecessorFailure policy, String state) {
		UUID first = enqueue(lastAttempt("emails"));
		NewJob job = after(policy, first);
		Set<UUID> predecessors = whileEnqueued(job, () -> change(first, change));
		resolveAndFail(predecessors);
		assertThat(state(job.id())).isEqualTo(state);
		if (change == Change.IS_RETRIED) {
			succeedAndResolve(first);
			assertThat(state(job.id())).isEqualTo("READY");
		}
	}

	/**
	 * Also a job that died long ago leaves a trace when it is purged.
	 */
	@ParameterizedTest
	@CsvSource({ "WAIT,BLOCKED", "RUN,READY", "FAIL,DEAD" })
	void deadPredecessorIsPurgedWhileTheJobIsEnqueued(OnPredecessorFailure policy, String state) {
		UUID first = predecessor();
		die(first, Duration.ofDays(1));
		NewJob job = after(policy, first);
		Set<UUID> predecessors = whileEnqueued(job, () -> {
			this.sql.sql("UPDATE jobqueue_archive SET finished_at = now() - interval '2 days', keep_until = now()")
				.update();
			this.maintenance.purge(9);
		});
		resolveAndFail(predecessors);
		assertThat(state(job.id())).isEqualTo(state);
	}

	@ParameterizedTest
	@CsvSource({ "WAIT,BLOCKED", "RUN,READY", "FAIL,DEAD" })
	void deadPredecessorIsDeletedWhileTheJobIsEnqueued(OnPredecessorFailure policy, String state) {
		UUID first = predecessor();
		die(first, KEPT);
		NewJob job = after(policy, first);
		Set<UUID> predecessors = whileEnqueued(job, () -> this.operations.deleteArchived(List.of(first)));
		resolveAndFail(predecessors);
		assertThat(state(job.id())).isEqualTo(state);
	}

	@ParameterizedTest
	@EnumSource(names = { "WAIT", "FAIL" })
	void deadPredecessorIsRetriedWhileTheJobIsEnqueued(OnPredecessorFailure policy) {
		UUID first = predecessor();
		die(first, KEPT);
		NewJob job = after(policy, first);
		Set<UUID> predecessors = whileEnqueued(job, () -> this.operations.revive(List.of(first)));
		resolveAndFail(predecessors);
		assertThat(state(job.id())).isEqualTo("BLOCKED");
		succeedAndResolve(first);
		assertThat(state(job.id())).isEqualTo("READY");
	}

	private Set<UUID> whileEnqueued(NewJob job, Runnable change) {
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			Set<UUID> predecessors = enqueueIn(transaction.jobs(), job);
			change.run();
			transaction.end(true);
			return predecessors;
		}
	}

	private void resolveAndFail(Set<UUID> predecessors) {
		Map<UUID, @Nullable Duration> failing = new HashMap<>();
		resolve(predecessors).failing().keySet().forEach((job) -> failing.put(job, null));
		this.dependencies.fail(failing);
	}

	/**
	 * Each of the two does not see the end of the other before its commit.
	 */
	@Test
	void lastTwoEndAtTheSameTime() {
		UUID first = predecessor();
		UUID second = predecessor();
		UUID job = enqueueAfter(WAIT, first, second);
		ClaimedJob claimed = claimed(first);
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			transaction.jobs().complete(this.worker, completed(claimed));
			succeedAndResolve(second);
			assertThat(state(job)).isEqualTo("BLOCKED");
			transaction.end(true);
		}
		resolve(Set.of(first));
		assertThat(state(job)).isEqualTo("READY");
	}

	/**
	 * Both ends are recorded before either of the two releases the job.
	 */
	@Test
	void endsOfTheLastTwoAreResolvedAtTheSameTime() {
		UUID first = predecessor();
		UUID second = predecessor();
		UUID job = enqueueAfter(WAIT, first, second);
		Resolution one = this.dependencies.resolve(succeed(first, KEPT).predecessors());
		Resolution two = this.dependencies.resolve(succeed(second, KEPT).predecessors());
		Release released = this.dependencies.release(one.satisfied());
		Release again = this.dependencies.release(two.satisfied());
		assertThat(released.due()).hasSize(1);
		assertThat(again.due()).isEmpty();
		assertThat(state(job)).isEqualTo("READY");
	}

	/**
	 * The mark would not be returned by a completion that is under way.
	 */
	@Test
	void predecessorEndsWhileItIsMarked() {
		UUID first = predecessor();
		ClaimedJob claimed = claimed(first);
		NewJob job = after(WAIT, first);
		Set<UUID> predecessors = enqueueIn(this.jobs, job);
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			assertThat(transaction.jobs().complete(this.worker, completed(claimed)).predecessors()).isEmpty();
			assertThat(resolve(predecessors).locked()).containsExactly(first);
			transaction.end(true);
		}
		resolve(predecessors);
		assertThat(state(job.id())).isEqualTo("READY");
	}

	@Test
	void jobIsReleasedOnceNoTransactionHasItLocked() {
		UUID first = predecessor();
		UUID job = enqueueAfter(WAIT, first);
		Set<UUID> finished = succeed(first, KEPT).predecessors();
		new TransactionTemplate(new JdbcTransactionManager(this.dataSource)).executeWithoutResult((status) -> {
			this.sql.sql("SELECT 1 FROM jobqueue_job WHERE id = ? FOR UPDATE").param(job).query(Integer.class).single();
			Set<UUID> satisfied = this.dependencies.resolve(finished).satisfied();
			assertThat(this.dependencies.release(satisfied).locked()).containsExactly(job);
		});
		assertThat(this.dependencies.release(Set.of(job)).locked()).isEmpty();
		assertThat(state(job)).isEqualTo("READY");
	}

	/**
	 * The retry brings back a predecessor whose failure is being recorded.
	 */
	@Test
	void retriedPredecessorSucceedsAfterItsFailureIsRecorded() {
		UUID first = predecessor();
		UUID job = enqueueAfter(WAIT, first);
		die(first, KEPT);
		this.operations.revive(List.of(first));
		this.sql.sql("UPDATE jobqueue_dependency SET failed = true").update();
		resolve(this.dependencies.sweep(null, 9).predecessors());
		assertThat(state(job)).isEqualTo("BLOCKED");
		succeedAndResolve(first);
		assertThat(state(job)).isEqualTo("READY");
	}

	private static Completed completed(ClaimedJob job) {
		return Completed.of(job, null, null);
	}

	private void reap(UUID job, @Nullable Long keepMillis) {
		claimed(job);
		this.sql.sql("UPDATE jobqueue_claim SET keep_dead_millis = ?").param(1, keepMillis, Types.BIGINT).update();
		fallSilent(this.worker);
		this.maintenance.reap(null);
		this.worker = worker();
	}

	private void retry(UUID job) {
		die(job, KEPT);
		this.operations.revive(List.of(job));
	}

	private void change(UUID job, Change change) {
		switch (change) {
			case SUCCEEDS -> succeed(job, KEPT);
			case SUCCEEDS_UNKEPT -> succeed(job, Duration.ZERO);
			case DIES -> die(job, KEPT);
			case DIES_UNKEPT -> die(job, Duration.ZERO);
			case IS_RETRIED -> retry(job);
			case IS_CANCELLED -> this.operations.cancel(job, KEPT);
			case IS_DELETED -> this.operations.delete(List.of(job));
			case IS_REAPED -> reap(job, null);
			case IS_REAPED_UNKEPT -> reap(job, 0L);
		}
	}

	/**
	 * What becomes of a predecessor.
	 */
	private enum Change {

		SUCCEEDS, SUCCEEDS_UNKEPT, DIES, DIES_UNKEPT, IS_RETRIED, IS_CANCELLED, IS_DELETED, IS_REAPED, IS_REAPED_UNKEPT

	}

}
