package io.jobqueue.internal.store.postgresql.recurring;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.RecurringJobPage;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.RecurringStore;
import io.jobqueue.internal.store.RecurringStore.DueSchedule;
import io.jobqueue.internal.store.RecurringStore.Scan;
import io.jobqueue.internal.store.RecurringStore.Tick;
import io.jobqueue.internal.store.RecurringStore.TickedJob;
import io.jobqueue.internal.store.WorkerStore.CheckInResult;
import io.jobqueue.internal.store.WorkerStore.Ticks;
import io.jobqueue.internal.store.WorkerStore.Worker;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the server reads to find and tick the due ones of 100,000 schedules.
 */
class RecurringPlanTests extends StoreTestBase {

	private static final int MANY = 100_000;

	private static final int DUE = 100;

	private static final Set<String> DECLARED = Set.of("declared-1", "declared-2");

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final RecurringStore recorded = PostgresStores.of(this.recorder, this.database.dataSource(), null)
		.recurring();

	private final PostgresStores heartbeat = PostgresStores.of(this.database.dataSource(), this.recorder, null);

	@BeforeAll
	void fill() {
		insert("later", MANY, "now() + interval '1 hour' + n * interval '1 millisecond'", false);
		insert("declared", 100, "now() + interval '1 hour'", true);
	}

	@Override
	@BeforeEach
	public void empty() {
		this.sql.sql("DELETE FROM jobqueue_recurring WHERE name LIKE 'due-%'").update();
		this.sql.sql("VACUUM ANALYZE jobqueue_recurring").update();
		this.recorder.take();
	}

	private void insert(String name, int count, String nextAt, boolean declared) {
		this.sql.sql("""
				INSERT INTO jobqueue_recurring (name, version, queue, type, payload, rate_millis, misfire, overlap,
				    jitter_millis, declared, anchor_at, next_at)
				SELECT '%s-' || n, 0, 'emails', 'mail', '{}', 3600000, 'ONCE', 'SKIP', 0, %s, now(), %s
				FROM generate_series(1, %d) n
				""".formatted(name, declared, nextAt, count)).update();
	}

	@Test
	void scanReadsTheDueSchedulesOnly() {
		insert("due", DUE, "date_trunc('minute', now())", false);
		assertThat(this.recorded.scan(DECLARED, null, List.of()).due()).hasSize(DUE);
		assertFound(this.recorder.takeOnly(), 800);
	}

	@Test
	void scanWithoutDueSchedulesReadsNextToNothing() {
		Scan scan = this.recorded.scan(DECLARED, null, List.of());
		assertThat(scan.due()).isEmpty();
		assertThat(scan.nextAt()).isNotNull();
		assertFound(this.recorder.takeOnly(), 50);
	}

	@Test
	void tickFindsItsSchedulesByTheirNames() {
		insert("due", DUE, "date_trunc('minute', now())", false);
		assertThat(tickAll().names()).hasSize(DUE);
		Plan plan = this.recorder.takeOnly();
		assertThat(plan.readsOf("jobqueue_recurring")).as(plan.toString())
			.containsExactly("Index Scan jobqueue_recurring_pkey");
		assertBuffers(plan, 3_000);
	}

	@Test
	void tickOfOneScheduleReadsThatScheduleOnly() {
		insert("due", 1, "date_trunc('minute', now())", false);
		assertThat(tickAll().names()).hasSize(1);
		Plan plan = this.recorder.takeOnly();
		assertThat(plan.readsOf("jobqueue_recurring")).as(plan.toString())
			.containsExactly("Index Scan jobqueue_recurring_pkey");
		assertBuffers(plan, 150);
	}

	private RecurringStore.TickResult tickAll() {
		Scan scan = this.recorded.scan(DECLARED, null, List.of());
		this.recorder.take();
		return this.recorded.tick(scan.due().stream().map((due) -> tick(due, scan.at())).toList());
	}

	private static Tick tick(DueSchedule due, Instant at) {
		return new Tick(due.name(), due.version(), at.plus(Duration.ofHours(1)), 0, 0,
				List.of(new TickedJob(UUID.randomUUID(), due.dueAt(), due.dueAt(), null, 10)));
	}

	@Test
	void heartbeatFindsTheNextTickWithoutLookingAtTheOthers() {
		assertThat(checkIn(null).nextTickAt()).isNotNull();
		assertFound(this.recorder.takeOnly(), 60);
	}

	/**
	 * A session that may still see them keeps the rows and index entries of ticks.
	 */
	@Test
	void ticksThatASnapshotKeepsAreNotReadAgain() throws SQLException {
		insert("due", 20_000, "now() - interval '1 minute'", false);
		try (Connection reader = this.database.dataSource().getConnection()) {
			reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			reader.setAutoCommit(false);
			reader.createStatement().execute("SELECT 1");
			this.sql.sql("UPDATE jobqueue_recurring SET next_at = now() + interval '1 hour' WHERE name LIKE 'due-%'")
				.update();
			Instant from = this.stores.recurring().scan(DECLARED, null, List.of()).nextAt();
			assertThat(this.recorded.scan(DECLARED, from, List.of()).due()).isEmpty();
			assertFound(this.recorder.takeOnly(), 100);
			checkIn(from);
			assertFound(this.recorder.takeOnly(), 100);
			assertThat(this.recorded.scan(DECLARED, null, List.of()).due()).isEmpty();
			assertThat(this.recorder.takeOnly().buffers()).as("buffers of a scan from the first index entry")
				.isGreaterThan(300);
			reader.rollback();
		}
	}

	@Test
	void pageIsReadByItsNames() {
		RecurringJobPage page = this.recorded.list(RecurringJobQuery.all().namePrefix("later-7").limit(50));
		assertThat(page.jobs()).hasSize(50);
		Plan plan = this.recorder.takeOnly();
		assertThat(plan.readsOf("jobqueue_recurring")).as(plan.toString())
			.containsExactly("Index Scan jobqueue_recurring_pkey");
		assertBuffers(plan, 60);
	}

	private CheckInResult checkIn(@Nullable Instant from) {
		UUID worker = worker();
		this.recorder.take();
		Worker ticking = new WorkerBuilder(worker).queues().ticks(new Ticks(DECLARED, from)).build();
		return this.heartbeat.workers().checkIn(ticking, false);
	}

	private static void assertFound(Plan plan, long limit) {
		assertThat(plan.readsOf("jobqueue_recurring")).as(plan.toString())
			.isNotEmpty()
			.allMatch((read) -> read.startsWith("Index"));
		assertBuffers(plan, limit);
	}

	private static void assertBuffers(Plan plan, long limit) {
		assertThat(plan.buffers()).as("%d buffers, where %d are enough: %s", plan.buffers(), limit, plan)
			.isLessThanOrEqualTo(limit);
	}

}
