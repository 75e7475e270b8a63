package io.jobqueue.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobHandler;
import io.jobqueue.JobResult;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.policy.Backoff;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of jobs whose call fails.
 */
class BatchFailureTests extends BatchHandlerTestBase {

	private static final List<List<Integer>> ONE_BY_ONE = ALL.stream().map(List::of).toList();

	@Test
	void jobsOfAFailedCallRunOneByOneInTheSameAttempt() {
		run(SIZE, new ForAll((mails) -> {
			if (called(mails).contains(ODD)) {
				throw new IllegalStateException("poison");
			}
		}), (settings) -> settings.maxAttempts(2));
		awaitState(id(ODD), "DEAD");
		awaitSuccess(SIZE - 1);
		assertThat(count("jobqueue_archive WHERE attempts = 1 AND failures = 0")).isEqualTo(SIZE - 1);
		assertThat(this.calls).hasSize(SIZE + 2).startsWith(ALL).containsAll(ONE_BY_ONE);
		assertThat(this.calls.subList(1, SIZE + 1)).containsExactlyElementsOf(ONE_BY_ONE);
		assertThat(failures(ODD)).isEqualTo(2);
	}

	/**
	 * They are claimed once, and nothing is released.
	 */
	@Test
	void jobsOfAFailedCallRunInTheSameClaim() {
		AtomicBoolean released = new AtomicBoolean();
		run(SIZE, new ForAll((mails) -> {
			if (called(mails).size() > 1) {
				throw new IllegalStateException("poison");
			}
			released.compareAndSet(false, count("jobqueue_job WHERE locked_by IS NULL") > 0);
		}));
		awaitSuccess(SIZE);
		assertThat(released).isFalse();
		assertThat(count("jobqueue_archive WHERE attempts = 1")).isEqualTo(SIZE);
	}

	@Test
	void otherJobsRunLaterAndTogetherIfTheFirstThreeFail() {
		AtomicBoolean down = new AtomicBoolean(true);
		run(SIZE, new ForAll((mails) -> {
			called(mails);
			if (down.get()) {
				throw new IllegalStateException("the server is down");
			}
		}), (settings) -> settings.retryPolicy(Backoff.fixed(Duration.ofHours(1))));
		await()
			.until(() -> count("jobqueue_job WHERE locked_by IS NULL AND run_at > now() + interval '59 min'") == SIZE);
		assertThat(this.calls).containsExactly(ALL, List.of(1), List.of(2), List.of(3));
		assertThat(ALL).extracting(this::failures).containsExactly(1, 1, 1, 0, 0, 0, 0, 0);
		assertThat(ALL).extracting(this::attempts).containsExactly(1, 1, 1, 0, 0, 0, 0, 0);
		this.calls.clear();
		down.set(false);
		this.sql.sql("UPDATE jobqueue_job SET run_at = now()").update();
		awaitSuccess(SIZE);
		assertThat(this.calls).containsExactlyInAnyOrder(List.of(1), List.of(2), List.of(3), numbers(4, SIZE));
	}

	@Test
	void otherJobsDoNotWaitIfOneOfTheFirstThreeSucceeds() {
		run(SIZE, new ForAll((mails) -> {
			if (called(mails).stream().anyMatch((number) -> number != 2)) {
				throw new IllegalStateException("poison");
			}
		}), (settings) -> settings.maxAttempts(2).retryPolicy((failure) -> RetryDecision.retryIn(LONG)));
		await().until(() -> count("jobqueue_job WHERE failures = 1") == SIZE - 1);
		assertThat(this.calls).startsWith(ALL).hasSize(1 + SIZE);
	}

	@Test
	void jobsThatHaveFailedBeforeRunAlone() {
		run(SIZE, new ForEach((mails) -> called(mails).stream().map(this::failOnce).toList()));
		awaitSuccess(SIZE);
		assertThat(this.calls).containsExactly(ALL, List.of(2), List.of(4), List.of(6), List.of(8));
	}

	private JobResult failOnce(int number) {
		boolean first = this.calls.stream().flatMap(List::stream).filter((each) -> each == number).count() == 1;
		return (first && number % 2 == 0) ? JobResult.retryIn(Duration.ZERO) : JobResult.success();
	}

	@Test
	void jobsOnTheirLastAttemptRunAlone() {
		run(SIZE, new ForAll(this::called), (settings) -> settings,
				(number) -> (number % 2 == 0) ? request(number).maxAttempts(1) : request(number));
		awaitSuccess(SIZE);
		assertThat(this.calls).containsExactlyInAnyOrder(List.of(1, 3, 5, 7), List.of(2), List.of(4), List.of(6),
				List.of(8));
	}

	@Test
	void unreadablePayloadFailsItsJobOnly() {
		QueueNode producer = producer();
		enqueue(producer, SIZE, BatchHandlerTestBase::request);
		this.sql.sql("UPDATE jobqueue_job SET payload = '[]' WHERE id = ?").param(id(ODD)).update();
		node(settings().concurrency(1).maxAttempts(2).bean(new ForAll(this::called))).start();
		awaitState(id(ODD), "DEAD");
		awaitSuccess(SIZE - 1);
		assertThat(this.calls).containsExactly(List.of(1, 2, 4, 5, 6, 7, 8));
		assertThat(count("jobqueue_archive WHERE attempts = 1")).isEqualTo(SIZE - 1);
		assertThat(failures(ODD)).isEqualTo(2);
	}

	@Test
	void resultsBeforeAnExceptionAreKept() {
		run(SIZE, new Deciding((mails) -> {
			if (called(mails).size() > 1) {
				mails.complete(mails.items().get(0), JobResult.fail("refused"));
				mails.complete(mails.items().get(1), JobResult.success());
				throw new IllegalStateException("poison");
			}
		}));
		awaitState(id(1), "DEAD");
		awaitSuccess(SIZE - 1);
		assertThat(this.calls).containsExactly(ALL, List.of(3), List.of(4), List.of(5), List.of(6), List.of(7),
				List.of(8));
		assertThat(column("last_error", id(1), String.class)).isEqualTo("refused");
	}

	@Test
	void resultBeforeAnExceptionIsKeptForASingleJob() {
		run(1, new Deciding((mails) -> {
			called(mails);
			mails.complete(mails.items().get(0), JobResult.success());
			throw new IllegalStateException("poison");
		}));
		awaitSuccess(1);
		assertThat(this.calls).containsExactly(List.of(1));
	}

	/**
	 * The transaction of the handler may have rolled back what the result stands for.
	 */
	@Test
	void resultWithinATransactionIsNotKept() {
		run(SIZE, new Deciding((mails) -> {
			if (called(mails).size() > 1) {
				new TransactionTemplate(Objects.requireNonNull(this.started).transactionManager())
					.executeWithoutResult((status) -> {
						mails.items().forEach((item) -> mails.complete(item, JobResult.success()));
						throw new IllegalStateException("poison");
					});
			}
		}));
		awaitSuccess(SIZE);
		assertThat(this.calls).startsWith(ALL).hasSize(1 + SIZE);
	}

	@Test
	void exceptionsThatMeanSuccessOrDeathAreThoseOfJobsAlone() {
		run(SIZE, new WithExceptions(this));
		awaitState(id(ODD), "DEAD");
		awaitSuccess(SIZE - 1);
		assertThat(this.calls).startsWith(ALL).hasSize(1 + SIZE);
	}

	@Test
	void failureIsLoggedOnceForTheCall() {
		try (CapturedLog log = new CapturedLog()) {
			jobsOfAFailedCallRunInTheSameClaim();
			assertThat(log.messages("A call with")).singleElement()
				.asString()
				.contains("A call with 8 jobs of queue emails failed; 8 of them run one by one", "poison");
		}
	}

	/**
	 * Throws for several, fails for good for one, and succeeds by exceptions for the
	 * others.
	 */
	record WithExceptions(BatchFailureTests test) {

		@JobHandler(queue = "emails", batchSize = SIZE, batchWait = "500ms", succeedOn = IllegalStateException.class,
				failOn = IllegalArgumentException.class)
		void handle(List<Mail> mails) {
			if (this.test.called(mails).equals(List.of(ODD))) {
				throw new IllegalArgumentException("refused");
			}
			throw new IllegalStateException("done before");
		}

	}

}
