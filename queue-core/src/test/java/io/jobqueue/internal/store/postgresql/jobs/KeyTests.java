package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a key changes, and what it does to others.
 */
@Tag("pooler") // statements of the store
@Tag("container") // statements of the store
class KeyTests extends KeyTestBase {

	private static final int CALLERS = 4;

	@Test
	void takesTwoStatements() {
		CountingDataSource counting = new CountingDataSource(this.dataSource);
		PostgresStores.of(counting, this.dataSource, null).jobs().enqueue(List.of(request(OnDuplicate.KEEP)));
		assertThat(counting.sent()).hasSize(2);
	}

	@Test
	void updateKeepsIdPlaceAndAttempts() {
		UUID job = addOld(ZERO, null).id();
		ClaimedJob claimed = run();
		recordOutcomes(this.holder, Outcomes.retried(claimed, LONG));
		long seq = column("seq", job, Long.class);
		assertThat(again(OnDuplicate.UPDATE)).isEqualTo(new JobReceipt(job, Outcome.UPDATED));
		assertThat(column("seq", job, Long.class)).isEqualTo(seq);
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
		assertThat(column("failures", job, Integer.class)).isEqualTo(1);
	}

	@Test
	void updateReplacesAllElse() {
		UUID job = addOld(ZERO, null).id();
		add(new NewJobBuilder().type("fax")
			.payload(NEW)
			.priority(33)
			.delay(LONG)
			.maxAttempts(7)
			.maxRunTime(LONG)
			.headers("{\"a\":\"b\"}")
			.key("signup-42", OnDuplicate.UPDATE, LONG)
			.orderedBy("o")
			.limitedBy("l")
			.group("g")
			.build());
		assertThat(this.sql
			.sql("""
					SELECT concat_ws(' ', type, payload, priority, max_attempts, max_run_millis, headers, ordering_key, limit_key,
					                 job_group, dedupe_millis)
					FROM jobqueue_job WHERE id = ?
					""")
			.param(job)
			.query(String.class)
			.single()).isEqualTo("fax " + NEW + " 33 7 3600000 {\"a\":\"b\"} o l g 3600000");
	}

	@Test
	void keyOfAnotherQueueIsAnotherKey() {
		addOld(ZERO, null);
		NewJob elsewhere = new NewJobBuilder().queue("invoices").key("signup-42", OnDuplicate.KEEP, null).build();
		assertThat(add(elsewhere).outcome()).isEqualTo(Outcome.ADDED);
	}

	@Test
	void onlyJobsThatMayRunAreReturnedAsAvailable() {
		addOld(ZERO, null);
		assertThat(available(OnDuplicate.KEEP)).isZero();
		assertThat(available(OnDuplicate.UPDATE)).isOne();
		run();
		assertThat(available(OnDuplicate.REQUEUE)).isZero();
	}

	private int available(OnDuplicate onDuplicate) {
		return inTransaction(() -> this.jobs.enqueue(List.of(request(onDuplicate))).available().size());
	}

	@Test
	void settingsOfTheTransactionStayAsTheyAre() {
		this.transaction.executeWithoutResult((status) -> {
			assertThat(sequentialScans()).isEqualTo("on");
			this.jobs.enqueue(List.of(request(OnDuplicate.KEEP), request(OnDuplicate.KEEP)));
			assertThat(sequentialScans()).isEqualTo("on");
			this.sql.sql("SET LOCAL enable_seqscan = off").update();
			again(OnDuplicate.KEEP);
			assertThat(sequentialScans()).isEqualTo("off");
		});
	}

	private String sequentialScans() {
		return this.sql.sql("SHOW enable_seqscan").query(String.class).single();
	}

	@Test
	void rollbackToASavepointFreesTheKey() {
		this.transaction.executeWithoutResult((status) -> {
			Object savepoint = status.createSavepoint();
			again(OnDuplicate.KEEP);
			status.rollbackToSavepoint(savepoint);
			assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.ADDED);
		});
		assertThat(count("jobqueue_job")).isEqualTo(1);
	}

	@Test
	void duplicateLeavesTheTransactionUsable() {
		addOld(ZERO, null);
		this.transaction.executeWithoutResult((status) -> {
			assertThat(again(OnDuplicate.KEEP).accepted()).isFalse();
			enqueue("emails", 1);
		});
		assertThat(count("jobqueue_job")).isEqualTo(2);
	}

	@Test
	void lostRaceIsASerializationFailureUnderRepeatableRead() {
		assertThatExceptionOfType(PessimisticLockingFailureException.class)
			.isThrownBy(() -> repeatableRead().executeWithoutResult((status) -> {
				enqueue("emails", 1);
				CompletableFuture.runAsync(() -> again(OnDuplicate.KEEP)).join();
				again(OnDuplicate.KEEP);
			}));
	}

	/**
	 * A limit that the documentation names: the window's row is not in the snapshot, and
	 * nothing that the transaction writes conflicts with it.
	 */
	@Test
	void windowThatBeganMeanwhileIsNotSeenUnderRepeatableRead() {
		ClaimedJob job = addAndRun(LONG);
		Outcome outcome = Objects.requireNonNull(repeatableRead().execute((status) -> {
			assertThat(count("jobqueue_key")).isEqualTo(1);
			CompletableFuture.runAsync(() -> succeed(job)).join();
			return again(OnDuplicate.KEEP).outcome();
		}));
		assertThat(outcome).isEqualTo(Outcome.ADDED);
	}

	/**
	 * The transaction still sees the key's row that is gone, beside its own.
	 */
	@ParameterizedTest
	@EnumSource
	void keyThatWasFreedMeanwhileIsTakenOnceUnderRepeatableRead(OnDuplicate mode) {
		ClaimedJob job = addAndRun(null);
		Outcome outcome = Objects.requireNonNull(repeatableRead().execute((status) -> {
			assertThat(count("jobqueue_key")).isEqualTo(1);
			CompletableFuture.runAsync(() -> succeed(job)).join();
			return again(mode).outcome();
		}));
		assertThat(outcome).isEqualTo(Outcome.ADDED);
		assertThat(count("jobqueue_job")).isEqualTo(1);
		assertThat(again(OnDuplicate.KEEP).outcome()).isEqualTo(Outcome.ALREADY_WAITING);
	}

	private TransactionTemplate repeatableRead() {
		return new TransactionTemplate(new RepeatableRead(this.dataSource));
	}

	@Test
	void listIsDecidedInItsOrder() {
		List<NewJob> jobs = List.of(job("emails", 10), request(OnDuplicate.KEEP),
				keyed("b", OLD, LONG, OnDuplicate.KEEP, null), request(OnDuplicate.UPDATE), job("emails", 10),
				request(OnDuplicate.KEEP));
		List<JobReceipt> receipts = inTransaction(() -> this.jobs.enqueue(jobs).receipts());
		assertThat(receipts).extracting(JobReceipt::outcome)
			.containsExactly(Outcome.ADDED, Outcome.ADDED, Outcome.ADDED, Outcome.UPDATED, Outcome.ADDED,
					Outcome.ALREADY_WAITING);
		assertThat(receipts.get(3).id()).isEqualTo(receipts.get(5).id()).isEqualTo(jobs.get(1).id());
		assertThat(this.sql.sql("SELECT id FROM jobqueue_job ORDER BY seq").query(UUID.class).list())
			.containsExactly(jobs.get(0).id(), jobs.get(1).id(), jobs.get(2).id(), jobs.get(4).id());
	}

	@Test
	void listsWithTheSameKeysDoNotDeadlock() {
		ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
		CompletableFuture
			.allOf(IntStream.range(0, CALLERS)
				.mapToObj((seed) -> CompletableFuture.runAsync(() -> enqueueShuffledKeys(seed), threads))
				.toArray(CompletableFuture[]::new))
			.join();
		threads.shutdown();
		assertThat(count("jobqueue_job")).isEqualTo(20);
	}

	private void enqueueShuffledKeys(int seed) {
		Random random = new Random(seed);
		for (int call = 0; call < 50; call++) {
			List<NewJob> jobs = new ArrayList<>(IntStream.range(0, 20)
				.mapToObj((key) -> keyed("key " + key, NEW, ZERO, OnDuplicate.UPDATE, null))
				.toList());
			Collections.shuffle(jobs, random);
			this.transaction.executeWithoutResult((status) -> this.jobs.enqueue(jobs));
		}
	}

	/**
	 * A job that is about to be changed waits for the change.
	 */
	@ParameterizedTest
	@EnumSource
	void openTransactionDelaysNoOtherJob(OnDuplicate mode) {
		UUID own = addOld(ZERO, null).id();
		UUID other = enqueue(job("emails", 10));
		this.transaction.executeWithoutResult((status) -> {
			again(mode);
			assertThat(CompletableFuture.supplyAsync(() -> claim(worker(), request("emails", 9))).join())
				.extracting(ClaimedJob::id)
				.containsExactlyInAnyOrderElementsOf((mode == OnDuplicate.KEEP) ? List.of(own, other) : List.of(other));
		});
	}

	/**
	 * Sets the isolation of the transaction alone: that of the session would stay behind
	 * in a pooler.
	 */
	@SuppressWarnings("serial")
	private static final class RepeatableRead extends JdbcTransactionManager {

		RepeatableRead(DataSource dataSource) {
			super(dataSource);
		}

		@Override
		protected void prepareTransactionalConnection(Connection connection, TransactionDefinition definition)
				throws SQLException {
			try (Statement statement = connection.createStatement()) {
				statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
			}
		}

	}

}
