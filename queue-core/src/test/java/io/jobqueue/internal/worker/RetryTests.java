package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.JobFailure;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.RetryDecision;
import io.jobqueue.RetryPolicy;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.policy.Backoff;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often and when a failing job runs again.
 */
class RetryTests extends NodeTestBase {

	private final AtomicInteger runs = new AtomicInteger();

	private final MailHandler.Behaviour failing = (mail, job) -> {
		this.runs.incrementAndGet();
		throw new IllegalStateException("refused");
	};

	@Test
	void twoRetriesAreThreeRuns() {
		this.runs.set(0);
		UUID job = enqueue(started((node) -> node.handler(this.failing).maxAttempts(3)));
		awaitState(job, "DEAD");
		assertThat(this.runs).hasValue(3);
		assertThat(column("attempts", job, Integer.class)).isEqualTo(3);
		assertThat(column("jsonb_path_query_array(history, '$[*].error')", job, String.class))
			.isEqualTo(IntStream.range(0, 3)
				.mapToObj((run) -> "\"java.lang.IllegalStateException: refused\"")
				.toList()
				.toString());
		assertThat(column("started_at BETWEEN created_at AND finished_at", job, Boolean.class)).isTrue();
	}

	@Test
	void limitOfTheJobPrecedesThatOfTheQueue() {
		this.runs.set(0);
		QueueNode node = started((settings) -> settings.handler(this.failing).maxAttempts(2));
		UUID lower = node.queue().enqueue(JobRequest.of(new Mail("hi")).maxAttempts(1)).id();
		awaitState(lower, "DEAD");
		assertThat(this.runs).hasValue(1);
		UUID higher = node.queue().enqueue(JobRequest.of(new Mail("hi")).maxAttempts(3)).id();
		awaitState(higher, "DEAD");
		assertThat(this.runs).hasValue(1 + 3);
	}

	@Test
	void jobWithoutALimitNeverGivesUp() {
		this.runs.set(0);
		UUID job = enqueue(started((node) -> node.handler(this.failing).maxAttempts(0)));
		await().until(() -> this.runs.get() > 60);
		assertThat(state(job)).isNotEqualTo("DEAD");
	}

	@Test
	void retryWaitsForTheBackoff() {
		RetryPolicy policy = Backoff.polynomial();
		UUID job = enqueue(started((node) -> node.handler(this.failing).retryPolicy(policy)));
		awaitState(job, "RETRYING");
		assertThat(column("extract(epoch FROM run_at - now())", job, Double.class)).isBetween(0.0, 6.0);
		this.sql.sql("UPDATE jobqueue_job SET attempts = 3, run_at = now()").update();
		await().until(() -> column("attempts", job, Integer.class) == 4 && state(job).equals("RETRYING"));
		assertThat(column("extract(epoch FROM run_at - now())", job, Double.class)).isBetween(240.0, 261.0);
	}

	@Test
	void policyMayGiveUp() {
		UUID job = enqueue(
				started((node) -> node.handler(this.failing).retryPolicy((failure) -> RetryDecision.giveUp())));
		awaitState(job, "DEAD");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
	}

	@Test
	void policyOfAHandlerMayGiveUpWhereTheQueueWouldRetry() {
		UUID job = enqueue(started((node) -> node.bean(new Hopeless())
			.bean(new HopelessHandler())
			.retryPolicy(Backoff.fixed(Duration.ofHours(5)))));
		await().until(() -> !Set.of("READY", "RUNNING").contains(state(job)));
		assertThat(state(job)).isEqualTo("DEAD");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
	}

	@Test
	void policySeesTheJobAndTheException() {
		RetryPolicy policy = (failure) -> RetryDecision.retryIn(Duration
			.ofHours(failure.exception() instanceof IllegalStateException && failure.job().attempt() == 1 ? 2 : 0));
		UUID job = enqueue(started((node) -> node.handler(this.failing).retryPolicy(policy)));
		awaitState(job, "RETRYING");
		assertThat(column("extract(epoch FROM run_at - now())", job, Double.class)).isBetween(7000.0, 7200.0);
	}

	@Test
	void delayMayComeFromTheException() {
		MailHandler.Behaviour behaviour = (mail, job) -> {
			throw new Busy(Duration.ofHours(3));
		};
		RetryPolicy policy = (failure) -> (failure.exception() instanceof Busy busy)
				? RetryDecision.retryIn(busy.retryAfter) : RetryDecision.giveUp();
		UUID job = enqueue(started((node) -> node.handler(behaviour).retryPolicy(policy)));
		awaitState(job, "RETRYING");
		assertThat(column("extract(epoch FROM run_at - now())", job, Double.class)).isBetween(10_000.0, 10_800.0);
	}

	@ParameterizedTest
	@CsvSource({ ",1", "PT2H,1", "PT0S,0" })
	void deadAreKeptAsTheirQueueSays(@Nullable Duration keepDead, long kept) {
		UUID job = enqueue(started((node) -> node.handler(this.failing).maxAttempts(1).keepDead(keepDead)));
		await().until(() -> count("jobqueue_job") == 0);
		assertThat(count("jobqueue_archive WHERE state = 'DEAD'")).isEqualTo(kept);
		assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_archive WHERE id = ? AND keep_until IS NULL")
			.param(job)
			.query(Integer.class)
			.single()).isEqualTo((keepDead != null) ? 0 : 1);
	}

	@Test
	void handlerNamesAPolicyOfItsOwn() {
		UUID job = enqueue(started((node) -> node.bean(new Politely()).bean(new PoliteHandler())));
		awaitState(job, "RETRYING");
		assertThat(column("extract(epoch FROM run_at - now())", job, Double.class)).isBetween(3000.0, 3600.0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "throws", "errs", "shrugs" })
	void settingsOfTheQueueApplyIfAPolicyFails(String how) {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = enqueue(started((node) -> node.bean(new Broken(how))
				.bean(new BrokenlyRetriedHandler())
				.retryPolicy(Backoff.fixed(Duration.ofHours(5)))));
			awaitState(job, "RETRYING");
			assertThat(column("extract(epoch FROM run_at - now())", job, Double.class)).isGreaterThan(17_000);
			assertThat(log.messages("the settings of the queue apply")).hasSize(1);
		}
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	@SuppressWarnings("serial")
	static final class Busy extends Exception {

		private final Duration retryAfter;

		Busy(Duration retryAfter) {
			this.retryAfter = retryAfter;
		}

	}

	static final class Politely implements RetryPolicy {

		@Override
		public RetryDecision decide(JobFailure failure) {
			return RetryDecision.retryIn(Duration.ofHours(1));
		}

	}

	static final class Hopeless implements RetryPolicy {

		@Override
		public RetryDecision decide(JobFailure failure) {
			return RetryDecision.giveUp();
		}

	}

	static final class HopelessHandler {

		@JobHandler(queue = "emails", retryPolicy = "hopeless")
		void handle(Mail mail) {
			assertThat(mail.text()).isEqualTo("never");
		}

	}

	static final class Broken implements RetryPolicy {

		private final String how;

		Broken(String how) {
			this.how = how;
		}

		@Override
		public RetryDecision decide(JobFailure failure) {
			return switch (this.how) {
				case "throws" -> throw new IllegalArgumentException("undecided");
				case "errs" -> throw new NoClassDefFoundError("gone");
				default -> null;
			};
		}

	}

	static final class PoliteHandler {

		@JobHandler(queue = "emails", retryPolicy = "politely")
		void handle(Mail mail) {
			assertThat(mail.text()).isEqualTo("never");
		}

	}

	static final class BrokenlyRetriedHandler {

		@JobHandler(queue = "emails", retryPolicy = "broken")
		void handle(Mail mail) {
			assertThat(mail.text()).isEqualTo("never");
		}

	}

}
