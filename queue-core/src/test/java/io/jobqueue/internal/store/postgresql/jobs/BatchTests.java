package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.BatchDetails;
import io.jobqueue.BatchInfo;
import io.jobqueue.JobRejectedException;
import io.jobqueue.OnDuplicate;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.DependencyStore.Resolution;
import io.jobqueue.internal.store.DependencyStore.Sweep;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.JobStore.Origin;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome.Cancelled;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Dead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Batches on the stores. Each transaction that overlaps another one has a connection of
 * its own.
 */
class BatchTests extends DependencyTestBase {

	private final BatchStore batches = this.stores.batches();

	private UUID batch = UUID.randomUUID();

	private UUID then = UUID.randomUUID();

	private UUID failure = UUID.randomUUID();

	@BeforeEach
	void start() {
		start(true);
	}

	private void start(boolean withFailure) {
		NewJob whenDone = job("emails", 10);
		NewJob whenFailed = job("emails", 10);
		this.batch = UUID.randomUUID();
		this.then = whenDone.id();
		this.failure = whenFailed.id();
		this.batches.start(this.batch, "import", withFailure ? List.of(whenDone, whenFailed) : List.of(whenDone), null);
	}

	private EnqueueResult add(JobStore store, NewJob... members) {
		return store.enqueue(List.of(members), new Origin(null, this.batch));
	}

	private UUID add() {
		NewJob member = job("emails", 10);
		resolve(add(this.jobs, member).predecessors());
		return member.id();
	}

	private List<UUID> add(int members) {
		return Stream.generate(this::add).limit(members).toList();
	}

	private void seal() {
		seal(this.batch);
		resolve(Set.of(this.batch));
	}

	private void seal(UUID batch) {
		assertThat(this.batches.seal(batch)).isTrue();
	}

	private BatchInfo info() {
		return Objects.requireNonNull(this.batches.find(this.batch)).info();
	}

	private boolean isFinished() {
		return Objects.requireNonNull(this.batches.find(this.batch)).finishedAt() != null;
	}

	private void assertNotCalled() {
		assertThat(isFinished()).isFalse();
		assertThat(state(this.then)).isEqualTo("BLOCKED");
		assertThat(state(this.failure)).isEqualTo("BLOCKED");
	}

	private void assertCalled(UUID callback, BatchInfo numbers) {
		assertThat(info()).isEqualTo(numbers);
		assertThat(isFinished()).isTrue();
		assertThat(state(callback)).isEqualTo("READY");
		assertThat(callbacks()).containsExactly(callback);
	}

	private List<UUID> callbacks() {
		return this.sql.sql("SELECT id FROM jobqueue_job WHERE id IN (?, ?)")
			.params(this.then, this.failure)
			.query(UUID.class)
			.list();
	}

	private long tallies() {
		return this.sql.sql("SELECT count(*) FROM jobqueue_batch_tally").query(Long.class).single();
	}

	private void writeTallies(int count, int succeeded) {
		this.sql.sql("INSERT INTO jobqueue_batch_tally SELECT ?, 1, ?, 0, 0 FROM generate_series(1, ?)")
			.params(this.batch, succeeded, count)
			.update();
	}

	@Test
	void batchWhoseMembersSucceedCallsBack() {
		List<UUID> members = add(2);
		seal();
		succeedAndResolve(members.get(0));
		assertNotCalled();
		assertThat(info()).isEqualTo(new BatchInfo(2, 1, 0, 0));
		succeedAndResolve(members.get(1));
		assertCalled(this.then, new BatchInfo(2, 2, 0, 0));
		assertThat(tallies()).isZero();
	}

	@Test
	void failureCallbackRunsOnceAllMembersHaveEnded() {
		List<UUID> members = add(2);
		seal();
		dieAndResolve(members.get(0));
		assertNotCalled();
		succeedAndResolve(members.get(1));
		assertCalled(this.failure, new BatchInfo(2, 1, 1, 0));
	}

	@Test
	void batchWithoutAFailureCallbackCallsTheOnlyOne() {
		start(false);
		UUID member = add();
		seal();
		dieAndResolve(member);
		assertCalled(this.then, new BatchInfo(1, 0, 1, 0));
	}

	@Test
	void batchIsOpenUntilItIsSealed() {
		succeedAndResolve(add());
		assertNotCalled();
		succeedAndResolve(add());
		seal();
		assertCalled(this.then, new BatchInfo(2, 2, 0, 0));
	}

	@Test
	void emptyBatchCallsBack() {
		seal();
		assertCalled(this.then, new BatchInfo(0, 0, 0, 0));
	}

	@Test
	void callbackKnowsItsBatch() {
		UUID member = add();
		UUID other = predecessor();
		assertThat(this.batches.findByJob(member)).isEqualTo(new BatchInfo(1, 0, 0, 0));
		assertThat(this.batches.findByJob(this.then)).isEqualTo(new BatchInfo(1, 0, 0, 0));
		assertThat(this.batches.findByJob(this.failure)).isEqualTo(new BatchInfo(1, 0, 0, 0));
		assertThat(this.batches.findByJob(other)).isNull();
	}

	/**
	 * The callbacks are jobs like others, but end as no members.
	 */
	@Test
	void callbackIsNoMember() {
		seal();
		succeedAndResolve(this.then);
		assertThat(info()).isEqualTo(new BatchInfo(0, 0, 0, 0));
		assertThat(tallies()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "cancel", "delete", "cancelRunning", "reap", "reapUnkept", "fail", "transaction" })
	void endsOfAllKindsCount(String end) {
		NewJob member = lastAttempt("emails");
		UUID first = predecessor();
		NewJob dependent = after(OnPredecessorFailure.FAIL, first);
		resolve(add(this.jobs, member, dependent).predecessors());
		seal();
		if (end.equals("fail")) {
			succeedAndResolve(member.id());
		}
		else {
			succeedAndResolve(first);
			succeedAndResolve(dependent.id());
		}
		assertNotCalled();
		end(end, member.id(), first);
		assertCalled(end.equals("transaction") ? this.then : this.failure, switch (end) {
			case "reap", "reapUnkept", "fail" -> new BatchInfo(2, 1, 1, 0);
			case "transaction" -> new BatchInfo(2, 2, 0, 0);
			default -> new BatchInfo(2, 1, 0, 1);
		});
	}

	private void end(String end, UUID member, UUID first) {
		switch (end) {
			case "cancel" -> resolve(List.of(this.batch, endedOf(member)));
			case "delete" -> resolve(this.operations.delete(List.of(member)).predecessors());
			case "cancelRunning" -> cancelRunning(member);
			case "fail" -> {
				dieAndResolve(first);
				reaper(new JobSignals()).runOnce();
			}
			case "transaction" -> completeInTransaction(member);
			default -> reap(member, end.equals("reap") ? KEPT : Duration.ZERO);
		}
	}

	private UUID endedOf(UUID member) {
		return this.operations.cancel(member, KEPT).ended().get(0).batch();
	}

	private void cancelRunning(UUID member) {
		ClaimedJob claimed = claimed(member);
		this.operations.cancel(member, KEPT);
		resolve(record(claimed, new Cancelled(member, claimed.claim(), "ended")).predecessors());
	}

	private void completeInTransaction(UUID member) {
		ClaimedJob claimed = claimed(member);
		Completed outcome = Completed.of(claimed, KEPT, null);
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			transaction.jobs().complete(this.worker, outcome);
			transaction.end(false);
		}
		resolve(Set.of(this.batch));
		assertNotCalled();
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			Set<UUID> ended = transaction.jobs().complete(this.worker, outcome).predecessors();
			resolve(Set.of(this.batch));
			assertNotCalled();
			transaction.end(true);
			resolve(ended);
		}
	}

	private void reap(UUID member, @Nullable Duration keepDead) {
		claimed(member);
		this.sql.sql("UPDATE jobqueue_claim SET keep_dead_millis = ?")
			.param(1, (keepDead != null) ? keepDead.toMillis() : null, Types.BIGINT)
			.update();
		fallSilent(this.worker);
		resolve(EndedJob.predecessors(this.maintenance.reap(null).ended()));
	}

	/**
	 * Their end takes a statement that neither counts members nor releases keys.
	 */
	@Test
	void onlyJobsWithoutABatchAndAUniqueKeyArePlain() {
		UUID plain = enqueue(job("emails", 10));
		NewJob keyed = keyed("a", OnDuplicate.KEEP);
		inTransaction((jobs) -> jobs.enqueue(List.of(keyed)));
		UUID member = add();
		assertThat(claimed(plain).isPlain()).isTrue();
		assertThat(claimed(keyed.id()).isPlain()).isFalse();
		assertThat(claimed(member).isPlain()).isFalse();
	}

	@Test
	void requestThatIsNotAddedIsNoMember() {
		NewJob waiting = keyed("a", OnDuplicate.KEEP);
		NewJob started = keyed("b", OnDuplicate.KEEP);
		inTransaction((jobs) -> jobs.enqueue(List.of(waiting, started)));
		ClaimedJob running = claimed(started.id());
		inTransaction((jobs) -> add(jobs, keyed("a", OnDuplicate.KEEP), keyed("b", OnDuplicate.REQUEUE),
				keyed("c", OnDuplicate.KEEP), keyed("c", OnDuplicate.KEEP)));
		assertThat(info().total()).isOne();
		assertThat(this.sql.sql("SELECT unique_key FROM jobqueue_job WHERE batch_id IS NOT NULL")
			.query(String.class)
			.list()).containsExactly("c");
		seal();
		succeedAndResolve(waiting.id());
		resolve(record(running, Completed.of(running, KEPT, null)).predecessors());
		assertThat(info()).isEqualTo(new BatchInfo(1, 0, 0, 0));
	}

	private static NewJob keyed(String key, OnDuplicate onDuplicate) {
		return new NewJobBuilder().key(key, onDuplicate, null).build();
	}

	private void inTransaction(Consumer<JobStore> work) {
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			work.accept(transaction.jobs());
			transaction.end(true);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void memberThatIsRetriedBeforeTheEndCountsAsUnfinishedAgain(boolean cancelled) {
		List<UUID> members = add(2);
		seal();
		if (cancelled) {
			this.operations.cancel(members.get(0), KEPT);
		}
		else {
			die(members.get(0), KEPT);
		}
		this.operations.revive(List.of(members.get(0)));
		assertThat(info()).isEqualTo(new BatchInfo(2, 0, 0, 0));
		succeedAndResolve(members.get(1));
		assertNotCalled();
		succeedAndResolve(members.get(0));
		assertCalled(this.then, new BatchInfo(2, 2, 0, 0));
	}

	@Test
	void retryAfterTheEndReopensNothing() {
		UUID member = add();
		seal();
		dieAndResolve(member);
		this.operations.revive(List.of(member));
		succeedAndResolve(member);
		assertCalled(this.failure, new BatchInfo(1, 0, 1, 0));
		assertThat(tallies()).isZero();
	}

	/**
	 * A row with the same id, which is not committed, delays the retry.
	 */
	@Test
	void batchDoesNotFinishDuringTheRetryOfAMember() {
		List<UUID> members = add(2);
		dieAndResolve(members.get(0));
		seal();
		CompletableFuture<Void> retry;
		try (OpenTransaction other = new OpenTransaction(this.dataSource)) {
			other.sql().sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
					VALUES (?, now(), now(), 10, 'emails', 'mail', '{}')
					""").param(members.get(0)).update();
			retry = CompletableFuture.runAsync(() -> this.operations.revive(List.of(members.get(0))));
			await().until(() -> this.sql.sql("""
					SELECT count(*) FROM pg_stat_activity
					WHERE wait_event_type = 'Lock' AND datname = current_database()
					""").query(Long.class).single() == 1);
			succeedAndResolve(members.get(1));
			assertNotCalled();
			other.end(false);
		}
		retry.join();
		succeedAndResolve(members.get(0));
		assertCalled(this.then, new BatchInfo(2, 2, 0, 0));
		assertThat(tallies()).isZero();
	}

	@Test
	void replayedCopyIsNoMember() {
		UUID member = add();
		succeed(member, KEPT);
		UUID copy = UUID.randomUUID();
		this.operations.replay(Map.of(member, copy));
		assertThat(this.batches.findByJob(copy)).isNull();
		seal();
		assertCalled(this.then, new BatchInfo(1, 1, 0, 0));
	}

	@Test
	void sealedOrUnknownBatchRefusesMembersAndWritesNothing() {
		seal();
		long live = this.sql.sql("SELECT count(*) FROM jobqueue_job").query(Long.class).single();
		assertThatThrownBy(() -> add(this.jobs, job("emails", 10))).isInstanceOf(JobRejectedException.class)
			.hasMessageContaining(this.batch + " is sealed or unknown");
		this.batch = UUID.randomUUID();
		assertThatThrownBy(() -> add(this.jobs, job("emails", 10))).isInstanceOf(JobRejectedException.class)
			.hasMessageContaining(this.batch + " is sealed or unknown");
		assertThat(this.batches.seal(this.batch)).isFalse();
		assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_job").query(Long.class).single()).isEqualTo(live);
	}

	@Test
	void memberThatWaitsForACallbackOfItsBatchIsRefused() {
		long live = count("jobqueue_job");
		for (UUID callback : List.of(this.then, this.failure)) {
			NewJob waiting = after(OnPredecessorFailure.WAIT, predecessor(), callback);
			assertThatThrownBy(() -> add(this.jobs, job("emails", 10), waiting))
				.isInstanceOf(JobRejectedException.class)
				.hasMessageContaining("names " + callback + ", which follows this batch");
		}
		assertThat(count("jobqueue_job")).isEqualTo(live + 2);
		assertThat(info().total()).isZero();
	}

	@Test
	void transactionIsUsableAfterARefusal() {
		seal();
		UUID job = new TransactionTemplate(new JdbcTransactionManager(this.dataSource)).execute((status) -> {
			assertThatThrownBy(() -> add(this.jobs, job("emails", 10))).isInstanceOf(JobRejectedException.class);
			return predecessor();
		});
		assertThat(state(job)).isEqualTo("READY");
	}

	@Test
	void sealWaitsForTheTransactionThatAddsMembers() throws Exception {
		NewJob member = job("emails", 10);
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			add(transaction.jobs(), member);
			CompletableFuture<Void> seal = CompletableFuture.runAsync(this::seal);
			awaitLockWait();
			resolve(Set.of(this.batch));
			assertThat(isFinished()).isFalse();
			transaction.end(true);
			seal.get(30, TimeUnit.SECONDS);
		}
		assertNotCalled();
		succeedAndResolve(member.id());
		assertCalled(this.then, new BatchInfo(1, 1, 0, 0));
	}

	@Test
	void memberIsRefusedAfterAnOpenSeal() throws Exception {
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			transaction.batches().seal(this.batch);
			CompletableFuture<EnqueueResult> add = CompletableFuture
				.supplyAsync(() -> add(this.jobs, job("emails", 10)));
			awaitLockWait();
			transaction.end(true);
			assertThatThrownBy(() -> add.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(JobRejectedException.class);
		}
		resolve(Set.of(this.batch));
		assertCalled(this.then, new BatchInfo(0, 0, 0, 0));
	}

	private void awaitLockWait() {
		await().until(() -> this.sql.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
			.query(Long.class)
			.single() > 0);
	}

	@Test
	void transactionsAddMembersAtTheSameTime() {
		try (OpenTransaction one = new OpenTransaction(this.dataSource);
				OpenTransaction two = new OpenTransaction(this.dataSource)) {
			add(one.jobs(), job("emails", 10));
			add(two.jobs(), job("emails", 10), job("emails", 10));
			one.end(true);
			assertThat(info().total()).isOne();
			two.end(true);
		}
		assertThat(info().total()).isEqualTo(3);
	}

	@Test
	void membersOfARolledBackTransactionAreNone() {
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			add(transaction.jobs(), job("emails", 10));
			transaction.end(false);
		}
		seal();
		assertCalled(this.then, new BatchInfo(0, 0, 0, 0));
	}

	/**
	 * Neither transaction sees the other's tally, and each of them is the last one.
	 */
	@Test
	void twoLastMembersThatEndAtTheSameTimeCallBackOnce() {
		List<UUID> members = add(2);
		seal();
		ClaimedJob first = claimed(members.get(0));
		ClaimedJob second = claimed(members.get(1));
		List<UUID> ended = new ArrayList<>();
		try (OpenTransaction one = new OpenTransaction(this.dataSource);
				OpenTransaction two = new OpenTransaction(this.dataSource)) {
			ended.addAll(complete(one, first));
			ended.addAll(complete(two, second));
			one.end(true);
			resolve(ended);
			assertNotCalled();
			two.end(true);
		}
		CompletableFuture<?>[] resolutions = Stream.generate(() -> CompletableFuture.runAsync(() -> resolve(ended)))
			.limit(4)
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(resolutions).join();
		assertCalled(this.then, new BatchInfo(2, 2, 0, 0));
	}

	private Collection<UUID> complete(OpenTransaction transaction, ClaimedJob job) {
		return transaction.jobs().complete(this.worker, Completed.of(job, KEPT, null)).predecessors();
	}

	/**
	 * The JVM is killed after the outcome, or after the batch has finished and before the
	 * callback is released.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void sweepCallsBack(boolean finished) {
		UUID member = add();
		seal();
		succeed(member, KEPT);
		if (finished) {
			this.dependencies.resolve(List.of(this.batch));
			assertThat(isFinished()).isTrue();
		}
		assertThat(state(this.then)).isEqualTo("BLOCKED");
		assertThat(this.maintenance.reap(null).dependent()).isTrue();
		sweep();
		assertCalled(this.then, new BatchInfo(1, 1, 0, 0));
		assertThat(this.maintenance.reap(null).dependent()).isFalse();
	}

	private void sweep() {
		resolve(this.dependencies.sealedBatches(null, 9));
		Sweep sweep = this.dependencies.sweep(null, 9);
		this.dependencies.release(sweep.jobs());
	}

	@Test
	void sweepContinuesAfterTheLastBatch() {
		List<UUID> all = new ArrayList<>();
		for (int count = 0; count < 3; count++) {
			start(true);
			add();
			seal();
			all.add(this.batch);
		}
		List<UUID> first = this.dependencies.sealedBatches(null, 2);
		List<UUID> rest = this.dependencies.sealedBatches(first.get(1), 2);
		assertThat(Stream.of(first, rest).flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(all);
		assertThat(first).hasSize(2);
	}

	@Test
	void lockedCallbackIsReleasedLater() {
		UUID member = add();
		seal();
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			transaction.sql()
				.sql("SELECT 1 FROM jobqueue_job WHERE id = ? FOR UPDATE")
				.param(this.then)
				.query()
				.listOfRows();
			Set<UUID> due = this.dependencies.resolve(succeed(member, KEPT).predecessors()).satisfied();
			assertThat(this.dependencies.release(due).locked()).containsExactly(this.then);
		}
		sweep();
		assertCalled(this.then, new BatchInfo(1, 1, 0, 0));
	}

	/**
	 * The other callbacks of a batch do not keep those of other batches waiting.
	 */
	@Test
	void batchFinishesOnceItsOtherCallbackIsNotLocked() {
		seal(this.batch);
		UUID lockedBatch = this.batch;
		UUID locked = this.failure;
		start(true);
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			transaction.sql()
				.sql("SELECT 1 FROM jobqueue_job WHERE id = ? FOR UPDATE")
				.param(locked)
				.query()
				.listOfRows();
			seal(this.batch);
			Resolution resolution = resolve(Set.of(lockedBatch, this.batch));
			assertThat(resolution.locked()).containsExactly(lockedBatch);
			assertCalled(this.then, new BatchInfo(0, 0, 0, 0));
		}
		assertThat(resolve(Set.of(lockedBatch)).locked()).isEmpty();
		assertThat(this.batches.find(lockedBatch)).extracting(BatchDetails::finishedAt).isNotNull();
	}

	/**
	 * Many tallies make the statement take so long that a change is committed meanwhile.
	 */
	@Test
	void otherCallbackThatChangesMeanwhileIsDeleted() {
		AtomicBoolean finished = new AtomicBoolean();
		writeTallies(60_000, 1);
		seal(this.batch);
		CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
			while (!finished.get()) {
				this.sql.sql("UPDATE jobqueue_job SET priority = 11 - priority WHERE id = ?")
					.param(this.failure)
					.update();
			}
		});
		try {
			await().untilAsserted(() -> assertThat(resolve(Set.of(this.batch)).satisfied()).hasSize(1));
		}
		finally {
			finished.set(true);
			changes.join();
		}
		assertThat(callbacks()).containsExactly(this.then);
	}

	/**
	 * A transaction that seals a sealed batch does not lock it.
	 */
	@Test
	void secondSealDoesNotKeepTheBatchFromFinishing() {
		seal(this.batch);
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			assertThat(transaction.batches().seal(this.batch)).isTrue();
			resolve(Set.of(this.batch));
			assertCalled(this.then, new BatchInfo(0, 0, 0, 0));
		}
	}

	/**
	 * The tallies of single transactions are replaced by their sum, also while others
	 * replace them.
	 */
	@Test
	void talliesAreReplacedByTheirSum() {
		this.jobs.enqueue(Stream.generate(() -> job("emails", 10)).limit(500).toList(), new Origin(null, this.batch));
		seal();
		Stream.generate(() -> claim(this.worker, request("emails", 1)))
			.limit(250)
			.forEach((claimed) -> succeed(claimed));
		assertThat(tallies()).isEqualTo(251);
		CompletableFuture
			.allOf(Stream.generate(() -> CompletableFuture.runAsync(() -> resolve(Set.of(this.batch))))
				.limit(4)
				.toArray(CompletableFuture[]::new))
			.join();
		assertThat(tallies()).isLessThanOrEqualTo(4);
		assertThat(info()).isEqualTo(new BatchInfo(500, 250, 0, 0));
	}

	private void succeed(List<ClaimedJob> claimed) {
		ClaimedJob job = claimed.get(0);
		record(job, Completed.of(job, KEPT, null));
	}

	@Test
	void membersOfSeveralBatchesEndTogether() {
		UUID first = add();
		UUID firstBatch = this.batch;
		start(true);
		UUID second = add();
		ClaimedJob one = claimed(first);
		ClaimedJob two = claimed(second);
		Set<UUID> ended = this.jobs
			.recordOutcomes(this.worker,
					List.of(Completed.of(one, KEPT, null), new Dead(second, two.claim(), "error", KEPT)),
					Arrays.asList(one.claim(), two.claim()), CompletionEffects.NONE)
			.predecessors();
		assertThat(ended).containsExactlyInAnyOrder(firstBatch, this.batch);
		assertThat(info()).isEqualTo(new BatchInfo(1, 0, 1, 0));
		this.batch = firstBatch;
		assertThat(info()).isEqualTo(new BatchInfo(1, 1, 0, 0));
	}

	@Test
	void callbackThatWasDeletedIsNotCalled() {
		UUID member = add();
		this.operations.delete(List.of(this.then));
		seal();
		succeedAndResolve(member);
		assertThat(isFinished()).isTrue();
		assertThat(callbacks()).isEmpty();
	}

	/**
	 * The callback that is not needed counts as failed for jobs that wait for it, and for
	 * one whose transaction is open when it is deleted.
	 */
	@Test
	void jobsThatWaitForTheOtherCallbackFail() {
		UUID dependent = enqueueAfter(OnPredecessorFailure.FAIL, this.failure);
		NewJob late = after(OnPredecessorFailure.FAIL, this.failure);
		seal(this.batch);
		Set<UUID> predecessors = new HashSet<>();
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			predecessors.addAll(enqueueIn(transaction.jobs(), late));
			Resolution finished = resolve(Set.of(this.batch));
			assertThat(finished.locked()).containsExactly(this.failure);
			predecessors.addAll(finished.locked());
			transaction.end(true);
		}
		assertThat(this.dependencies.resolve(predecessors).failing()).containsOnlyKeys(dependent, late.id());
	}

	@Test
	void callbackIsNotReleasedBeforeTheEnd() {
		UUID member = add();
		assertThat(this.operations.release(this.then).jobs()).isEmpty();
		seal();
		assertNotCalled();
		succeedAndResolve(member);
		assertCalled(this.then, new BatchInfo(1, 1, 0, 0));
	}

	/**
	 * Two transactions that finish the same batches in another order do not wait for each
	 * other.
	 */
	@Test
	void lockedBatchFinishesLater() {
		UUID locked = this.batch;
		seal(locked);
		start(true);
		seal(this.batch);
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			transaction.sql()
				.sql("SELECT 1 FROM jobqueue_batch WHERE id = ? FOR UPDATE")
				.param(locked)
				.query()
				.listOfRows();
			assertThat(resolve(List.of(locked, this.batch)).locked()).containsExactly(locked);
			assertThat(isFinished()).isTrue();
		}
		assertThat(resolve(Set.of(locked)).satisfied()).hasSize(1);
	}

	/**
	 * Two transactions that replace or delete the same tallies in another order do not
	 * wait for each other.
	 */
	@Test
	void batchFinishesWithoutWaitingForLockedTallies() {
		writeTallies(150, 1);
		seal(this.batch);
		try (OpenTransaction transaction = new OpenTransaction(this.dataSource)) {
			transaction.sql()
				.sql("SELECT 1 FROM jobqueue_batch_tally WHERE batch_id = ? LIMIT 50 FOR UPDATE")
				.param(this.batch)
				.query()
				.listOfRows();
			assertThat(resolve(Set.of(this.batch)).satisfied()).hasSize(1);
		}
		assertThat(tallies()).isEqualTo(50);
		assertThat(info()).isEqualTo(new BatchInfo(150, 150, 0, 0));
	}

	/**
	 * A transaction may add members one by one.
	 */
	@Test
	void manyTalliesAreReplacedInSteps() {
		writeTallies(25_000, 0);
		assertThat(resolve(Set.of(this.batch)).more()).isTrue();
		assertThat(resolve(Set.of(this.batch)).more()).isTrue();
		assertThat(resolve(Set.of(this.batch)).more()).isFalse();
		assertThat(tallies()).isOne();
		assertThat(info()).isEqualTo(new BatchInfo(25_000, 0, 0, 0));
	}

	@Test
	void finishedBatchIsPurgedAfterSevenDays() {
		seal();
		finishedBefore("6 days 23 hours");
		assertThat(this.maintenance.purge(9).batches()).isZero();
		finishedBefore("7 days 1 hour");
		assertThat(this.maintenance.purge(9).batches()).isZero();
		die(this.then, KEPT);
		assertThat(this.maintenance.purge(9).batches()).isZero();
		this.operations.revive(List.of(this.then));
		assertThat(this.batches.findByJob(this.then)).isNotNull();
		succeed(this.then, KEPT);
		assertThat(this.maintenance.purge(9).batches()).isOne();
		assertThat(this.batches.find(this.batch)).isNull();
	}

	private void finishedBefore(String time) {
		this.sql.sql("UPDATE jobqueue_batch SET finished_at = now() - ?::interval").param(time).update();
	}

	@Test
	void unfinishedBatchesAreListed() {
		UUID first = this.batch;
		start(true);
		assertThat(this.batches.unfinished(9)).extracting(BatchDetails::id)
			.containsExactlyInAnyOrder(first, this.batch);
		assertThat(this.batches.unfinished(1)).hasSize(1);
		seal();
		assertThat(this.batches.unfinished(9)).extracting(BatchDetails::id).containsExactly(first);
	}

}
