package io.jobqueue.internal.store.postgresql.monitoring;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.PriorityClass;
import io.jobqueue.internal.store.RunTimes;
import io.jobqueue.internal.store.StatisticsStore;
import io.jobqueue.internal.store.StatisticsStore.OldestAge;
import io.jobqueue.internal.store.StatisticsStore.QueueStatistics;
import io.jobqueue.internal.store.StatisticsStore.StatisticsHistory;
import io.jobqueue.internal.store.StatisticsStore.StatisticsStep;
import io.jobqueue.internal.store.StatisticsStore.StatisticsTotal;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How statistics of several workers are added up, folded and deleted.
 */
class StatisticsTests extends StoreTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration DAY = Duration.ofDays(1);

	private static final Duration WEEK = Duration.ofDays(7);

	private final StatisticsStore statistics = this.stores.statistics();

	/**
	 * A step that begins during a test would divide its rows.
	 */
	@BeforeEach
	void awaitMinuteWithThreeSeconds() {
		await().atMost(Duration.ofSeconds(8))
			.until(() -> this.sql.sql("SELECT extract(second FROM clock_timestamp()) < 57")
				.query(Boolean.class)
				.single());
	}

	@Test
	void workersAreAddedUp() {
		add("emails", PriorityClass.USER_VISIBLE, 1, List.of(0, 1, 2));
		add("emails", PriorityClass.USER_VISIBLE, 10, List.of(5));
		add("emails", PriorityClass.REPORTING, 100, List.of());
		add("letters", PriorityClass.USER_VISIBLE, 1_000, List.of());
		assertThat(read(HOUR, DAY)).containsExactly("emails USER_VISIBLE 11/22/33/44 [5, 1, 2]",
				"emails REPORTING 100/200/300/400 []", "letters USER_VISIBLE 1000/2000/3000/4000 []");
		assertThat(this.statistics.read(HOUR, DAY, "letters")).extracting((step) -> step.statistics().succeeded())
			.containsExactly(1_000L);
	}

	@Test
	void stepsBeginAtMultiplesOfTheirLength() {
		insert("date_trunc('hour', now()) - interval '1 hour' + interval '59 seconds'", 1, 1, "{}");
		insert("date_trunc('hour', now()) - interval '1 hour' + interval '60 seconds'", 1, 10, "{}");
		Duration period = HOUR.multipliedBy(3);
		assertThat(this.statistics.read(period, Duration.ofMinutes(1), null))
			.extracting((step) -> step.statistics().succeeded())
			.containsExactly(1L, 10L);
		List<StatisticsStep> steps = this.statistics.read(period, HOUR, null);
		assertThat(steps).extracting((step) -> step.statistics().succeeded()).containsExactly(11L);
		assertThat(steps.get(0).from()).isEqualTo(hourBefore());
	}

	private Instant hourBefore() {
		return this.sql.sql("SELECT date_trunc('hour', min(at)) FROM jobqueue_statistics")
			.query(Instant.class)
			.single();
	}

	@Test
	void whatIsOlderThanThePeriodIsNotRead() {
		insert("now() - interval '62 minutes'", 1, 1, "{}");
		insert("now() - interval '58 minutes'", 1, 10, "{}");
		assertThat(read(HOUR, Duration.ofMinutes(1))).containsExactly("emails USER_VISIBLE 10/0/0/0 []");
	}

	/**
	 * The rows of 10 minutes are folded once the last of them is 3 hours old.
	 */
	@Test
	void rowsAreFoldedAfterThreeHours() {
		String edge = "date_bin('10 minutes', now() - interval '3 hours', '2000-01-01 00:00:00Z')";
		insert(edge + " - interval '1 microsecond'", 1, 1, "{1,2}");
		insert(edge + " - interval '10 minutes'", 1, 10, "{0,0,3}");
		insert(edge + " - interval '11 minutes'", 1, 100, "{}");
		insert(edge + " + interval '1 minute'", 1, 1_000, "{}");
		fold();
		assertThat(rows()).containsExactly("1 1000 {}", "10 11 {1,2,3}", "10 100 {}");
		assertThat(read(DAY, DAY.multipliedBy(2))).containsExactly("emails USER_VISIBLE 1111/0/0/0 [1, 2, 3]",
				"folding REPORTING 0/0/0/0 []");
	}

	/**
	 * A node folds 1,000 rows at a time, and several nodes fold at once.
	 */
	@Test
	void foldedRowsAreAddedToTheirRow() {
		insert("'2020-01-01 00:00:00Z'", 1, 1, "{1,0,1}");
		fold();
		insert("'2020-01-01 00:09:59Z'", 1, 10, "{0,2,0,4}");
		fold();
		insert("'2020-01-01 00:05:00Z'", 1, 100, "{7}");
		fold();
		assertThat(rows()).containsExactly("10 111 {8,2,1,4}");
	}

	@Test
	void firstAgesOfAMinuteCount() {
		this.statistics.addAges(List.of(age("emails", 90), age("letters", 5)));
		this.statistics.addAges(List.of(age("emails", 95), age("parcels", 7)));
		assertThat(this.statistics.read(HOUR, DAY, null))
			.extracting((step) -> step.statistics().queue() + " " + step.statistics().attempts() + " "
					+ Objects.requireNonNull(step.age()).toSeconds())
			.containsExactly("emails 0 90", "letters 0 5", "parcels 0 7");
	}

	private static OldestAge age(String queue, int seconds) {
		return new OldestAge(queue, PriorityClass.USER_VISIBLE, Duration.ofSeconds(seconds));
	}

	@Test
	void longestAgeOfAStepIsKept() {
		for (int seconds : new int[] { 30, 90, 60 }) {
			this.statistics.addAges(List.of(age("emails", seconds)));
			this.sql.sql("UPDATE jobqueue_statistics SET at = '2020-01-01 00:00:00Z', worker_id = gen_random_uuid()")
				.update();
		}
		insert("'2020-01-01 00:01:00Z'", 1, 7, "{1}");
		fold();
		assertThat(this.sql.sql("SELECT age_millis FROM jobqueue_statistics WHERE minutes = 10 AND succeeded = 7")
			.query(Long.class)
			.single()).isEqualTo(90_000);
		this.statistics.addAges(List.of(age("emails", 120)));
		this.sql.sql("UPDATE jobqueue_statistics SET at = '2020-01-01 00:02:00Z' WHERE age_millis = 120000").update();
		fold();
		assertThat(this.sql.sql("SELECT age_millis FROM jobqueue_statistics WHERE queue = 'emails'")
			.query(Long.class)
			.list()).containsExactly(120_000L);
	}

	@Test
	void rowsThatAnotherNodeFoldsArePassed() throws SQLException {
		insert("'2020-01-01 00:00:00Z'", 1, 1, "{}");
		insert("'2020-01-01 00:01:00Z'", 1, 10, "{}");
		try (Connection other = this.database.directDataSource().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("DELETE FROM jobqueue_statistics WHERE succeeded = 1");
			fold();
			assertThat(rows()).containsExactly("1 1 {}", "10 10 {}");
			other.rollback();
		}
		fold();
		assertThat(rows()).containsExactly("10 11 {}");
	}

	/**
	 * The first hour of a week may begin an hour before it.
	 */
	@Test
	void rowsAreDeletedAfterAWeekAndAnHour() {
		for (int minutes : new int[] { 1, 10 }) {
			insert("now() - interval '7 days 1 hour'", minutes, 1, "{}");
			insert("now() - interval '7 days 59 minutes'", minutes, 10, "{}");
		}
		this.maintenance.purge(10);
		assertThat(rows()).containsExactly("1 10 {}", "10 10 {}");
		assertThat(read(WEEK, DAY.multipliedBy(30))).containsExactly("emails USER_VISIBLE 20/0/0/0 []");
	}

	@Test
	void historyIsTheSumOfPriorityClassesAndQueues() {
		add("emails", PriorityClass.USER_VISIBLE, 1, List.of(0, 1, 2));
		add("emails", PriorityClass.REPORTING, 10, List.of(5));
		add("letters", PriorityClass.USER_VISIBLE, 100, List.of());
		this.statistics.addAges(List.of(age("letters", 70)));
		assertThat(history(null)).singleElement().satisfies((total) -> {
			assertThat(List.of(total.succeeded(), total.failed(), total.dead())).containsExactly(111L, 222L, 333L);
			assertThat(total.runTimes().counts()).containsExactly(5L, 1L, 2L);
			assertThat(total.age()).isEqualTo(Duration.ofSeconds(70));
		});
		assertThat(history("emails")).singleElement().satisfies((total) -> {
			assertThat(total.succeeded()).isEqualTo(11);
			assertThat(total.age()).isNull();
		});
		for (int bucket : new int[] { 16, 17, 32, 33, 64 }) {
			List<Integer> counts = new ArrayList<>(Collections.nCopies(bucket - 1, 0));
			counts.add(bucket);
			add("queue-" + bucket, PriorityClass.USER_VISIBLE, 0, counts);
			assertThat(history(null)).singleElement()
				.satisfies((total) -> assertThat(total.runTimes().counts()).hasSize(bucket)
					.startsWith(5L, 1L, 2L)
					.endsWith((long) bucket));
		}
	}

	private List<StatisticsTotal> history(@Nullable String queue) {
		return this.statistics.history(HOUR, DAY, queue).steps();
	}

	@Test
	void historyKnowsItsBegin() {
		StatisticsHistory none = this.statistics.history(HOUR, DAY, null);
		assertThat(none.since()).isNull();
		assertThat(none.steps()).isEmpty();
		insert("now() - interval '2 days'", 10, 1, "{}");
		insert("now() - interval '5 minutes'", 1, 1, "{}");
		StatisticsHistory history = this.statistics.history(HOUR, Duration.ofMinutes(1), null);
		assertThat(Duration.between(history.since(), history.readAt())).isBetween(DAY.multipliedBy(2),
				DAY.multipliedBy(2).plusMinutes(1));
		assertThat(history.steps()).hasSize(1);
	}

	/**
	 * A week of 40 queues and classes on four nodes, the last 170 minutes of it in rows
	 * of a minute, which none of the calls folds.
	 */
	@Test
	void indexFindsThePeriod() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_statistics (at, minutes, worker_id, queue, priority, succeeded, failed, dead,
					                                 cancelled, run_times)
					SELECT now() - t * m.minutes * interval '1 minute', m.minutes, gen_random_uuid(), 'queue-' || q, 10, 1, 0, 0, 0,
					       '{1,2,3}'
					FROM (VALUES (1, 1, 170, 4), (10, 18, 1007, 1)) AS m (minutes, first, last, nodes),
					     generate_series(m.first, m.last) t, generate_series(1, 40) q, generate_series(1, m.nodes)
					""")
			.update();
		this.sql.sql("VACUUM ANALYZE jobqueue_statistics").update();
		PlanRecorder recorder = new PlanRecorder(this.database);
		StatisticsStore recorded = PostgresStores.of(recorder, recorder, null).statistics();
		recorder.take();
		assertThat(recorded.read(Duration.ofMinutes(10), Duration.ofMinutes(1), "queue-7")).isNotEmpty();
		assertThat(recorder.takeOnly()).satisfies((plan) -> {
			assertThat(plan.readsOf("jobqueue_statistics")).containsExactly("Index Scan jobqueue_statistics_pkey");
			assertThat(plan.buffers()).isLessThan(200);
		});
		assertThat(recorded.history(Duration.ofMinutes(10), Duration.ofMinutes(1), "queue-7").steps()).isNotEmpty();
		assertThat(recorder.take()).hasSize(2)
			.allSatisfy((plan) -> assertThat(plan.buffers()).as(plan.toString()).isLessThan(200));
		recorded.add(UUID.randomUUID(), List.of(statistics("emails", PriorityClass.REPORTING, 1, List.of())));
		assertThat(recorder.take()).hasSize(2)
			.allSatisfy((plan) -> assertThat(plan.buffers()).as(plan.toString()).isLessThan(100));
	}

	private void insert(String at, int minutes, int succeeded, String runTimes) {
		this.sql.sql("""
				INSERT INTO jobqueue_statistics (at, minutes, worker_id, queue, priority, succeeded, failed, dead,
				                                 cancelled, run_times)
				VALUES (%s, ?, gen_random_uuid(), 'emails', 10, ?, 0, 0, 0, ?::integer[])
				""".formatted(at)).params(minutes, succeeded, runTimes).update();
	}

	/**
	 * Add a row, which is not among {@link #rows()}.
	 */
	private void fold() {
		this.statistics.add(UUID.randomUUID(),
				List.of(new QueueStatistics("folding", PriorityClass.REPORTING, 0, 0, 0, 0, RunTimes.NONE)));
	}

	private List<String> rows() {
		return this.sql.sql("""
				SELECT concat_ws(' ', minutes, succeeded, run_times) FROM jobqueue_statistics WHERE queue = 'emails'
				ORDER BY minutes, at DESC
				""").query(String.class).list();
	}

	private void add(String queue, PriorityClass priority, int number, List<Integer> runTimes) {
		this.statistics.add(UUID.randomUUID(), List.of(statistics(queue, priority, number, runTimes)));
	}

	private static QueueStatistics statistics(String queue, PriorityClass priority, int number,
			List<Integer> runTimes) {
		return new QueueStatistics(queue, priority, number, 2L * number, 3L * number, 4L * number,
				new RunTimes(runTimes));
	}

	private List<String> read(Duration period, Duration step) {
		return this.statistics.read(period, step, null).stream().map((each) -> text(each.statistics())).toList();
	}

	private static String text(QueueStatistics each) {
		return "%s %s %d/%d/%d/%d %s".formatted(each.queue(), each.priority(), each.succeeded(), each.failed(),
				each.dead(), each.cancelled(), each.runTimes().counts());
	}

}
