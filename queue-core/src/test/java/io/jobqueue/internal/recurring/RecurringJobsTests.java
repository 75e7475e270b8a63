package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.Priority;
import io.jobqueue.RecurringJob;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobPage;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/**
 * Schedules that are saved at run time, and the operations on all schedules.
 */
class RecurringJobsTests extends NodeTestBase {

	private static final String YEARLY = "0 0 0 1 1 *";

	private final Queue<JobContext> runs = new ConcurrentLinkedQueue<>();

	@BeforeEach
	void forget() {
		this.runs.clear();
	}

	@Test
	@Tag("slow") // waits for ticks
	void everyTickRunsOnce() {
		RecurringJobs jobs = started().recurring();
		jobs.save(RecurringJobRequest.of("digest", new Mail("digest")).fixedRate(Duration.ofSeconds(1)));
		await().until(() -> this.runs.size() >= 3);
		jobs.delete("digest");
		List<Instant> ticks = this.runs.stream().map(JobContext::scheduledAt).toList();
		assertThat(ticks).doesNotHaveDuplicates().isSorted();
		assertThat(Duration.between(ticks.get(0), ticks.get(2))).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void rolledBackTransactionSavesNothing() {
		QueueNode node = started();
		node.transaction().executeWithoutResult((status) -> {
			node.recurring().save(RecurringJobRequest.of("digest", new Mail("digest")).cron(YEARLY));
			status.setRollbackOnly();
		});
		assertThat(node.recurring().find("digest")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\0", "a\uD800" })
	void refusedNameLeavesTheTransactionUsable(String name) {
		QueueNode node = producer();
		RecurringJobs jobs = node.recurring();
		node.transaction().executeWithoutResult((status) -> {
			Stream
				.<ThrowingCallable>of(() -> jobs.delete(name), () -> jobs.find(name), () -> jobs.trigger(name),
						() -> jobs.pause(name), () -> jobs.resume(name),
						() -> jobs.list(RecurringJobQuery.all().namePrefix(name)),
						() -> jobs.list(RecurringJobQuery.all().after(name)))
				.forEach((call) -> assertThatIllegalArgumentException().isThrownBy(call)
					.withMessageContaining("contains the character NUL or an unpaired surrogate"));
			assertThat(jobs.delete("a?")).isFalse();
		});
	}

	@Test
	void deleteJoinsTheTransactionOfTheCaller() {
		QueueNode node = started();
		node.recurring().save(yearly());
		node.transaction().executeWithoutResult((status) -> {
			assertThat(node.recurring().delete("digest")).isTrue();
			status.setRollbackOnly();
		});
		assertThat(node.recurring().find("digest")).isPresent();
		assertThat(node.recurring().delete("digest")).isTrue();
		assertThat(node.recurring().delete("digest")).isFalse();
		QueueNode requiring = node(settings().requireTransaction());
		assertThat(requiring.recurring().delete("digest")).isFalse();
	}

	private static RecurringJobRequest yearly() {
		return RecurringJobRequest.of("digest", new Mail("digest")).cron(YEARLY);
	}

	@Test
	void scheduleIsFoundAsItWasSaved() {
		RecurringJobs jobs = started().recurring();
		RecurringJobInfo saved = jobs.save(RecurringJobRequest
			.of("digest", JobRequest.of("emails", new Mail("digest")).priority(Priority.INTERACTIVE))
			.cron(YEARLY)
			.zone(ZoneId.of("Asia/Tokyo"))
			.misfire(Misfire.SKIP)
			.overlap(Overlap.ALLOW)
			.jitter(Duration.ofSeconds(30)));
		assertThat(jobs.find("digest")).contains(saved);
		assertThat(saved.nextAt()).isAfter(Instant.now());
		assertThat(saved.nextAt().atZone(ZoneId.of("Asia/Tokyo")).toLocalTime()).isEqualTo("00:00");
		assertThat(saved)
			.extracting(RecurringJobInfo::queue, RecurringJobInfo::type, RecurringJobInfo::declared,
					RecurringJobInfo::lastJob)
			.containsExactly("emails", "mail", false, null);
	}

	@Test
	void triggerRunsItsJobNowAlsoWhilePaused() {
		QueueNode node = started();
		node.recurring().save(yearly());
		Instant next = node.recurring().find("digest").orElseThrow().nextAt();
		node.recurring().pause("digest");
		UUID job = node.recurring().trigger("digest").id();
		awaitState(job, "SUCCEEDED");
		assertThat(this.runs.element().scheduledAt()).isCloseTo(Instant.now(), within(Duration.ofMinutes(5)));
		node.recurring().resume("digest");
		assertThat(node.recurring().find("digest")).hasValueSatisfying((schedule) -> {
			assertThat(schedule.nextAt()).isEqualTo(next);
			assertThat(schedule.lastJob()).isEqualTo(job);
			assertThat(schedule.lastState()).isEqualTo(JobState.SUCCEEDED);
		});
	}

	@Test
	void pausedScheduleHasNoTicksUntilItIsResumed() {
		RecurringJobs jobs = started().recurring();
		jobs.save(yearly());
		jobs.pause("digest");
		assertThat(jobs.find("digest")).hasValueSatisfying((schedule) -> {
			assertThat(schedule.pausedAt()).isNotNull();
			assertThat(schedule.nextAt()).isNull();
		});
		jobs.save(RecurringJobRequest.of("digest", new Mail("digest")).fixedRate(Duration.ofSeconds(1)));
		assertThat(jobs.find("digest").orElseThrow().nextAt()).isNull();
		jobs.resume("digest");
		await().until(() -> !this.runs.isEmpty());
	}

	@Test
	void savingAgainKeepsTheNextTickOfTheSameTiming() {
		RecurringJobs jobs = started().recurring();
		Duration rate = Duration.ofDays(1);
		Instant next = jobs.save(RecurringJobRequest.of("digest", new Mail("a")).fixedRate(rate)).nextAt();
		assertThat(jobs.save(RecurringJobRequest.of("digest", new Mail("b")).fixedRate(rate)).nextAt()).isEqualTo(next);
		Instant sooner = jobs.save(RecurringJobRequest.of("digest", new Mail("b")).fixedRate(rate.dividedBy(2)))
			.nextAt();
		assertThat(sooner).isEqualTo(next.minus(rate.dividedBy(2)));
	}

	@Test
	void listIsPagedByName() {
		RecurringJobs jobs = started().recurring();
		for (String name : List.of("b-2", "a", "b-1", "b-3")) {
			jobs.save(RecurringJobRequest.of(name, new Mail(name)).cron(YEARLY));
		}
		RecurringJobPage page = jobs.list(RecurringJobQuery.all().namePrefix("b-").limit(2));
		assertThat(page.jobs()).extracting(RecurringJobInfo::name).containsExactly("b-1", "b-2");
		RecurringJobPage next = jobs.list(RecurringJobQuery.all().namePrefix("b-").limit(2).after(page.next()));
		assertThat(next.jobs()).extracting(RecurringJobInfo::name).containsExactly("b-3");
		assertThat(next.next()).isNull();
	}

	@Test
	void unknownNamesAreRefused() {
		RecurringJobs jobs = started().recurring();
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> jobs.trigger("nope"))
			.withMessage("There is no schedule 'nope'");
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> jobs.pause("nope"));
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> jobs.resume("nope"));
	}

	@Test
	void declaredScheduleIsOperatedButNeitherSavedNorDeleted() {
		RecurringJobs jobs = started().recurring();
		assertThat(jobs.find("purge").orElseThrow().declared()).isTrue();
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> jobs.save(RecurringJobRequest.of("purge", new Mail("x")).cron(YEARLY)))
			.withMessage(
					"Job rejected: 'name' 'purge' is that of a schedule which an annotation or a setting declares: use another name, or delete the schedule if nothing declares it any more");
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> jobs.delete("purge"))
			.withMessageContaining("is declared by an annotation or a setting of this application");
		awaitState(jobs.trigger("purge").id(), "SUCCEEDED");
	}

	@Test
	void operationsAreLogged() {
		RecurringJobs jobs = started().recurring();
		try (CapturedLog log = new CapturedLog()) {
			jobs.save(yearly());
			jobs.pause("digest");
			jobs.resume("digest");
			jobs.trigger("digest");
			jobs.delete("digest");
			assertThat(log.text("schedule digest").lines().filter((line) -> !line.isEmpty())).satisfiesExactly(
					(line) -> assertThat(line).endsWith("save schedule digest, by unknown"),
					(line) -> assertThat(line).endsWith("pause schedule digest, by unknown"),
					(line) -> assertThat(line).endsWith("resume schedule digest, by unknown"),
					(line) -> assertThat(line).endsWith("trigger schedule digest, by unknown"),
					(line) -> assertThat(line).endsWith("delete schedule digest, by unknown"));
		}
	}

	private QueueNode started() {
		return started((settings) -> settings.bean(new Digests()));
	}

	/**
	 * Remembers what it has run.
	 */
	class Digests {

		@JobHandler(queue = "emails")
		void send(Mail mail, JobContext job) {
			RecurringJobsTests.this.runs.add(job);
		}

		@RecurringJob(name = "purge", cron = YEARLY, queue = "emails")
		void purge(JobContext job) {
			RecurringJobsTests.this.runs.add(job);
		}

	}

}
