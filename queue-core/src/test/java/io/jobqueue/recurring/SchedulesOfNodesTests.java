package io.jobqueue.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobContext;
import io.jobqueue.JobRequest;
import io.jobqueue.Overlap;
import io.jobqueue.RecurringJob;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Schedules of several nodes: which node ticks which one, and how it knows of the tick.
 * Heartbeats are an hour apart unless a test says otherwise.
 */
class SchedulesOfNodesTests extends NodeTestBase {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration HEARTBEATS_OF_AN_HOUR = Duration.ofHours(3);

	private final Queue<JobContext> runs = new ConcurrentLinkedQueue<>();

	@BeforeEach
	void forget() {
		this.runs.clear();
	}

	@Test
	void scheduleThatAnotherNodeSavesIsTickedByItsSignal() {
		QueueNode worker = started((settings) -> settings.timeout(HEARTBEATS_OF_AN_HOUR)
			.listensOn(this.database.directDataSource())
			.bean(handler()));
		await().until(() -> worker.remoteSignals().isConnected());
		QueueNode producer = producer();
		producer.remoteSignals().start();
		producer.recurring().save(digest("digest"));
		awaitRuns(2);
		producer.recurring().pause("digest");
		int paused = this.runs.size();
		producer.recurring().resume("digest");
		awaitRuns(paused + 1);
		producer.remoteSignals().stop();
	}

	@Test
	void scheduleThatAnotherNodeSavesIsTickedAfterAHeartbeat() {
		started((settings) -> settings.bean(handler()));
		producer().recurring().save(digest("digest"));
		awaitRuns(2);
	}

	@Test
	void scheduleThatIsCommittedAfterItsFirstTickIsTicked() {
		QueueNode node = ticking();
		node.recurring().save(digest("other"));
		awaitRuns(1);
		node.transaction().executeWithoutResult((status) -> {
			Instant first = node.recurring().save(digest("late")).nextAt();
			await().until(() -> !now().isBefore(first));
		});
		await().until(() -> info("late").lastAt() != null);
	}

	private Instant now() {
		return this.sql.sql("SELECT now()").query(OffsetDateTime.class).single().toInstant();
	}

	@Test
	void lockedScheduleDelaysNoOtherAndIsTickedAfterTheLock() {
		QueueNode node = ticking();
		node.recurring().save(digest("locked"));
		node.recurring().save(digest("other"));
		Instant last = node.transaction().execute((status) -> {
			JdbcClient.create(this.pool)
				.sql("SELECT name FROM jobqueue_recurring WHERE name = 'locked' FOR UPDATE")
				.query(String.class)
				.single();
			Instant before = lastTick("locked");
			Instant since = now();
			await().until(() -> lastTick("other").isAfter(since.plus(SECOND.multipliedBy(2))));
			assertThat(lastTick("locked")).isEqualTo(before);
			return before;
		});
		await().until(() -> lastTick("locked").isAfter(last));
	}

	private Instant lastTick(String name) {
		return Objects.requireNonNullElse(info(name).lastAt(), Instant.EPOCH);
	}

	@Test
	void definitionThatWasDeclaredLastHolds() {
		started((settings) -> settings.bean(new EachSecond()).bean(handler()));
		await().until(() -> this.runs.size() >= 2);
		QueueNode newer = started((settings) -> settings.bean(new Yearly()));
		assertThat(info("purge").cron()).isEqualTo(Yearly.CRON);
		newer.recurring().trigger("purge");
		int ticked = this.runs.size();
		Instant last = info("purge").lastAt();
		newer.recurring().save(digest("other"));
		await().until(() -> info("other").lastAt() != null);
		assertThat(info("purge").lastAt()).isEqualTo(last);
		assertThat(this.runs.stream().map(JobContext::scheduledAt)).doesNotHaveDuplicates()
			.hasSizeGreaterThanOrEqualTo(ticked);
	}

	@Test
	void scheduleThatNoNodeDeclaresHasNoTickAndComesBackWithOne() {
		QueueNode declaring = started((settings) -> settings.bean(new EachSecond()));
		awaitRuns(1);
		declaring.jobWorker().stop();
		this.sql.sql("""
				UPDATE jobqueue_recurring
				SET next_at = next_at - interval '1 hour', anchor_at = anchor_at - interval '1 hour'
				""").update();
		int before = this.runs.size();
		ticking().recurring().save(digest("other"));
		await().until(() -> info("other").lastAt() != null);
		assertThat(info("purge").missed()).isZero();
		started((settings) -> settings.bean(new EachSecond()));
		await().until(() -> info("purge").missed() >= 3_599);
		awaitRuns(before + 1);
		assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_jobs WHERE type = 'purge'").query(Long.class).single())
			.isLessThan(60);
	}

	@Test
	void declarationTakesAScheduleOver() {
		producer().recurring().save(digest("purge"));
		try (CapturedLog log = new CapturedLog()) {
			QueueNode declaring = started((settings) -> settings.bean(new Yearly()));
			assertThat(log.messages("Schedule purge was saved at run time")).hasSize(1);
			assertThat(declaring.recurring().find("purge")).hasValueSatisfying((schedule) -> {
				assertThat(schedule.declared()).isTrue();
				assertThat(schedule.cron()).isEqualTo(Yearly.CRON);
			});
		}
	}

	@Test
	void pauseOutlivesTheNodeAndAnotherDefinition() {
		QueueNode first = started((settings) -> settings.bean(new Yearly()));
		first.recurring().pause("purge");
		first.jobWorker().stop();
		QueueNode second = started((settings) -> settings.bean(new EachSecond()));
		assertThat(info("purge")).satisfies((schedule) -> {
			assertThat(schedule.fixedRate()).isEqualTo(SECOND);
			assertThat(schedule.pausedAt()).isNotNull();
			assertThat(schedule.nextAt()).isNull();
		});
		assertThat(this.runs).isEmpty();
		second.recurring().resume("purge");
		awaitRuns(1);
	}

	@Test
	void twoNodesThatDeclareANameAtTheSameTimeAgreeOnItsTicks() throws InterruptedException {
		CountDownLatch ready = new CountDownLatch(2);
		List<Thread> starts = List.of(start(ready), start(ready));
		starts.forEach(Thread::start);
		for (Thread start : starts) {
			start.join();
		}
		awaitRuns(3);
		assertThat(this.runs.stream().map(JobContext::scheduledAt)).doesNotHaveDuplicates();
	}

	private Thread start(CountDownLatch ready) {
		QueueNode node = node(settings().bean(new EachSecond()));
		return new Thread(() -> {
			ready.countDown();
			await().until(() -> ready.getCount() == 0);
			node.start();
		});
	}

	private QueueNode ticking() {
		return started((settings) -> settings.timeout(HEARTBEATS_OF_AN_HOUR).bean(handler()));
	}

	private MailHandler handler() {
		return new MailHandler((mail, job) -> this.runs.add(job));
	}

	private static RecurringJobRequest digest(String name) {
		return RecurringJobRequest.of(name, JobRequest.of("emails", new Mail(name)))
			.fixedRate(SECOND)
			.overlap(Overlap.ALLOW);
	}

	private RecurringJobInfo info(String name) {
		return producer().recurring().find(name).orElseThrow();
	}

	private void awaitRuns(int number) {
		await().until(() -> this.runs.size() >= number);
	}

	/**
	 * Declares a schedule.
	 */
	class EachSecond {

		@RecurringJob(name = "purge", fixedRate = "1s", queue = "emails")
		void purge(JobContext job) {
			SchedulesOfNodesTests.this.runs.add(job);
		}

	}

	/**
	 * Declares the same schedule in another way.
	 */
	class Yearly {

		private static final String CRON = "0 0 0 1 1 *";

		@RecurringJob(name = "purge", cron = CRON, queue = "emails")
		void purge(JobContext job) {
			SchedulesOfNodesTests.this.runs.add(job);
		}

	}

}
