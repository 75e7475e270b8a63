package io.jobqueue.internal.store.postgresql.search;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.MaintenanceStore;
import io.jobqueue.internal.store.OperatorLogStore;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogPage;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogPosition;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogQuery;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogRow;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The operator log, read page by page, and purged.
 */
class OperatorLogStoreTests extends StoreTestBase {

	private final OperatorLogStore log = this.stores.operatorLog();

	@Test
	void emptyLogHasNoPage() {
		assertThat(this.log.list(new OperatorLogQuery(null, null, null, 50)))
			.isEqualTo(new OperatorLogPage(List.of(), null, false));
	}

	@Test
	void latestIsFirst() {
		LoggedOperation pause = new LoggedOperation(UUID.randomUUID(), "pause", null, "emails", null, "broken");
		LoggedOperation retry = new LoggedOperation(UUID.randomUUID(), "retry", "7", "JobQuery[]", "alice", null);
		this.log.add(pause);
		assertThat(this.log.beginStep(retry, 0)).isTrue();
		List<OperatorLogRow> rows = this.log.list(new OperatorLogQuery(null, null, null, 50)).rows();
		assertThat(rows).extracting(OperatorLogRow::operation).containsExactly(retry, pause);
		assertThat(rows).extracting(OperatorLogRow::affected).containsExactly(0L, null);
		assertThat(rows).extracting(OperatorLogRow::steps).containsExactly(1, null);
	}

	@Test
	void pagesHoldEachRowOnce() {
		insert(25, "alice", "retry");
		insert(25, null, "delete");
		insert(25, "bob", "retry");
		assertThat(all(null, null)).hasSize(75);
		assertThat(all("alice", null)).hasSize(25).allMatch((row) -> "alice".equals(row.operation().operator()));
		assertThat(all(null, "retry")).hasSize(50).allMatch((row) -> row.operation().name().equals("retry"));
		assertThat(all("bob", "retry")).hasSize(25);
		assertThat(all("bob", "delete")).isEmpty();
	}

	/**
	 * All rows of a statement have the same time.
	 */
	private void insert(int count, @Nullable String operator, String operation) {
		this.sql.sql("""
				INSERT INTO jobqueue_operator_log (id, at, affected, operation, subject, operator)
				SELECT gen_random_uuid(), now(), 1, ?, 'job', ? FROM generate_series(1, ?)
				""").params(operation, operator, count).update();
	}

	private List<OperatorLogRow> all(@Nullable String operator, @Nullable String operation) {
		List<OperatorLogRow> all = new ArrayList<>();
		OperatorLogPosition after = null;
		do {
			OperatorLogPage page = this.log.list(new OperatorLogQuery(operator, operation, after, 7));
			all.addAll(page.rows());
			after = page.next();
		}
		while (after != null);
		assertThat(all).doesNotHaveDuplicates();
		return all;
	}

	@Test
	void pageEndsAtItsTimesAndReadsTheIndexes() {
		insert(1, "alice", "pause");
		insert(30_000, null, "cancel");
		insert(20_000, "alice", "retry");
		this.sql.sql("UPDATE jobqueue_operator_log SET at = at - interval '1 hour' WHERE operation = 'pause'").update();
		this.sql.sql("VACUUM ANALYZE jobqueue_operator_log").update();
		PlanRecorder recorder = new PlanRecorder(this.database);
		OperatorLogStore recorded = PostgresStores.of(recorder, recorder, null).operatorLog();
		recorder.take();
		assertThat(recorded.list(new OperatorLogQuery(null, null, null, 50)).rows()).hasSize(50);
		assertReads(recorder, "jobqueue_operator_log_at", 200);
		assertThat(recorded.list(new OperatorLogQuery("alice", null, null, 50)).rows()).hasSize(50);
		assertReads(recorder, "jobqueue_operator_log_operator", 200);
		OperatorLogPage partial = recorded.list(new OperatorLogQuery("alice", "pause", null, 50));
		assertThat(partial.partial()).isTrue();
		assertThat(partial.rows()).isEmpty();
		assertReads(recorder, "jobqueue_operator_log_operator", 15_000);
		assertThat(all("alice", "pause")).hasSize(1);
	}

	private static void assertReads(PlanRecorder recorder, String index, long buffers) {
		assertThat(recorder.takeOnly()).satisfies((plan) -> {
			assertThat(plan.readsOf("jobqueue_operator_log")).as(plan.toString()).containsOnly("Index Scan " + index);
			assertThat(plan.buffers()).as(plan.toString()).isLessThan(buffers);
		});
	}

	@Test
	void operationsArePurgedAfter90Days() {
		insert(3, "alice", "retry");
		this.sql.sql("UPDATE jobqueue_operator_log SET at = now() - interval '90 days'").update();
		insert(1, "alice", "pause");
		this.sql.sql("UPDATE jobqueue_operator_log SET at = now() - interval '89 days' WHERE operation = 'pause'")
			.update();
		assertThat(this.stores.maintenance().purge(2).isFull(2)).isTrue();
		assertThat(this.stores.maintenance().purge(2).isFull(2)).isFalse();
		assertThat(this.sql.sql("SELECT operation FROM jobqueue_operator_log").query(String.class).list())
			.containsExactly("pause");
	}

	/**
	 * With 5 and 8 in place of 1,000,000 and 1,100,000. The statistics still say that
	 * there are 8 when there are 5.
	 */
	@Test
	void operationsArePurgedBeyondANumber() {
		MaintenanceStore maintenance = this.stores
			.forTests(UnaryOperator.identity(), (sql) -> sql.replace("1000000", "5").replace("1100000", "8"))
			.maintenance();
		for (int number = 1; number <= 7; number++) {
			insert(1, "alice", "old");
		}
		purgeAll(maintenance);
		assertThat(countOf("old")).isEqualTo(7);
		insert(1, "alice", "new");
		purgeAll(maintenance);
		assertThat(countOf("old")).isEqualTo(4);
		purgeAll(maintenance);
		assertThat(countOf("old") + countOf("new")).isEqualTo(5);
	}

	private void purgeAll(MaintenanceStore maintenance) {
		this.sql.sql("ANALYZE jobqueue_operator_log").update();
		while (maintenance.purge(2).isFull(2)) {
			assertThat(countOf("new")).isOne();
		}
	}

	private long countOf(String operation) {
		return this.sql.sql("SELECT count(*) FROM jobqueue_operator_log WHERE operation = ?")
			.param(operation)
			.query(Long.class)
			.single();
	}

	@Test
	void purgeDoesNotCountALogThatIsNotTooLarge() {
		insert(20_000, "alice", "retry");
		this.sql.sql("VACUUM ANALYZE jobqueue_operator_log").update();
		PlanRecorder recorder = new PlanRecorder(this.database);
		MaintenanceStore recorded = PostgresStores.of(recorder, recorder, null).maintenance();
		recorder.take();
		assertThat(recorded.purge(1_000).operations()).isZero();
		assertThat(recorder.takeOnly().buffers()).isLessThan(50);
	}

}
