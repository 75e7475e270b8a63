package io.jobqueue.internal.recurring;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobRequest;
import io.jobqueue.JobType;
import io.jobqueue.Misfire;
import io.jobqueue.Priority;
import io.jobqueue.RecurringJob;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.store.RecurringStore;
import io.jobqueue.internal.store.RecurringStore.DueSchedule;
import io.jobqueue.internal.store.RecurringStore.Tick;
import io.jobqueue.internal.store.RecurringStore.TickedJob;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Schedules that several nodes and transactions change and tick.
 */
@Tag("slow") // waits for ticks and heartbeats of a second
class SchedulesOfNodesTests extends NodeTestBase {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration HOUR = Duration.ofHours(1);

	private final Queue<JobContext> runs = new ConcurrentLinkedQueue<>();

	@BeforeEach
	void forget() {
		this.runs.clear();
	}

	@Test
	void scheduleOfAnotherNodeTicksThroughItsSignal() {
		QueueNode ticks = start((settings) -> settings.listensOn(this.database.directDataSource()));
		await().until(() -> ticks.remoteSignals().isConnected());
		QueueNode saves = node(settings().listensOn(this.database.directDataSource())).start();
		saves.recurring().save(digest().fixedRate(SECOND));
		awaitRuns("mail", 2);
	}

	@Test
	void scheduleOfAnotherNodeTicksAfterAHeartbeat() {
		start((settings) -> settings.timeout(Duration.ofSeconds(3)));
		producer().recurring().save(digest().fixedRate(SECOND));
		awaitRuns("mail", 2);
	}

	@Test
	void scheduleTicksThoughItsSaveCommitsAfterItsFirstTick() {
		QueueNode node = start((settings) -> settings);
		passATick(node);
		node.transaction().executeWithoutResult((status) -> saveAndMissTheFirstTick(node));
		awaitRuns("mail", 1);
	}

	@Test
	void heartbeatFindsAScheduleSavedAfterItsFirstTick() {
		QueueNode node = start((settings) -> settings.timeout(Duration.ofSeconds(3)));
		passATick(node);
		QueueNode other = producer();
		other.transaction().executeWithoutResult((status) -> saveAndMissTheFirstTick(other));
		awaitRuns("mail", 1);
	}

	/**
	 * From now on, scans begin at the next tick of another schedule, in a year.
	 */
	private void passATick(QueueNode node) {
		node.recurring()
			.save(RecurringJobRequest.of("yearly", JobRequest.of("emails", new Mail("yearly")))
				.fixedRate(Duration.ofDays(365)));
		node.recurring()
			.save(RecurringJobRequest.of("first", JobRequest.of("emails", new Mail("first"))).fixedRate(SECOND));
		awaitRuns("mail", 1);
		node.recurring().pause("first");
		await().until(() -> node.recurring().find("first").orElseThrow().nextAt() == null);
		await().until(() -> count("jobqueue_job") == 0);
		this.runs.clear();
	}

	private void saveAndMissTheFirstTick(QueueNode node) {
		Instant next = node.recurring().save(digest().fixedRate(SECOND)).nextAt();
		await().until(() -> hasPassed(next.plus(SECOND)));
	}

	private boolean hasPassed(Instant time) {
		return this.sql.sql("SELECT statement_timestamp() > ?::timestamptz")
			.param(time.toString())
			.query(Boolean.class)
			.single();
	}

	@Test
	void lockedScheduleDoesNotDelayOthers() throws SQLException {
		QueueNode node = start((settings) -> settings);
		node.recurring().save(digest().fixedRate(SECOND));
		insertDue(150);
		try (Connection other = this.database.dataSource().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("SELECT name FROM jobqueue_recurring WHERE name LIKE 'due-%' FOR UPDATE");
			int before = runs("mail").size();
			awaitRuns("mail", before + 2);
			assertThat(runs("other")).isEmpty();
			other.rollback();
		}
		awaitRuns("other", 150);
		assertThat(runs("other")).extracting(JobContext::scheduledAt).hasSize(150);
	}

	/**
	 * A node that is frozen between the lock and the commit looks like this.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void lockedDeclarationDelaysNeitherTheStartNorOtherSchedules(boolean exists) throws Exception {
		if (exists) {
			started((settings) -> rarely(settings).bean(new Yearly())).close();
			this.sql.sql("UPDATE jobqueue_recurring SET jitter_millis = 1").update();
		}
		try (CapturedLog log = new CapturedLog(); Connection other = this.database.dataSource().getConnection()) {
			other.setAutoCommit(false);
			lockYearly(other, exists);
			FutureTask<QueueNode> start = new FutureTask<>(
					() -> start((settings) -> settings.bean(new Yearly()).bean(new Second())));
			new Thread(start).start();
			QueueNode node = start.get(30, TimeUnit.SECONDS);
			awaitRuns("purge", 2);
			node.queue().enqueue(new Mail("hi"));
			awaitRuns("mail", 1);
			assertThat(
					log.messages("Another transaction has locked the schedule yearly, which this application declares"))
				.hasSize(1);
			other.rollback();
			await().until(() -> node.recurring()
				.find("yearly")
				.filter((schedule) -> schedule.jitter().isZero() && schedule.declared())
				.isPresent());
		}
	}

	private static void lockYearly(Connection other, boolean exists) throws SQLException {
		other.createStatement()
			.execute(exists ? "SELECT name FROM jobqueue_recurring WHERE name = 'yearly' FOR UPDATE"
					: """
							INSERT INTO jobqueue_recurring (name, version, queue, type, payload, cron, zone, misfire, overlap, jitter_millis,
							    declared, anchor_at, next_at)
							VALUES ('yearly', 0, 'emails', 'yearly', '{}', '0 0 0 1 1 *', 'UTC', 'ONCE', 'SKIP', 0, true, now(), 'infinity')
							""");
	}

	private void insertDue(int count) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_recurring (name, version, queue, type, payload, cron, zone, misfire, overlap, jitter_millis,
					    declared, anchor_at, next_at)
					SELECT 'due-' || n, 0, 'emails', 'other', '{}', '0 0 0 1 1 *', 'UTC', 'ONCE', 'SKIP', 0, false, now(),
					       now() - interval '1 minute'
					FROM generate_series(1, ?) n
					""")
			.param(count)
			.update();
	}

	@Test
	void twoFirstSavesAtTheSameTimeCountFromOneAnchor() throws Exception {
		QueueNode node = producer();
		FutureTask<RecurringJobInfo> second = new FutureTask<>(() -> node.recurring().save(digest().fixedRate(HOUR)));
		RecurringJobInfo first = node.transaction().execute((status) -> {
			RecurringJobInfo saved = node.recurring().save(digest().fixedRate(HOUR));
			new Thread(second).start();
			await().until(() -> count(
					"pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == 1);
			return saved;
		});
		assertThat(second.get().nextAt()).isEqualTo(first.nextAt());
	}

	@Test
	void tickOfADeletedScheduleIsNoneOfItsSuccessor() {
		QueueNode node = producer();
		RecurringStore store = closeLater(PostgresStores.of(this.database.dataSource(), null, null)).recurring();
		node.recurring().save(digest().fixedRate(SECOND));
		DueSchedule read = store.read("digest").due().get(0);
		node.transaction().executeWithoutResult((status) -> {
			node.recurring().delete("digest");
			node.recurring().save(digest().cron("0 0 7 1 1 *"));
		});
		Instant next = node.recurring().find("digest").orElseThrow().nextAt();
		TickedJob job = new TickedJob(UUID.randomUUID(), read.dueAt(), read.dueAt(), null, 0);
		Tick tick = new Tick("digest", read.version(), read.dueAt().plus(SECOND), 0, 0, List.of(job));
		assertThat(store.tick(List.of(tick)).names()).isEmpty();
		assertThat(node.recurring().find("digest").orElseThrow().nextAt()).isEqualTo(next);
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void operationOnAScheduleThatTheCallerHasLockedIsRefused() {
		QueueNode node = producer();
		node.recurring().save(digest().fixedRate(HOUR));
		node.transaction().executeWithoutResult((status) -> {
			node.recurring().save(digest().fixedRate(SECOND));
			assertLocked(() -> node.recurring().pause("digest"));
			assertLocked(() -> node.recurring().resume("digest"));
			assertLocked(() -> node.recurring().trigger("digest"));
		});
		assertThat(node.recurring().find("digest").orElseThrow().fixedRate()).isEqualTo(SECOND);
	}

	/**
	 * The id of the job is taken from the clock between the read and the write.
	 */
	private QueueNode changing(Consumer<RecurringJobs> change) {
		RecurringJobs other = producer().recurring();
		other.save(digest().fixedRate(HOUR));
		AtomicBoolean changed = new AtomicBoolean();
		return node(settings().clock(new Clock() {

			@Override
			public Instant instant() {
				if (changed.compareAndSet(false, true)) {
					change.accept(other);
				}
				return Instant.now();
			}

			@Override
			public ZoneId getZone() {
				return ZoneOffset.UTC;
			}

			@Override
			public Clock withZone(ZoneId zone) {
				return this;
			}

		}));
	}

	@Test
	void triggeredJobIsThatOfOneVersion() {
		JobRequest changed = JobRequest.of("emails", new Mail("new")).header("version", "2").priority(Priority.of(7));
		QueueNode node = changing(
				(jobs) -> jobs.save(RecurringJobRequest.of("digest", changed).fixedRate(SECOND.multipliedBy(5))));
		UUID job = node.recurring().trigger("digest").id();
		assertThat(node.operations().find(job).orElseThrow()).satisfies((info) -> {
			assertThat(info.headers()).containsEntry("version", "2");
			assertThat(info.priority()).isEqualTo(Priority.of(7));
		});
		assertThat(column("payload", job, String.class)).contains("new");
		assertThat(node.recurring().find("digest").orElseThrow().fixedRate()).isEqualTo(SECOND.multipliedBy(5));
	}

	@Test
	void triggerOfAScheduleThatIsDeletedMeanwhileEnqueuesNothing() {
		QueueNode node = changing((jobs) -> jobs.delete("digest"));
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> node.recurring().trigger("digest"))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.UNKNOWN));
		assertThat(count("jobqueue_jobs")).isZero();
	}

	private static void assertLocked(Runnable operation) {
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(operation::run)
			.withMessage(
					"The schedule 'digest', its table or the operator log is locked by another transaction; nothing was changed, try again")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.BLOCKED));
	}

	@Test
	void undeclaredScheduleDoesNotTickAndResumesWithOneJob() {
		QueueNode declares = started((settings) -> rarely(settings).bean(new Second()));
		awaitRuns("purge", 1);
		declares.close();
		int before = runs("purge").size();
		long jobs = count("jobqueue_jobs WHERE type = 'purge'");
		QueueNode other = start((settings) -> settings);
		other.recurring().save(digest().fixedRate(SECOND));
		awaitRuns("mail", 2);
		assertThat(count("jobqueue_jobs WHERE type = 'purge'")).isEqualTo(jobs);
		this.sql.sql(
				"UPDATE jobqueue_recurring SET next_at = next_at - interval '1 hour', anchor_at = anchor_at - interval '1 day'")
			.update();
		started((settings) -> rarely(settings).bean(new Second()));
		awaitRuns("purge", before + 2);
		List<Instant> ticks = runs("purge").stream().skip(before).map(JobContext::scheduledAt).toList();
		assertThat(Duration.between(ticks.get(0), ticks.get(1))).isEqualTo(SECOND);
	}

	@Test
	void definitionThatIsDeclaredLastHoldsAndNoTickRunsTwice() {
		started((settings) -> rarely(settings).bean(new Second()));
		awaitRuns("purge", 1);
		QueueNode later = started((settings) -> rarely(settings).bean(new EverySecond()));
		assertThat(later.recurring().find("purge").orElseThrow().cron()).isEqualTo("* * * * * *");
		int before = runs("purge").size();
		awaitRuns("purge", before + 3);
		assertThat(runs("purge")).extracting(JobContext::scheduledAt).doesNotHaveDuplicates();
		assertThat(runs("purge").subList(before + 1, before + 3)).extracting(JobContext::scheduledAt)
			.allMatch((tick) -> tick.equals(tick.truncatedTo(ChronoUnit.SECONDS)));
	}

	@Test
	void declarationTakesOverAScheduleOfItsName() {
		producer().recurring().save(RecurringJobRequest.of("purge", new Mail("purge")).cron("0 0 0 1 1 *"));
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> rarely(settings).bean(new Second()));
			assertThat(log.messages("Schedule purge was saved at run time; this application declares it from now on"))
				.hasSize(1);
			assertThat(node.recurring().find("purge").orElseThrow())
				.extracting(RecurringJobInfo::declared, RecurringJobInfo::fixedRate, RecurringJobInfo::type)
				.containsExactly(true, SECOND, "purge");
		}
		awaitRuns("purge", 1);
	}

	@Test
	void applicationsThatReplaceEachOthersDefinitionAreNamed() {
		started((settings) -> rarely(settings).application("shop").bean(new Second())).close();
		try (CapturedLog log = new CapturedLog()) {
			started((settings) -> rarely(settings).application("crm").bean(new Second())).close();
			started((settings) -> rarely(settings).application("shop").bean(new EverySecond())).close();
			assertThat(log.messages("Schedule purge is declared by the applications")).isEmpty();
			started((settings) -> rarely(settings).application("crm").bean(new Second())).close();
			started((settings) -> rarely(settings).bean(new EverySecond())).close();
			assertThat(log.messages("Schedule purge is declared by the applications 'shop' and 'crm'")).hasSize(1);
		}
	}

	@Test
	void pauseSurvivesRestartsAndChangesOfTheDefinition() {
		QueueNode first = started((settings) -> rarely(settings).bean(new Second()));
		first.recurring().pause("purge");
		first.close();
		QueueNode second = started((settings) -> rarely(settings).bean(new EverySecond()));
		assertThat(second.recurring().find("purge").orElseThrow()).satisfies((schedule) -> {
			assertThat(schedule.pausedAt()).isNotNull();
			assertThat(schedule.nextAt()).isNull();
			assertThat(schedule.cron()).isNotNull();
		});
		int before = runs("purge").size();
		second.recurring().resume("purge");
		awaitRuns("purge", before + 1);
	}

	@Test
	void tickThatAClockAheadHasComputedIsSetBackByItsDeclaration() {
		Instant next = nextYearly();
		this.sql.sql("UPDATE jobqueue_recurring SET next_at = next_at + interval '3 years'").update();
		assertThat(nextYearly()).isEqualTo(next);
	}

	private Instant nextYearly() {
		QueueNode node = started((settings) -> rarely(settings).bean(new Yearly()));
		node.jobWorker().stop();
		return node.recurring().find("yearly").orElseThrow().nextAt();
	}

	@Test
	void rowThatCannotBeReadIsReplacedByItsDeclaration() {
		started((settings) -> rarely(settings).bean(new Yearly())).close();
		edit("misfire = 'LATER', payload = NULL");
		QueueNode node = started((settings) -> rarely(settings).bean(new Second()).bean(new Yearly()));
		assertThat(node.recurring().find("yearly").orElseThrow().misfire()).isEqualTo(Misfire.ONCE);
		awaitRuns("purge", 1);
	}

	@Test
	void rowThatTheDatabaseRejectsDelaysNoOtherDeclaration() {
		started((settings) -> rarely(settings).bean(new Yearly())).close();
		edit("anchor_at = '-infinity', job_group = 'edited'");
		try (CapturedLog log = new CapturedLog()) {
			started((settings) -> rarely(settings).bean(new Yearly()).bean(new Second()));
			awaitRuns("purge", 1);
			assertThat(log.messages(
					"Schedule yearly keeps its stored definition, which differs from that of this application, as its row is invalid: SQLState 22"))
				.hasSize(1);
		}
	}

	private void edit(String change) {
		List.of("misfire_check", "one_payload")
			.forEach((check) -> this.sql
				.sql("ALTER TABLE jobqueue_recurring DROP CONSTRAINT IF EXISTS jobqueue_recurring_" + check)
				.update());
		this.sql.sql("UPDATE jobqueue_recurring SET " + change).update();
	}

	@Test
	void scheduleThatIsStoredAsItIsDeclaredIsNotWritten() {
		for (boolean paused : List.of(false, true)) {
			QueueNode first = started((settings) -> rarely(settings).codec(new BytesCodec()).bean(new Yearly()));
			if (paused) {
				first.recurring().pause("yearly");
			}
			first.close();
			long version = version("yearly");
			started((settings) -> rarely(settings).codec(new BytesCodec()).bean(new Yearly())).close();
			assertThat(version("yearly")).isEqualTo(version);
		}
	}

	private long version(String name) {
		return this.sql.sql("SELECT version FROM jobqueue_recurring WHERE name = ?")
			.param(name)
			.query(Long.class)
			.single();
	}

	private static RecurringJobRequest digest() {
		return RecurringJobRequest.of("digest", JobRequest.of("emails", new Mail("digest")));
	}

	private List<JobContext> runs(String type) {
		return this.runs.stream().filter((job) -> job.type().equals(type)).toList();
	}

	private void awaitRuns(String type, int number) {
		await().until(() -> runs(type).size() >= number);
	}

	private QueueNode start(UnaryOperator<TestNodeSettings> settings) {
		return started((all) -> settings.apply(rarely(all)).bean(new Mails()));
	}

	private static TestNodeSettings rarely(TestNodeSettings settings) {
		return settings.neverPolls().timeout(HOUR.multipliedBy(3));
	}

	/**
	 * Handles the jobs of schedules that were saved at run time.
	 */
	class Mails {

		@JobHandler(queue = "emails")
		void mail(Mail mail, JobContext job) {
			SchedulesOfNodesTests.this.runs.add(job);
		}

		@JobHandler(queue = "emails")
		void other(Other none, JobContext job) {
			SchedulesOfNodesTests.this.runs.add(job);
		}

	}

	@JobType("other")
	record Other(String text) {
	}

	/**
	 * Declares a schedule by a rate.
	 */
	class Second {

		@RecurringJob(name = "purge", fixedRate = "1s", queue = "emails")
		void purge(JobContext job) {
			SchedulesOfNodesTests.this.runs.add(job);
		}

	}

	/**
	 * Declares the same schedule by an expression.
	 */
	class EverySecond {

		@RecurringJob(name = "purge", cron = "* * * * * *", queue = "emails")
		void purge(JobContext job) {
			SchedulesOfNodesTests.this.runs.add(job);
		}

	}

	/**
	 * Declares a schedule that has no tick during a test.
	 */
	static class Yearly {

		@RecurringJob(name = "yearly", cron = "0 0 0 1 1 *", queue = "emails")
		void purge() {
		}

	}

}
