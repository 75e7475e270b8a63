package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobDetails;
import io.jobqueue.JobDetails.Attempt;
import io.jobqueue.JobQuery;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Cancelled;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Snoozed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When the latest attempt of a job began, and its last ten attempts.
 */
class AttemptHistoryTests extends StoreTestBase {

	private static final Instant BEGAN = Instant.parse("2026-11-27T10:15:30.123456Z");

	private UUID worker = UUID.randomUUID();

	@BeforeEach
	void register() {
		this.worker = worker("host:4711");
	}

	@Test
	void jobThatSucceedsAtOnceHasABeginButNoHistory() {
		UUID job = enqueue(job("emails", 10));
		assertThat(details(job).startedAt()).isNull();
		end(Outcomes.completed(claimOne(this.worker)));
		assertThat(details(job).startedAt()).isEqualTo(BEGAN);
		assertThat(details(job).history()).isEmpty();
		assertThat(column("history IS NULL", job, Boolean.class)).isTrue();
	}

	@Test
	void runningJobHasBegunWithItsClaim() {
		UUID job = enqueue(job("emails", 10));
		claimOne(this.worker);
		assertThat(details(job).startedAt()).isBetween(now().minusSeconds(60), now());
	}

	@Test
	void jobThatIsClaimedByIdHasBegunWithItsClaim() {
		UUID job = enqueue(job("emails", 10));
		this.jobs.claimOne(this.worker, job, request("emails", 1), null);
		assertThat(details(job).startedAt()).isBetween(now().minusSeconds(60), now());
	}

	@Test
	void claimOfAnOldNodeHasTheTimeOfItsTransaction() {
		UUID job = enqueue(job("emails", 10));
		this.sql.sql("UPDATE jobqueue_job SET locked_by = ?, claim = 7").param(this.worker).update();
		assertThat(details(job).startedAt()).isNull();
		this.sql.sql("""
				INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids)
				VALUES (?, 7, now(), 5, 'emails', ARRAY[?::uuid])
				""").params(this.worker, job).update();
		assertThat(details(job).startedAt()).isBetween(now().minusSeconds(60), now());
	}

	@Test
	void attemptsAreKeptFromTheFirstFailureOn() {
		UUID job = enqueue(job("emails", 10));
		ClaimedJob first = claimOne(this.worker);
		end(new Outcome.RetryLater(job, first.claim(), Duration.ZERO, "Timeout\n\tat Mail.send", false));
		assertThat(details(job).startedAt()).isEqualTo(BEGAN);
		end(Outcomes.failedAsExpected(claimOne(this.worker), Duration.ZERO));
		end(Outcomes.completed(claimOne(this.worker)));
		assertThat(details(job).history()).extracting(AttemptHistoryTests::text)
			.containsExactly("1 RETRIED Timeout", "2 RETRIED not yet", "3 SUCCEEDED null");
		assertThat(details(job).history()).allSatisfy((attempt) -> {
			assertThat(attempt.began()).isEqualTo(BEGAN);
			assertThat(attempt.ended()).isBetween(now().minusSeconds(60), now());
			assertThat(attempt.worker()).isEqualTo("host:4711");
		});
		assertThat(this.stores.search().search(JobQuery.all(), Duration.ofMinutes(1)).jobs()).singleElement()
			.satisfies((found) -> assertThat(found.details().history()).hasSize(3));
	}

	@Test
	void onlyTheLastTenAreKept() {
		UUID job = enqueue(job("emails", 10));
		for (int attempt = 1; attempt <= 12; attempt++) {
			end(Outcomes.retried(claimOne(this.worker), Duration.ZERO));
		}
		assertThat(details(job).history()).extracting(Attempt::number).containsExactly(3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
		end(Outcomes.dead(claimOne(this.worker)));
		assertThat(details(job).history()).hasSize(10).last().extracting(Attempt::outcome).hasToString("DEAD");
	}

	@Test
	void longErrorIsCut() {
		UUID job = enqueue(job("emails", 10));
		ClaimedJob claimed = claimOne(this.worker);
		end(new Outcome.Dead(job, claimed.claim(), "x".repeat(10_000), null));
		assertThat(details(job).history()).singleElement()
			.satisfies((attempt) -> assertThat(attempt.error()).hasSize(500));
	}

	@Test
	void cancelOfARunningJobIsAnAttempt() {
		UUID job = enqueue(job("emails", 10));
		ClaimedJob claimed = claimOne(this.worker);
		this.stores.operations().cancel(job, Duration.ofDays(1));
		end(new Cancelled(job, claimed.claim(), null));
		assertThat(history(job)).containsExactly("1 CANCELLED null");
		UUID failed = enqueue(job("emails", 10));
		ClaimedJob again = claimOne(this.worker);
		this.stores.operations().cancel(failed, Duration.ofDays(1));
		end(Outcomes.retried(again, Duration.ZERO));
		assertThat(column("state", failed, String.class)).isEqualTo("CANCELLED");
		assertThat(history(failed)).containsExactly("1 CANCELLED refused");
		assertThat(details(failed).startedAt()).isEqualTo(BEGAN);
	}

	@Test
	void cancelOfAWaitingJobIsNoAttempt() {
		UUID job = enqueue(job("emails", 10));
		end(Outcomes.retried(claimOne(this.worker), Duration.ofHours(1)));
		this.stores.operations().cancel(job, Duration.ofDays(1));
		assertThat(column("state", job, String.class)).isEqualTo("CANCELLED");
		assertThat(history(job)).containsExactly("1 RETRIED refused");
		assertThat(details(job).startedAt()).isEqualTo(BEGAN);
	}

	@Test
	void runsThatAreNotCountedLeaveNothing() {
		UUID job = enqueue(job("emails", 10));
		ClaimedJob first = claimOne(this.worker);
		end(new Snoozed(job, first.claim(), Duration.ZERO));
		end(Outcomes.released(claimOne(this.worker)));
		assertThat(details(job)).extracting(JobDetails::startedAt, JobDetails::history)
			.containsExactly(null, List.of());
	}

	@Test
	void outcomesOfALaterVersionAreLeftOut() {
		UUID job = enqueue(job("emails", 10));
		this.sql
			.sql("""
					UPDATE jobqueue_job SET history = '[{"attempt":1,"ended":"2026-11-27T08:00:00+00:00","worker":"w","outcome":"new"},
					    {"attempt":2,"ended":"2026-11-27T08:00:01+00:00","worker":"w","outcome":"retried","error":"refused"}]'
					""")
			.update();
		assertThat(history(job)).containsExactly("2 RETRIED refused");
	}

	@Test
	void lostAttemptHasTheTimeOfItsClaim() {
		UUID retried = enqueue(job("emails", 10));
		UUID dead = enqueue(lastAttempt("emails"));
		Instant before = now();
		claim(this.worker, request("emails", 2));
		fallSilent(this.worker);
		this.maintenance.reap(null);
		assertThat(column("state", retried, String.class)).isEqualTo("READY");
		assertThat(column("state", dead, String.class)).isEqualTo("DEAD");
		for (UUID job : List.of(retried, dead)) {
			assertThat(history(job))
				.containsExactly("1 LOST Lost: worker host:4711 sent no heartbeat within its timeout");
			assertThat(details(job).startedAt()).isBetween(before, now());
			assertThat(details(job).history().get(0).began()).isEqualTo(details(job).startedAt());
			assertThat(details(job).history().get(0).worker()).isEqualTo("host:4711");
		}
	}

	@Test
	void cancelRequestThatTheReaperFindsIsNoAttempt() {
		UUID job = enqueue(job("emails", 10));
		end(Outcomes.retried(claimOne(this.worker), Duration.ofHours(1)));
		this.sql.sql("UPDATE jobqueue_job SET cancel_requested = true, keep_cancelled_millis = 9999999").update();
		assertThat(cancelUnclaimed()).containsExactly(job);
		assertThat(column("state", job, String.class)).isEqualTo("CANCELLED");
		assertThat(history(job)).containsExactly("1 RETRIED refused");
	}

	@Test
	void retryKeepsTheHistoryAndAReplayHasNone() {
		UUID job = enqueue(job("emails", 10));
		end(Outcomes.dead(claimOne(this.worker)));
		UUID copy = UUID.randomUUID();
		this.stores.operations().replay(Map.of(job, copy));
		assertThat(details(copy)).extracting(JobDetails::startedAt, JobDetails::history)
			.containsExactly(null, List.of());
		this.stores.operations().revive(List.of(job));
		assertThat(column("state", job, String.class)).isEqualTo("READY");
		assertThat(history(job)).containsExactly("1 DEAD refused");
		assertThat(details(job).startedAt()).isEqualTo(BEGAN);
		claim(this.worker, request("emails", 2)).forEach((claimed) -> end(Outcomes.completed(claimed)));
		assertThat(history(job)).containsExactly("1 DEAD refused", "1 SUCCEEDED null");
	}

	@Test
	void successOfAPlainJobReadsNoWorkerAndBuildsNoHistory() {
		assertThat(JobCompletions.FINISH_PLAIN).doesNotContain("jobqueue_worker", "jsonb");
	}

	@Test
	void eachStatementOfASuccessWritesTheBegin() {
		UUID keyed = enqueue(job("emails", 10));
		end(new Completed(keyed, claimOne(this.worker).claim(), Duration.ofDays(1), null, false, null));
		assertThat(details(keyed).startedAt()).isEqualTo(BEGAN);
		assertThat(details(keyed).history()).isEmpty();
		UUID transactional = enqueue(job("emails", 10));
		this.jobs.complete(this.worker, Outcomes.completed(claimOne(this.worker)).withStart(BEGAN));
		assertThat(details(transactional).startedAt()).isEqualTo(BEGAN);
	}

	private void end(Outcome outcome) {
		assertThat(recordOutcomes(this.worker, outcome.withStart(BEGAN))).containsExactly(outcome.id());
	}

	private List<String> history(UUID job) {
		return details(job).history().stream().map(AttemptHistoryTests::text).toList();
	}

	private static String text(Attempt attempt) {
		return "%d %s %s".formatted(attempt.number(), attempt.outcome(), attempt.error());
	}

	private JobDetails details(UUID job) {
		return this.stores.search().find(job).details();
	}

	private Instant now() {
		return this.stores.search().now().plus(1, ChronoUnit.MICROS);
	}

}
