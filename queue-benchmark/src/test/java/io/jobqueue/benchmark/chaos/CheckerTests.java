package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.jobqueue.Delivery;
import io.jobqueue.JobQueue;
import io.jobqueue.Workflows;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link Checker}, and for the {@link Ledger} that it reads.
 */
@Tag("slow") // tests the benchmark's own checks
class CheckerTests {

	private static BenchmarkDatabase database;

	private final UUID job = UUID.randomUUID();

	@BeforeAll
	static void open() throws IOException {
		database = BenchmarkDatabase.open();
		new SchemaMigration(database.dataSource(), null, true).afterPropertiesSet();
		database.execute(Ledger.TABLES);
	}

	@AfterAll
	static void close() throws IOException {
		database.close();
	}

	@BeforeEach
	void clear() {
		List.of("chaos_order", "chaos_effect", "jobqueue_job", "jobqueue_archive")
			.forEach((table) -> database.execute("DELETE FROM " + table));
	}

	@ParameterizedTest
	@EnumSource
	void oneEffectOfAJobThatSucceededIsAsPromised(Delivery delivery) {
		ordered(delivery);
		effect(this.job, 3);
		archived("SUCCEEDED");
		assertThat(check(this.job)).isEqualTo(new VerdictBuilder().jobs(1).recoverySeconds(3).build());
		assertThat(suspects()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void secondEffectIsForbiddenUnlessPromisedOtherwise(Delivery delivery) {
		ordered(delivery);
		effect(this.job, 3);
		effect(this.job, 4);
		archived("SUCCEEDED");
		VerdictBuilder expected = new VerdictBuilder().jobs(1).recoverySeconds(3);
		assertThat(check(this.job)).isEqualTo((switch (delivery) {
			case AT_LEAST_ONCE -> expected.redelivered(1);
			case TRANSACTIONAL -> expected.doubledTransactional(1);
			case AT_MOST_ONCE -> expected.doubledAtMostOnce(1);
		}).build());
		assertThat(suspects()).hasSize((delivery == Delivery.AT_LEAST_ONCE) ? 0 : 1);
	}

	@ParameterizedTest
	@EnumSource
	void onlyAJobThatIsDeliveredAtMostOnceMayDie(Delivery delivery) {
		ordered(delivery);
		archived("DEAD");
		assertThat(check(this.job).lost()).isEqualTo((delivery == Delivery.AT_MOST_ONCE) ? 0 : 1);
	}

	@ParameterizedTest
	@EnumSource
	void jobWithoutATraceIsLost(Delivery delivery) {
		ordered(delivery);
		assertThat(check().lost()).isEqualTo(1);
		assertThat(suspects()).containsExactly(this.job);
	}

	@ParameterizedTest
	@EnumSource
	void successWithoutItsEffectIsALoss(Delivery delivery) {
		ordered(delivery);
		archived("SUCCEEDED");
		assertThat(check().lost()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource
	void jobThatIsStillThereIsLost(Delivery delivery) {
		ordered(delivery);
		effect(this.job, 1);
		waiting();
		assertThat(check().lost()).isEqualTo(1);
		archived("SUCCEEDED");
		assertThat(check().lost()).isEqualTo(1);
	}

	@Test
	void effectBeforeTheEndOfTheJobBeforeIsEarly() {
		ordered(Delivery.TRANSACTIONAL);
		effect(this.job, 3);
		archived("SUCCEEDED");
		database.execute("UPDATE chaos_effect SET early = true");
		assertThat(check(this.job)).isEqualTo(new VerdictBuilder().jobs(1).early(1).recoverySeconds(3).build());
		assertThat(suspects()).containsExactly(this.job);
	}

	@Test
	void jobThatWasNotCommittedCountsAsLost() {
		archived("SUCCEEDED");
		assertThat(check()).isEqualTo(new VerdictBuilder().lost(1).build());
	}

	@Test
	void effectOfAJobThatWasNotCommittedCountsAsLost() {
		effect(this.job, 1);
		assertThat(check().lost()).isEqualTo(1);
	}

	@Test
	void acknowledgedJobThatIsNotInTheLedgerIsLost() {
		assertThat(check(UUID.randomUUID(), UUID.randomUUID()).lost()).isEqualTo(2);
	}

	@Test
	void effectOutsideATransactionWhosePoolWasReplacedIsRefused() {
		try (ReplaceablePool pool = new ReplaceablePool(() -> ChaosApplication.pool(database.url()))) {
			JdbcTransactionManager transactions = new JdbcTransactionManager(pool);
			Ledger ledger = new Ledger(mock(JobQueue.class), mock(Workflows.class), new JdbcTemplate(pool),
					transactions);
			assertThatIllegalStateException()
				.isThrownBy(() -> new TransactionTemplate(transactions).executeWithoutResult((status) -> {
					ledger.effect(this.job, null);
					assertThat(pool.replace()).isOne();
					assertThatIllegalStateException().isThrownBy(() -> ledger.effect(this.job, null))
						.withMessage("The pool was replaced after the transaction began");
				}));
			assertThat(effects()).isZero();
			ledger.effect(this.job, null);
			assertThat(effects()).isOne();
		}
	}

	private static long effects() {
		return database.sql().sql("SELECT count(*) FROM chaos_effect").query(Long.class).single();
	}

	private Verdict check(UUID... acknowledged) {
		return new Checker(database.sql()).check(List.of(acknowledged));
	}

	private List<Object> suspects() {
		return new Checker(database.sql()).suspects().stream().map((suspect) -> suspect.get("id")).toList();
	}

	private void ordered(Delivery delivery) {
		database.sql()
			.sql("INSERT INTO chaos_order VALUES (?, ?, '2026-11-20 12:00:00Z')")
			.params(this.job, delivery.name())
			.update();
	}

	private void effect(UUID of, int second) {
		database.sql()
			.sql("INSERT INTO chaos_effect VALUES (?, '2026-11-20 12:00:00Z'::timestamptz + ? * interval '1 second')")
			.params(of, second)
			.update();
	}

	private void archived(String state) {
		database.sql().sql("""
				INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority,
				                              state, queue, type, payload)
				VALUES (?, 1, now(), now(), now(), 1, 0, 10, ?, 'chaos', 'any', '{}')
				""").params(this.job, state).update();
	}

	private void waiting() {
		database.sql().sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				VALUES (?, now(), now(), 10, 'chaos', 'any', '{}')
				""").param(this.job).update();
	}

}
