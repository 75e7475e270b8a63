package io.jobqueue.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobBatch;
import io.jobqueue.JobContext;
import io.jobqueue.JobResult;
import io.jobqueue.harness.BlockedHandler;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * For how long several jobs may run in one call, and what becomes of them if it is cut
 * off.
 */
@Tag("slow") // waits for run times
class BatchLeaseTests extends BatchHandlerTestBase {

	private static final Duration SHORT = Duration.ofMillis(1_200);

	private static final Duration MOMENT = Duration.ofMillis(1);

	/**
	 * The time of the odd job ends the call. It fails none, and each runs alone.
	 */
	@Test
	void shortestRunTimeEndsTheCall() {
		try (CapturedLog log = new CapturedLog()) {
			run(SIZE, new ForAll(this::blockIfSeveral), (settings) -> settings.maxRunTime(LONG),
					(number) -> (number == ODD) ? request(number).maxRunTime(SHORT) : request(number));
			awaitSuccess(SIZE);
			assertThat(log.messages("A call with")).containsExactly(
					"A call with 8 jobs of queue emails is ended; they are released, and each of them runs alone");
		}
		assertRunAloneUncounted();
	}

	private void blockIfSeveral(List<Mail> mails) throws InterruptedException {
		if (called(mails).size() > 1) {
			new CountDownLatch(1).await();
		}
	}

	private void assertRunAloneUncounted() {
		assertThat(this.calls).hasSize(1 + SIZE).startsWith(ALL).filteredOn((call) -> call.size() == 1).hasSize(SIZE);
		assertThat(count("jobqueue_archive WHERE attempts = 1 AND failures = 0")).isEqualTo(SIZE);
	}

	@Test
	void callThatIgnoresItsInterruptIsReplaced() {
		BlockedHandler blocked = new BlockedHandler();
		run(SIZE, new ForAll((mails) -> {
			if (called(mails).size() > 1) {
				blocked.blockUninterruptibly();
			}
		}), (settings) -> settings.maxRunTime(SHORT));
		awaitSuccess(SIZE);
		assertRunAloneUncounted();
		blocked.release();
	}

	@Test
	void jobThatHangsIsCountedAlone() {
		run(SIZE, new ForAll((mails) -> {
			if (called(mails).contains(ODD)) {
				new CountDownLatch(1).await();
			}
		}), (settings) -> settings.maxRunTime(SHORT).maxAttempts(2));
		awaitState(id(ODD), "DEAD");
		awaitSuccess(SIZE - 1);
		assertThat(count("jobqueue_archive WHERE attempts = 1 AND failures = 0")).isEqualTo(SIZE - 1);
		assertThat(failures(ODD)).isEqualTo(2);
		assertThat(column("last_error", id(ODD), String.class)).startsWith("io.jobqueue.JobTimeoutException");
	}

	/**
	 * A job whose run time ends later than those of its neighbours extends them, too.
	 */
	@Test
	void extensionOfOneHoldsForAll() {
		AtomicLong extended = new AtomicLong();
		run(SIZE, new Deciding((mails) -> {
			called(mails);
			mails.items().get(ODD - 1).job().extend(LONG);
			extended.set(count("jobqueue_job WHERE lease_until > now() + interval '9 minutes'"));
			TimeUnit.NANOSECONDS.sleep(SHORT.multipliedBy(2).toNanos());
		}), (settings) -> settings.maxRunTime(SHORT),
				(number) -> (number == ODD) ? request(number).maxRunTime(LONG) : request(number));
		awaitSuccess(SIZE);
		assertThat(this.calls).containsExactly(ALL);
		assertThat(extended).hasValue(SIZE);
	}

	/**
	 * They wait for longer than their leases, which are extended meanwhile.
	 */
	@Test
	void jobsThatRunOneByOneKeepTheirClaims() {
		run(SIZE, new ForAll((mails) -> {
			if (called(mails).size() > 1) {
				throw new IllegalStateException("poison");
			}
			TimeUnit.NANOSECONDS.sleep(SHORT.dividedBy(2).toNanos());
		}), (settings) -> settings.maxRunTime(SHORT.multipliedBy(3)));
		awaitSuccess(SIZE);
		assertThat(this.calls).hasSize(1 + SIZE);
		assertThat(count("jobqueue_archive WHERE attempts = 1 AND failures = 0")).isEqualTo(SIZE);
	}

	@Test
	void cancelledJobIsNotInterruptedAndHasNoSuccess() {
		AtomicBoolean interrupted = new AtomicBoolean();
		run(SIZE, new Deciding((mails) -> interrupted.set(isInterruptedAfterCancel(mails))),
				(settings) -> settings.cancelGrace(MOMENT));
		awaitState(id(ODD), "CANCELLED");
		awaitSuccess(SIZE - 1);
		assertThat(interrupted).isFalse();
		assertThat(this.calls).hasSize(1);
	}

	@Test
	void callWithTheCancelledJobAloneIsNotInterrupted() {
		AtomicBoolean interrupted = new AtomicBoolean();
		run(1, new Deciding((mails) -> interrupted.set(isInterruptedAfterCancel(mails))),
				(settings) -> settings.cancelGrace(MOMENT));
		awaitState(id(1), "CANCELLED");
		assertThat(interrupted).isFalse();
	}

	/**
	 * Cancel the odd job, or the only one. The monitor looks every 200 ms.
	 */
	private boolean isInterruptedAfterCancel(JobBatch<Mail> mails) {
		JobContext job = mails.items().get(Math.min(ODD, called(mails).size()) - 1).job();
		Objects.requireNonNull(this.started).operations().cancel(job.id());
		await().until(job::cancelRequested);
		assertThat(mails.items()).filteredOn((item) -> item.job().cancelRequested()).hasSize(1);
		try {
			return new CountDownLatch(1).await(600, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			return true;
		}
	}

	@Test
	void cancelledJobHasTheResultOfItsOwn() {
		run(SIZE, new Deciding((mails) -> {
			mails.complete(mails.items().get(ODD - 1), JobResult.success());
			boolean unused = isInterruptedAfterCancel(mails);
		}), (settings) -> settings.cancelGrace(MOMENT));
		awaitSuccess(SIZE);
	}

	@Test
	void cancelledJobOfAFailedCallDoesNotRunAgain() {
		run(SIZE, new Deciding((mails) -> {
			if (called(mails).size() > 1) {
				boolean unused = isInterruptedAfterCancel(mails);
				throw new IllegalStateException("poison");
			}
		}), (settings) -> settings.cancelGrace(LONG));
		awaitState(id(ODD), "CANCELLED");
		awaitSuccess(SIZE - 1);
		assertThat(this.calls).doesNotContain(List.of(ODD));
	}

	@Test
	void stopWaitsForTheCall() throws Exception {
		BlockedHandler blocked = new BlockedHandler();
		run(SIZE, new ForAll((mails) -> {
			called(mails);
			blocked.block();
		}));
		blocked.awaitBegun();
		Thread stop = new Thread(this::stop);
		stop.start();
		await().until(() -> stop.getState() == Thread.State.TIMED_WAITING);
		blocked.release();
		stop.join();
		assertThat(count("jobqueue_archive WHERE state = 'SUCCEEDED'")).isEqualTo(SIZE);
	}

	private void stop() {
		Objects.requireNonNull(this.started).close();
	}

	@Test
	void stopReleasesTheJobsOfACallThatItInterrupts() throws InterruptedException {
		BlockedHandler blocked = new BlockedHandler();
		run(SIZE, new ForAll((mails) -> {
			called(mails);
			blocked.block();
		}), (settings) -> settings.shutdownTimeout(MOMENT));
		blocked.awaitBegun();
		try (CapturedLog log = new CapturedLog()) {
			stop();
			assertThat(log.messages("run one by one")).isEmpty();
		}
		assertThat(this.calls).hasSize(1);
		assertThat(count("jobqueue_job WHERE attempts = 0 AND failures = 0 AND releases = 1 AND locked_by IS NULL"))
			.isEqualTo(SIZE);
	}

	/**
	 * The handler swallows its interrupt, and returns what it has got.
	 */
	@Test
	void stopReleasesAllJobsOfACallThatReturnsTooFewResults() throws InterruptedException {
		BlockedHandler blocked = new BlockedHandler();
		run(SIZE, new ForEach((mails) -> {
			called(mails);
			try {
				blocked.block();
			}
			catch (InterruptedException swallowed) {
				return List.of(JobResult.success());
			}
			throw new AssertionError("Not interrupted");
		}), (settings) -> settings.shutdownTimeout(MOMENT));
		blocked.awaitBegun();
		stop();
		assertThat(count("jobqueue_job WHERE attempts = 0 AND failures = 0 AND releases = 1 AND locked_by IS NULL"))
			.isEqualTo(SIZE);
	}

	@Test
	void stopReleasesTheJobsOfACallThatItAbandons() throws InterruptedException {
		BlockedHandler blocked = new BlockedHandler();
		run(SIZE, new ForAll((mails) -> {
			called(mails);
			blocked.blockUninterruptibly();
		}), (settings) -> settings.shutdownTimeout(MOMENT));
		blocked.awaitBegun();
		stop();
		blocked.release();
		assertThat(count("jobqueue_job WHERE attempts = 0 AND failures = 0 AND releases = 1 AND locked_by IS NULL"))
			.isEqualTo(SIZE);
	}

	/**
	 * The stop does not wait for those that have not begun.
	 */
	@Test
	void stopReleasesJobsThatRunOneByOne() throws InterruptedException {
		BlockedHandler blocked = new BlockedHandler();
		run(SIZE, new ForAll((mails) -> {
			if (called(mails).size() > 1) {
				throw new IllegalStateException("poison");
			}
			blocked.block();
		}));
		blocked.awaitBegun();
		Thread stop = new Thread(this::stop);
		stop.start();
		await().until(() -> stop.getState() == Thread.State.TIMED_WAITING);
		blocked.release();
		stop.join();
		assertThat(this.calls).containsExactly(ALL, List.of(1));
		assertThat(count("jobqueue_job WHERE attempts = 0 AND failures = 0 AND releases = 1")).isEqualTo(SIZE - 1);
	}

	@Test
	void pauseReleasesJobsThatRunOneByOne() throws InterruptedException {
		BlockedHandler blocked = new BlockedHandler();
		run(SIZE, new ForAll((mails) -> {
			if (called(mails).size() > 1) {
				throw new IllegalStateException("poison");
			}
			blocked.block();
		}));
		blocked.awaitBegun();
		Objects.requireNonNull(this.started).operations().pause("emails");
		await().until(() -> count("jobqueue_job WHERE attempts = 0 AND locked_by IS NULL") == SIZE - 1);
		blocked.release();
		awaitSuccess(1);
		assertThat(this.calls).containsExactly(ALL, List.of(1));
	}

}
