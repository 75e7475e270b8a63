package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.support.JdbcTransactionManager;

import io.jobqueue.JobResult;
import io.jobqueue.RetryDecision;
import io.jobqueue.RetryPolicy;
import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.NoStepResults;
import io.jobqueue.harness.QueueSettingsBuilder;
import io.jobqueue.harness.UncalledJobStore;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.ExceptionTypes;
import io.jobqueue.internal.policy.ExpectedFailures;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Cancelled;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.Outcome.Snoozed;
import io.jobqueue.internal.store.StorableDuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which outcome each end of an attempt has.
 */
class OutcomePolicyTests {

	private static final UUID ID = new UUID(0, 1);

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofDays(36_500);

	private static final Duration KEEP_SUCCEEDED = Duration.ofDays(1);

	private static final Duration KEEP_DEAD = Duration.ofDays(7);

	private static final int FIRST = 1;

	private static final int LAST = 3;

	private final IllegalStateException failure = new IllegalStateException("The mail server is down");

	private final QueueSettingsBuilder settings = new QueueSettingsBuilder().retryPolicy(retryIn(10))
		.expected(new ExpectedFailures(new ExceptionTypes(List.of(ArithmeticException.class)), 0, byNumber()))
		.keepSucceeded(KEEP_SUCCEEDED)
		.keepDead(KEEP_DEAD);

	private final OutcomePolicy outcomes = new OutcomePolicy((queue) -> this.settings.build(), NoStepResults.INSTANCE);

	private static RetryPolicy retryIn(long seconds) {
		return (failure) -> RetryDecision.retryIn(Duration.ofSeconds(seconds));
	}

	private static RetryPolicy byNumber() {
		return (failure) -> RetryDecision.retryIn(Duration.ofSeconds(failure.number()));
	}

	@Test
	void successIsKeptAsTheQueueSays() {
		assertThat(of(job(FIRST, false), JobResult.success()))
			.isEqualTo(new Completed(ID, 1, KEEP_SUCCEEDED, null, true, null));
		assertThat(of(job(FIRST, false), JobResult.success().dedupeFor(SECOND)))
			.isEqualTo(new Completed(ID, 1, KEEP_SUCCEEDED, SECOND, true, null));
	}

	@Test
	void handlerMayRequestAnotherAttemptWhileOneIsLeft() {
		assertThat(of(job(FIRST, false), JobResult.retryIn(SECOND)))
			.isEqualTo(new RetryLater(ID, 1, SECOND, "The handler requested another attempt", false));
		assertThat(of(job(LAST, false), JobResult.retryIn(SECOND)))
			.isEqualTo(dead("The handler requested another attempt, but none is left"));
	}

	@Test
	void handlerMayRequestAnotherRunUnlessTheJobRunsOnce() {
		assertThat(of(job(LAST, false), JobResult.snooze(SECOND))).isEqualTo(new Snoozed(ID, 1, SECOND));
		assertThat(of(job(FIRST, true), JobResult.snooze(SECOND)))
			.isEqualTo(dead("The handler requested another run of a job that runs at most once"));
	}

	@Test
	void handlerMayEndTheJob() {
		assertThat(of(job(FIRST, false), JobResult.fail("No such user"))).isEqualTo(dead("No such user"));
	}

	@Test
	void timesAreCutToWhatTimestampsHold() {
		Duration longer = LONGEST.plusNanos(1);
		assertThat(StorableDuration.shortened(LONGEST.minusNanos(1))).isEqualTo(LONGEST.minusNanos(1));
		assertThat(of(job(FIRST, false), JobResult.snooze(longer))).isEqualTo(new Snoozed(ID, 1, LONGEST));
		assertThat(of(job(FIRST, false), JobResult.retryIn(longer))).extracting("delay").isEqualTo(LONGEST);
		assertThat(of(job(FIRST, false), JobResult.success().dedupeFor(longer))).extracting("dedupeFor")
			.isEqualTo(LONGEST);
		assertThat(failed(job(FIRST, false), (thrown) -> RetryDecision.retryIn(longer), AttemptOptions.NONE))
			.isEqualTo(retry(LONGEST, this.failure, false));
	}

	@Test
	void requestedCancellationPrevailsOverAllButSuccess() {
		JobExecution cancelled = execution(job(FIRST, false));
		cancelled.requestCancel(Duration.ZERO);
		assertThat(this.outcomes.of(cancelled, JobResult.success())).isInstanceOf(Completed.class);
		assertThat(this.outcomes.of(cancelled, JobResult.retryIn(SECOND))).isEqualTo(new Cancelled(ID, 1, null));
		assertThat(this.outcomes.failed(cancelled, this.failure, null, AttemptOptions.NONE))
			.isEqualTo(new Cancelled(ID, 1, ErrorText.of(this.failure)));
	}

	@Test
	void failureIsRetriedUntilTheLastAttempt() {
		assertThat(failed(job(FIRST, false), null, AttemptOptions.NONE))
			.isEqualTo(retry(Duration.ofSeconds(10), this.failure, false));
		assertThat(failed(job(LAST, false), null, AttemptOptions.NONE)).isEqualTo(dead(this.failure));
	}

	@Test
	void policyMayGiveUp() {
		assertThat(failed(job(FIRST, false), (thrown) -> RetryDecision.giveUp(), AttemptOptions.NONE))
			.isEqualTo(dead(this.failure));
	}

	@Test
	void settingsOfTheTypePrecedeTheHandlerAndThatTheQueue() {
		AttemptOptions declared = new AttemptOptions(null, null, retryIn(20));
		assertThat(failed(job(FIRST, false), null, declared))
			.isEqualTo(retry(Duration.ofSeconds(20), this.failure, false));
		assertThat(failed(job(FIRST, false), retryIn(30), declared))
			.isEqualTo(retry(Duration.ofSeconds(30), this.failure, false));
		QueueSettings configured = this.settings.types(Map.of("mail", new AttemptOptions(null, null, retryIn(40))))
			.build();
		assertThat(new OutcomePolicy((queue) -> configured, NoStepResults.INSTANCE).failed(execution(job(FIRST, false)),
				this.failure, retryIn(30), declared))
			.isEqualTo(retry(Duration.ofSeconds(40), this.failure, false));
	}

	@Test
	void policyThatThrowsIsReplacedByTheSettings() {
		assertThat(failed(job(FIRST, false), (thrown) -> {
			throw new IllegalStateException("The policy is broken");
		}, AttemptOptions.NONE)).isEqualTo(retry(Duration.ofSeconds(10), this.failure, false));
	}

	/**
	 * The job has had 2 of them.
	 */
	@Test
	void expectedFailuresAreCountedApartFromAttempts() {
		ArithmeticException expected = new ArithmeticException("The limit is reached");
		ClaimedJob job = job(LAST, 2, false, 0);
		assertThat(this.outcomes.failed(execution(job), expected, null, AttemptOptions.NONE))
			.isEqualTo(retry(Duration.ofSeconds(3), expected, true));
		assertThat(failed(job, byNumber(), AttemptOptions.NONE)).as("of any other failure")
			.isEqualTo(retry(Duration.ofSeconds(1), this.failure, false));
	}

	@Test
	void finalFailureIsKeptAsTheQueueSays() {
		assertThat(this.outcomes.failedFinally(job(FIRST, false), this.failure)).isEqualTo(dead(this.failure));
	}

	@Test
	void jobThatCannotBeginRunsAgainSoon() {
		assertThat(this.outcomes.postponed(job(LAST, false), this.failure))
			.isEqualTo(new Snoozed(ID, 1, Duration.ofSeconds(5)));
	}

	@Test
	void attemptWithoutAnOutcomeIsRetriedWhileOneIsLeft() {
		assertThat(undecided(job(FIRST, false))).isInstanceOf(RetryLater.class)
			.extracting("delay")
			.isEqualTo(Duration.ofMinutes(1));
		assertThat(undecided(job(LAST, false))).isInstanceOf(Dead.class);
	}

	@Test
	void stopReleasesAHandlerThatDoesNotEndUnlessTheJobRunsOnce() {
		assertThat(this.outcomes.abandoned(job(FIRST, false))).isEqualTo(new Released(ID, 1, true));
		assertThat(this.outcomes.abandoned(job(FIRST, true)))
			.isEqualTo(dead("The worker stopped before the handler ended"));
		assertThat(OutcomePolicy.released(job(FIRST, false))).isEqualTo(new Released(ID, 1, false));
	}

	@ParameterizedTest
	@CsvSource({ "3, 1, false, false", "3, 2, false, true", "3, 9, false, true", "1, 0, false, true",
			"0, 9, false, false", "3, 9, true, false" })
	void releaseCountsFromTheConfiguredNumberOn(int counted, int releases, boolean atMostOnce, boolean counts) {
		OutcomePolicy counting = new OutcomePolicy((queue) -> this.settings.countedReleases(counted).build(),
				NoStepResults.INSTANCE);
		assertThat(counting.countsRelease(job(FIRST, 0, atMostOnce, releases))).isEqualTo(counts);
	}

	private Outcome of(ClaimedJob job, JobResult result) {
		return this.outcomes.of(execution(job), result);
	}

	private Outcome failed(ClaimedJob job, @Nullable RetryPolicy handlerPolicy, AttemptOptions declared) {
		return this.outcomes.failed(execution(job), this.failure, handlerPolicy, declared);
	}

	private Outcome undecided(ClaimedJob job) {
		return execution(job).completion(() -> {
			throw this.failure;
		}, null).outcome();
	}

	private static Dead dead(String error) {
		return new Dead(ID, 1, error, KEEP_DEAD);
	}

	private static Dead dead(Exception thrown) {
		return dead(ErrorText.of(thrown)).with(ErrorFingerprint.of(thrown));
	}

	private static RetryLater retry(Duration delay, Exception thrown, boolean expected) {
		return new RetryLater(ID, 1, delay, ErrorText.of(thrown), expected).with(ErrorFingerprint.of(thrown));
	}

	private static JobExecution execution(ClaimedJob job) {
		return new JobExecution(new BufferedJob(job, 0, 0, null), new Leases(new UUID(0, 0), new UncalledJobStore(),
				(batch) -> null, NoStepResults.INSTANCE, new JdbcTransactionManager())) {
		};
	}

	private static ClaimedJob job(int attempt, boolean atMostOnce) {
		return job(attempt, 0, atMostOnce, 0);
	}

	private static ClaimedJob job(int attempt, int expectedFailures, boolean atMostOnce, int releases) {
		return new ClaimedJobBuilder().id(ID)
			.attempt(attempt)
			.expectedFailures(expectedFailures)
			.maxAttempts(LAST)
			.atMostOnce(atMostOnce)
			.releases(releases)
			.build();
	}

}
