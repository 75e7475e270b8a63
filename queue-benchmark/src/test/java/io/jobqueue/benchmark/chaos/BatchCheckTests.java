package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.BatchInfo;
import io.jobqueue.Delivery;
import io.jobqueue.JobQueue;
import io.jobqueue.Workflows;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link Checker}: the callbacks of batches.
 */
@Tag("slow") // tests the benchmark's own checks
class BatchCheckTests {

	private static BenchmarkDatabase database;

	private final UUID batch = UUID.randomUUID();

	private final UUID callback = UUID.randomUUID();

	private final UUID other = UUID.randomUUID();

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
		List.of("chaos_order", "chaos_effect", "jobqueue_job", "jobqueue_archive", "jobqueue_batch")
			.forEach((table) -> database.execute("DELETE FROM " + table));
	}

	@ParameterizedTest
	@EnumSource
	void oneCallbackWithTheNumbersOfTheMembersIsAsPromised(Delivery delivery) {
		ordered(this.callback, delivery, null);
		members("SUCCEEDED", "DEAD");
		called(2, 1, 1, 0);
		assertVerdict(new VerdictBuilder().jobs(3).batches(1));
		assertThat(suspects()).isEmpty();
	}

	@Test
	void batchWithoutMembersIsCalledBackAsWell() {
		ordered(this.callback, Delivery.TRANSACTIONAL, null);
		called(0, 0, 0, 0);
		assertVerdict(new VerdictBuilder().jobs(1).batches(1));
	}

	@ParameterizedTest
	@EnumSource
	void secondCallIsForbiddenUnlessPromisedOtherwise(Delivery delivery) {
		ordered(this.callback, delivery, null);
		called(0, 0, 0, 0);
		effect(new BatchInfo(0, 0, 0, 0));
		Verdict verdict = check();
		assertThat(verdict.doubledTransactional()).isEqualTo((delivery == Delivery.TRANSACTIONAL) ? 1 : 0);
		assertThat(verdict.doubledAtMostOnce()).isEqualTo((delivery == Delivery.AT_MOST_ONCE) ? 1 : 0);
		assertThat(verdict.redelivered()).isEqualTo((delivery == Delivery.AT_LEAST_ONCE) ? 1 : 0);
	}

	@ParameterizedTest
	@EnumSource
	void sealedBatchThatIsNotCalledBackIsLost(Delivery delivery) {
		ordered(this.callback, delivery, null);
		assertVerdict(new VerdictBuilder().jobs(1).lost(1).batches(1));
		assertThat(suspects()).containsExactly(this.callback);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void sealedBatchWhoseCallbackWaitsIsLost(boolean queueHasSealedIt) {
		ordered(this.callback, Delivery.TRANSACTIONAL, null);
		started(queueHasSealedIt);
		live(this.callback);
		assertThat(check().lost()).isEqualTo(1);
	}

	@Test
	void callbackOfABatchThatIsNotSealedIsNotExpected() {
		started(false);
		live(this.callback);
		live(this.other);
		assertVerdict(new VerdictBuilder());
		assertThat(suspects()).isEmpty();
	}

	@Test
	void callbackOfABatchThatIsNotSealedCountsAsLostIfItRuns() {
		started(false);
		called(0, 0, 0, 0);
		assertThat(check().lost()).isEqualTo(1);
	}

	@Test
	void callbackOfASealThatWasNotCommittedCountsAsLost() {
		started(true);
		live(this.callback);
		assertThat(check().lost()).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "SUCCEEDED,false", "DEAD,true" })
	void oneOfTwoCallbacksIsExpected(String end, boolean onFailure) {
		ordered(this.callback, Delivery.TRANSACTIONAL, onFailure);
		ordered(this.other, Delivery.TRANSACTIONAL, !onFailure);
		members(end);
		called(1, onFailure ? 0 : 1, onFailure ? 1 : 0, 0);
		assertVerdict(new VerdictBuilder().jobs(2).batches(1));
		archived(this.other, "SUCCEEDED");
		assertThat(check().lost()).isEqualTo(1);
		assertThat(suspects()).containsExactly(this.other);
	}

	@ParameterizedTest
	@CsvSource({ "SUCCEEDED,true", "DEAD,false" })
	void callbackForOtherEndsIsALossOfBoth(String end, boolean onFailure) {
		ordered(this.callback, Delivery.TRANSACTIONAL, onFailure);
		ordered(this.other, Delivery.TRANSACTIONAL, !onFailure);
		members(end);
		called(1, 1, 0, 0);
		assertThat(check().lost()).isEqualTo(2);
		assertThat(suspects()).containsExactlyInAnyOrder(this.callback, this.other);
	}

	@ParameterizedTest
	@CsvSource({ "3,2,1,0", "1,0,1,0", "2,0,1,0", "2,1,0,0", "2,2,0,0", "2,0,2,0", "2,1,0,1" })
	void otherNumbersThanThoseOfTheMembersAreMiscounted(long total, long succeeded, long dead, long cancelled) {
		ordered(this.callback, Delivery.TRANSACTIONAL, null);
		members("SUCCEEDED", "DEAD");
		called(total, succeeded, dead, cancelled);
		assertVerdict(new VerdictBuilder().jobs(3).batches(1).miscountedBatches(1));
		assertThat(suspects()).containsExactly(this.callback);
	}

	@Test
	void callWithoutNumbersIsMiscounted() {
		ordered(this.callback, Delivery.TRANSACTIONAL, null);
		effect(null);
		archived(this.callback, "SUCCEEDED");
		assertVerdict(new VerdictBuilder().jobs(1).batches(1).miscountedBatches(1));
	}

	@Test
	void callBeforeTheCommitOfTheSealIsEarly() {
		effect(new BatchInfo(0, 0, 0, 0));
		ordered(this.callback, Delivery.TRANSACTIONAL, null);
		archived(this.callback, "SUCCEEDED");
		assertThat(check().early()).isEqualTo(1);
		assertThat(suspects()).containsExactly(this.callback);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callBeforeTheEndOfAMemberIsEarly(boolean early) {
		ordered(this.callback, Delivery.TRANSACTIONAL, null);
		UUID last = members("SUCCEEDED", "SUCCEEDED");
		if (early) {
			live(last);
		}
		effect(new BatchInfo(2, 2, 0, 0));
		database.execute("DELETE FROM jobqueue_job");
		archived(this.callback, "SUCCEEDED");
		assertThat(check().early()).isEqualTo(early ? 1 : 0);
		assertThat(suspects()).hasSize(early ? 1 : 0);
	}

	/**
	 * Leaves out the figures that are not about callbacks.
	 */
	private static void assertVerdict(VerdictBuilder expected) {
		assertThat(check()).usingRecursiveComparison()
			.ignoringFields("deadShare", "recoverySeconds")
			.isEqualTo(expected.build());
	}

	private static Verdict check() {
		return new Checker(database.sql()).check(List.of());
	}

	private static List<Object> suspects() {
		return new Checker(database.sql()).suspects().stream().map((suspect) -> suspect.get("id")).toList();
	}

	private static Ledger ledger() {
		return new Ledger(mock(JobQueue.class), mock(Workflows.class), new JdbcTemplate(database.dataSource()),
				new DataSourceTransactionManager(database.dataSource()));
	}

	private void ordered(UUID job, Delivery delivery, @Nullable Boolean onFailure) {
		database.sql()
			.sql("INSERT INTO chaos_order (job_id, delivery, callback_of, on_failure) VALUES (?, ?, ?, ?::boolean)")
			.param(job)
			.param(delivery.name())
			.param(this.batch)
			.param(onFailure)
			.update();
	}

	private UUID members(String... ends) {
		UUID member = this.batch;
		for (String end : ends) {
			member = UUID.randomUUID();
			database.sql()
				.sql("INSERT INTO chaos_order (job_id, delivery, batch_id) VALUES (?, 'AT_MOST_ONCE', ?)")
				.params(member, this.batch)
				.update();
			database.sql().sql("INSERT INTO chaos_effect (job_id) VALUES (?)").param(member).update();
			archived(member, end);
		}
		return member;
	}

	private void called(long total, long succeeded, long dead, long cancelled) {
		effect(new BatchInfo(total, succeeded, dead, cancelled));
		archived(this.callback, "SUCCEEDED");
	}

	private void effect(@Nullable BatchInfo numbers) {
		ledger().effect(this.callback, numbers);
	}

	private void started(boolean isSealed) {
		database.sql().sql("""
				INSERT INTO jobqueue_batch (id, then_id, failure_id, created_at, sealed_at, name)
				VALUES (?, ?, ?, now(), CASE WHEN ? THEN now() END, 'chaos')
				""").params(this.batch, this.callback, this.other, isSealed).update();
	}

	private static void archived(UUID job, String state) {
		database.sql().sql("""
				INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority,
				                              state, queue, type, payload)
				VALUES (?, 1, now(), now(), now(), 1, 0, 10, ?, 'chaos', 'any', '{}')
				""").params(job, state).update();
	}

	private static void live(UUID job) {
		database.sql().sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				VALUES (?, now(), now(), 10, 'chaos', 'any', '{}')
				""").param(job).update();
	}

}
