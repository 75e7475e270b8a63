package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.context.event.EventListener;

import io.jobqueue.JobContext;
import io.jobqueue.JobEnqueued;
import io.jobqueue.JobInfo;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.Priority;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.harness.BlockedHandler;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.policy.Backoff;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What ticks enqueue. Heartbeats and polls are an hour apart, so that no tick waits for
 * one.
 */
@Tag("slow") // waits for ticks of a second
class TickTests extends NodeTestBase {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration HOUR = Duration.ofHours(1);

	private static final String SCHEMA = "Queue \"1\"";

	private final Queue<JobContext> runs = new ConcurrentLinkedQueue<>();

	private final Ticks ticks = new Ticks();

	@BeforeEach
	void forget() {
		this.runs.clear();
		this.ticks.forget();
	}

	@Test
	void nextTickIsFoundWithoutAHeartbeat() {
		RecurringJobs jobs = started().recurring();
		jobs.save(digest().fixedRate(SECOND));
		awaitRuns(3);
		List<Instant> first = this.runs.stream().map(JobContext::scheduledAt).limit(3).toList();
		assertThat(first).doesNotHaveDuplicates().isSorted();
		assertThat(this.ticks.late).allMatch((late) -> !late.isNegative());
	}

	@Test
	void jobHasTheOptionsOfItsSchedule() {
		RecurringJobs jobs = started().recurring();
		jobs.save(RecurringJobRequest
			.of("digest",
					JobRequest.of("emails", new Mail("digest"))
						.priority(Priority.INTERACTIVE)
						.group("tenant-7")
						.maxAttempts(3)
						.maxRunTime(Duration.ofMinutes(7))
						.header("tenant", "7"))
			.fixedRate(SECOND));
		awaitRuns(1);
		JobContext run = this.runs.element();
		assertThat(run.headers()).isEqualTo(Map.of("tenant", "7"));
		awaitState(run.id(), "SUCCEEDED");
		assertThat(column("priority", run.id(), Integer.class)).isEqualTo(Priority.INTERACTIVE.value());
		assertThat(column("job_group", run.id(), String.class)).isEqualTo("tenant-7");
		assertThat(column("max_attempts", run.id(), Integer.class)).isEqualTo(3);
	}

	@Test
	void jobHasTheContextOfTheSaveWithoutItsTrace() {
		RecurringJobs jobs = start(
				(settings) -> settings.mdcKeys("traceId", "tenant").handler((mail, job) -> this.runs.add(job)))
			.recurring();
		MDC.put("traceId", "4bf92f3577b34da6a3ce929d0e0e4736");
		MDC.put("tenant", "7");
		try {
			jobs.save(RecurringJobRequest
				.of("digest",
						JobRequest.of("emails", new Mail("digest"))
							.header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
							.header("X-B3-TraceId", "4bf92f3577b34da6a3ce929d0e0e4736")
							.header("region", "eu"))
				.fixedRate(SECOND));
		}
		finally {
			MDC.clear();
		}
		awaitRuns(1);
		assertThat(this.runs.element().headers()).isEqualTo(Map.of("region", "eu"));
		assertThat(this.sql.sql("SELECT headers FROM jobqueue_recurring").query(String.class).single())
			.contains("jobqueue.mdc.tenant")
			.doesNotContain("4bf92f3577b34da6a3ce929d0e0e4736");
	}

	@Test
	void jobThatNoScheduleHasEnqueuedHasNoTick() {
		QueueNode node = started();
		node.queue().enqueue(new Mail("hi"));
		awaitRuns(1);
		assertThat(this.runs.element().scheduledAt()).isNull();
	}

	@Test
	void replayKeepsTheTick() {
		QueueNode node = started();
		node.recurring().save(digest().fixedRate(SECOND));
		awaitRuns(1);
		node.recurring().delete("digest");
		JobContext run = this.runs.element();
		awaitState(run.id(), "SUCCEEDED");
		int before = this.runs.size();
		node.operations().replay(run.id());
		awaitRuns(before + 1);
		assertThat(this.runs.stream().map(JobContext::scheduledAt).filter(run.scheduledAt()::equals)).hasSize(2);
	}

	@Test
	void outageLeavesOneJobForAllMissedTicks() {
		Instant last = missSixTicks(Misfire.ONCE);
		started();
		awaitRuns(1);
		assertThat(this.runs).extracting(JobContext::scheduledAt).containsExactly(last);
		assertThat(info("digest")).satisfies((schedule) -> {
			assertThat(schedule.missed()).isEqualTo(5);
			assertThat(schedule.lastAt()).isEqualTo(last);
			assertThat(schedule.lastJob()).isEqualTo(this.runs.element().id());
			assertThat(schedule.nextAt()).isEqualTo(last.plus(HOUR));
		});
		await().until(() -> this.ticks.missed() == 5);
	}

	@Test
	void outageLeavesAJobForEachMissedTick() {
		Instant last = missSixTicks(Misfire.ALL);
		start((settings) -> settings.concurrency(1).handler((mail, job) -> this.runs.add(job)));
		awaitRuns(6);
		assertThat(this.runs).extracting(JobContext::scheduledAt)
			.containsExactly(last.minus(HOUR.multipliedBy(5)), last.minus(HOUR.multipliedBy(4)),
					last.minus(HOUR.multipliedBy(3)), last.minus(HOUR.multipliedBy(2)), last.minus(HOUR), last);
		assertThat(info("digest").missed()).isZero();
	}

	@Test
	void outageLeavesNoJobOfTicksOlderThanADay() {
		producer().recurring().save(digest().fixedRate(HOUR).misfire(Misfire.ALL));
		goBack(Duration.ofHours(30).plusMinutes(30));
		started();
		await().until(() -> count("jobqueue_jobs") > 0);
		assertThat(count("jobqueue_jobs")).isEqualTo(24);
	}

	@Test
	void outageLeavesNoJobOfTicksThatAreSkippedWhenLate() {
		Instant last = missSixTicks(Misfire.SKIP);
		try (CapturedLog log = new CapturedLog()) {
			started();
			await().until(() -> info("digest").missed() == 6);
			assertThat(info("digest").nextAt()).isEqualTo(last.plus(HOUR));
			await().until(() -> this.ticks.missed() == 6);
			assertThat(log.messages("Schedule digest missed 6 ticks since")).singleElement()
				.satisfies((line) -> assertThat(line).endsWith("that will not run (misfire SKIP)"));
		}
		assertThat(count("jobqueue_jobs")).isZero();
	}

	@Test
	void ticksOfManyMissedJobsAreWrittenInSeveralStatements() {
		BlockedHandler blocked = new BlockedHandler();
		RecurringJobs jobs = producer().recurring();
		for (String name : List.of("a", "b", "c")) {
			jobs.save(RecurringJobRequest.of(name, JobRequest.of("emails", new Mail(name)))
				.fixedRate(Duration.ofMinutes(1))
				.misfire(Misfire.ALL));
		}
		goBack(Duration.ofHours(20));
		start((settings) -> settings.concurrency(1).handler((mail, job) -> blocked.block()));
		await().until(() -> count("jobqueue_job") == 3_000);
		blocked.release();
		assertThat(this.sql.sql("SELECT count(DISTINCT created_at) FROM jobqueue_job").query(Long.class).single())
			.isEqualTo(3);
	}

	/**
	 * Let six hourly ticks pass, the last one half an hour ago.
	 * @return the last one
	 */
	private Instant missSixTicks(Misfire misfire) {
		Instant next = producer().recurring().save(digest().fixedRate(HOUR).misfire(misfire)).nextAt();
		goBack(Duration.ofHours(6).plusMinutes(30));
		return next.minus(Duration.ofMinutes(30)).minus(HOUR);
	}

	private void goBack(Duration time) {
		this.sql.sql("""
				UPDATE jobqueue_recurring
				SET anchor_at = anchor_at - :millis * interval '1 millisecond',
				    next_at = next_at - :millis * interval '1 millisecond'
				""").param("millis", time.toMillis()).update();
	}

	@Test
	void ticksWhileTheLastJobRunsAreSkippedAndCounted() {
		BlockedHandler blocked = new BlockedHandler();
		RecurringJobs jobs = start((settings) -> settings.handler((mail, job) -> {
			this.runs.add(job);
			blocked.block();
		})).recurring();
		try (CapturedLog log = new CapturedLog()) {
			jobs.save(digest().fixedRate(SECOND));
			await().until(() -> info("digest").skipped() >= 1);
			assertThat(this.runs).hasSize(1);
			assertThat(count("jobqueue_jobs")).isOne();
			UUID job = this.runs.element().id();
			assertThat(info("digest")).satisfies((schedule) -> {
				assertThat(schedule.lastJob()).isEqualTo(job);
				assertThat(schedule.lastState()).isEqualTo(JobState.RUNNING);
				assertThat(schedule.missed()).isZero();
			});
			await().until(() -> this.ticks.skipped() >= 1);
			assertThat(log.messages("Schedule digest skipped 1 tick: its last job %s is still live".formatted(job)))
				.isNotEmpty();
		}
		blocked.release();
		awaitRuns(2);
	}

	@Test
	void rowThatWasEditedByHandStopsNoOther() {
		RecurringJobs jobs = started().recurring();
		this.sql.sql("ALTER TABLE jobqueue_recurring DROP CONSTRAINT IF EXISTS jobqueue_recurring_misfire_check")
			.update();
		for (String name : List.of("zone", "cron", "misfire", "headers", "version")) {
			jobs.save(RecurringJobRequest.of(name, new Mail(name)).cron("* * * * * *"));
		}
		try (CapturedLog log = new CapturedLog()) {
			this.sql
				.sql("UPDATE jobqueue_recurring SET version = version + 1, zone = 'Nowhere/City' WHERE name = 'zone'")
				.update();
			this.sql.sql("UPDATE jobqueue_recurring SET version = version + 1, cron = 'noon' WHERE name = 'cron'")
				.update();
			Map.of("misfire", "'LATER'", "headers", "'{'", "version", "9223372036854775807")
				.forEach((column, value) -> this.sql
					.sql("UPDATE jobqueue_recurring SET %s = %s WHERE name = '%s'".formatted(column, value, column))
					.update());
			jobs.save(RecurringJobRequest.of("rate", new Mail("rate")).fixedRate(SECOND));
			this.sql.sql("UPDATE jobqueue_recurring SET version = version + 1, rate_millis = 0 WHERE name = 'rate'")
				.update();
			jobs.save(digest().fixedRate(SECOND));
			await().until(() -> info("digest").lastAt() != null);
			await()
				.until(() -> log.messages("has no ticks until it is saved again, as its row is invalid").size() == 6);
			Instant last = info("digest").lastAt();
			await().until(() -> info("digest").lastAt().isAfter(last));
		}
		assertThat(info("zone").zone()).isNull();
		assertThat(jobs.list(RecurringJobQuery.all()).jobs()).filteredOn((schedule) -> schedule.misfire() == null)
			.extracting(RecurringJobInfo::name)
			.containsExactly("misfire");
	}

	@Test
	void tickThatAClockAheadHasComputedIsSetBackByAHeartbeat() {
		RecurringJobs jobs = producer().recurring();
		jobs.save(digest().fixedRate(SECOND));
		jobs.save(RecurringJobRequest.of("cron", new Mail("cron")).cron("* * * * * *"));
		jobs.save(RecurringJobRequest.of("paused", new Mail("paused")).fixedRate(SECOND));
		jobs.pause("paused");
		Instant yearly = jobs.save(RecurringJobRequest.of("yearly", new Mail("yearly")).cron("0 0 0 1 1 *")).nextAt();
		setAhead();
		try (CapturedLog log = new CapturedLog()) {
			started();
			await().until(() -> info("digest").lastAt() != null && info("cron").lastAt() != null);
			assertThat(log.messages("The next tick of schedule digest is set back from")).hasSize(1);
			assertThat(log.messages("The next tick of schedule yearly is set back from")).isEmpty();
		}
		assertThat(info("paused").nextAt()).isNull();
		assertThat(info("yearly").nextAt()).isEqualTo(yearly);
	}

	@Test
	void tickThatAClockAheadHasComputedIsSetBackBySave() {
		RecurringJobs jobs = producer().recurring();
		Instant next = jobs.save(digest().fixedRate(HOUR)).nextAt();
		setAhead();
		assertThat(jobs.save(digest().fixedRate(HOUR)).nextAt()).isEqualTo(next);
	}

	/**
	 * An anchor that is ahead is that of a schedule whose first save was at that time.
	 */
	private void setAhead() {
		this.sql
			.sql("""
					UPDATE jobqueue_recurring
					SET version = version + 1, next_at = next_at + interval '400 days', anchor_at = anchor_at + interval '400 days'
					WHERE name <> 'yearly'
					""")
			.update();
	}

	@Test
	void jobsOverlapWhereThatIsAllowed() {
		BlockedHandler blocked = new BlockedHandler();
		RecurringJobs jobs = start((settings) -> settings.handler((mail, job) -> {
			this.runs.add(job);
			blocked.block();
		})).recurring();
		jobs.save(digest().fixedRate(SECOND).overlap(Overlap.ALLOW));
		awaitRuns(2);
		assertThat(info("digest").skipped()).isZero();
		blocked.release();
	}

	@Test
	void tickBringsTheRetryOfTheLastJobForward() {
		RecurringJobs jobs = start((settings) -> settings.retryPolicy(Backoff.fixed(HOUR)).handler((mail, job) -> {
			this.runs.add(job);
			if (job.attempt() == 1) {
				throw new IllegalStateException("once");
			}
		})).recurring();
		jobs.save(digest().fixedRate(SECOND));
		awaitRuns(2);
		assertThat(this.runs.stream().limit(2).map(JobContext::id).distinct()).hasSize(1);
		awaitState(this.runs.element().id(), "SUCCEEDED");
	}

	@Test
	void jitterDelaysTheJobAndNotTheTick() {
		RecurringJobs jobs = started().recurring();
		Instant tick = jobs.save(digest().fixedRate(SECOND).jitter(Duration.ofDays(1_000))).nextAt();
		await().until(() -> info("digest").lastJob() != null);
		RecurringJobInfo schedule = info("digest");
		assertThat(schedule.lastAt()).isEqualTo(tick);
		assertThat(schedule.lastState()).isEqualTo(JobState.SCHEDULED);
		Instant runAt = this.sql.sql("SELECT run_at FROM jobqueue_job")
			.query(OffsetDateTime.class)
			.single()
			.toInstant();
		assertThat(runAt).isBetween(tick.plus(Duration.ofMinutes(1)), tick.plus(Duration.ofDays(1_000)));
	}

	@Test
	void tickIsAnEventAndALineOfTheLog() {
		Enqueued enqueued = new Enqueued();
		try (CapturedLog log = CapturedLog.ofEverything()) {
			RecurringJobs jobs = start((settings) -> settings.bean(enqueued).handler((mail, job) -> this.runs.add(job)))
				.recurring();
			jobs.save(
					RecurringJobRequest.of("digest", JobRequest.of("emails", new Mail("digest")).header("tenant", "7"))
						.fixedRate(SECOND));
			awaitRuns(1);
			await().until(() -> !enqueued.jobs.isEmpty());
			JobContext run = this.runs.element();
			JobInfo job = enqueued.jobs.element();
			assertThat(job).extracting(JobInfo::id, JobInfo::queue, JobInfo::type, JobInfo::state, JobInfo::headers)
				.containsExactly(run.id(), "emails", "mail", JobState.READY, Map.of("tenant", "7"));
			String line = "is enqueued by the schedule digest for its tick at " + run.scheduledAt();
			assertThat(log.mdc(line)).singleElement()
				.satisfies((mdc) -> assertThat(mdc).containsEntry("job.id", run.id().toString())
					.containsEntry("job.queue", "emails")
					.containsEntry("job.type", "mail"));
		}
	}

	@Test
	void tickEnqueuesAPayloadOfBytes() {
		RecurringJobs jobs = start(
				(settings) -> settings.codec(new BytesCodec()).handler((mail, job) -> this.runs.add(job)))
			.recurring();
		jobs.save(digest().fixedRate(SECOND));
		awaitRuns(1);
		assertThat(this.sql
			.sql("SELECT count(*) FROM jobqueue_recurring WHERE payload IS NULL AND payload_bytes = 'digest'::bytea")
			.query(Long.class)
			.single()).isOne();
	}

	@Test
	void schedulesAreInTheSchemaOfTheQueue() {
		new SchemaMigration(this.database.directDataSource(), SCHEMA, true).afterPropertiesSet();
		RecurringJobs jobs = start((settings) -> settings.schema(SCHEMA).handler((mail, job) -> this.runs.add(job)))
			.recurring();
		jobs.save(digest().fixedRate(SECOND));
		awaitRuns(1);
		jobs.pause("digest");
		jobs.resume("digest");
		jobs.trigger("digest");
		assertThat(jobs.find("digest")).isPresent();
		assertThat(jobs.delete("digest")).isTrue();
		assertThat(count("jobqueue_recurring")).isZero();
		assertThat(count("jobqueue_jobs")).isZero();
	}

	@Test
	void workerThatStartsAgainTicks() {
		QueueNode node = started();
		node.recurring().save(digest().fixedRate(SECOND));
		awaitRuns(1);
		node.jobWorker().stop();
		int before = this.runs.size();
		node.jobWorker().start();
		awaitRuns(before + 1);
	}

	private static RecurringJobRequest digest() {
		return RecurringJobRequest.of("digest", JobRequest.of("emails", new Mail("digest")));
	}

	private RecurringJobInfo info(String name) {
		return producer().recurring().find(name).orElseThrow();
	}

	private void awaitRuns(int number) {
		await().until(() -> this.runs.size() >= number);
	}

	private QueueNode started() {
		return start((settings) -> settings.handler((mail, job) -> this.runs.add(job)));
	}

	private QueueNode start(UnaryOperator<TestNodeSettings> settings) {
		return started(
				(all) -> settings.apply(all.neverPolls().timeout(HOUR.multipliedBy(3)).tickListeners(this.ticks)));
	}

	/**
	 * Records when this application has enqueued jobs.
	 */
	static class Enqueued {

		private final Queue<JobInfo> jobs = new ConcurrentLinkedQueue<>();

		@EventListener
		void enqueued(JobEnqueued event) {
			this.jobs.add(event.job());
		}

	}

}
