package io.jobqueue.delivery;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which transactional jobs share a transaction, and what becomes of them if one does not
 * succeed.
 */
@Tag("pooler") // savepoints
class SharedTransactionTests extends SharedTransactionTestBase {

	private static final Duration MOMENT = Duration.ofMillis(10);

	@Test
	void waitingJobsShareATransaction() {
		run((number, job) -> JobResult.success());
		assertThat(transactions()).containsExactly(numbers(1, JOBS));
		assertThat(this.runs.values()).containsOnly(1);
		assertThat(count("jobqueue_archive WHERE attempts = 1 AND failures = 0 AND started_at <= finished_at"))
			.isEqualTo(JOBS);
	}

	@Test
	void transactionHasALimitedSize() {
		run((number, job) -> JobResult.success(), (settings) -> settings.transactions(5, LONG));
		assertThat(transactions()).containsExactly(numbers(1, 5), numbers(6, 10), numbers(11, 15), numbers(16, JOBS));
	}

	/**
	 * The time is over as soon as the first handler has begun.
	 */
	@Test
	void transactionHasALimitedTime() {
		run((number, job) -> JobResult.success(), (settings) -> settings.transactions(JOBS, Duration.ofNanos(1)));
		assertThat(transactions()).hasSize(JOBS);
	}

	@Test
	void exceptionRollsBackToTheSavepoint() {
		run((number, job) -> {
			if (number == ODD && job.attempt() == 1) {
				throw new IllegalStateException("poison");
			}
			return JobResult.success();
		});
		assertThat(transactions()).hasSize(2).contains(List.of(ODD));
		assertThat(this.runs.values()).containsOnly(1, 2);
		assertThat(failures(ODD)).isOne();
	}

	/**
	 * The handler catches what an inner method throws, and another method of the same
	 * transaction has marked it.
	 */
	@Test
	void markOfAFailedHandlerIsRolledBackAsWell() {
		run((number, job) -> {
			if (number == ODD && job.attempt() == 1) {
				markRollbackOnly();
				throw new IllegalStateException("poison");
			}
			return JobResult.success();
		});
		assertThat(transactions()).hasSize(2).contains(List.of(ODD));
	}

	@Test
	void otherResultsRollBackToTheSavepoint() {
		run((number, job) -> (number == ODD && isFirstRun(number)) ? JobResult.snooze(Duration.ZERO)
				: JobResult.success());
		assertThat(transactions()).hasSize(2).contains(List.of(ODD));
		assertThat(failures(ODD)).isZero();
	}

	/**
	 * The server refuses each further statement, also the release of the savepoint.
	 */
	@Test
	void errorThatTheHandlerHidesFailsItsJobOnly() {
		run((number, job) -> {
			if (number == ODD && job.attempt() == 1) {
				try {
					this.jdbc.execute("SELECT 1 / 0");
				}
				catch (DataAccessException hidden) {
					return JobResult.success();
				}
			}
			return JobResult.success();
		});
		assertThat(transactions()).hasSize(2).contains(List.of(ODD));
		assertThat(failures(ODD)).isOne();
	}

	@Test
	void rollbackOnlyRollsBackAllWhichRunAlone() {
		run((number, job) -> {
			if (number == ODD && job.attempt() == 1) {
				markRollbackOnly();
			}
			return JobResult.success();
		});
		assertAlone();
		assertThat(numbers(1, ODD)).extracting(this.runs::get).containsExactly(2, 2, 2, 2, 2, 2, 3);
		assertThat(numbers(1, ODD)).extracting(this::failures).containsExactly(0, 0, 0, 0, 0, 0, 1);
	}

	private void markRollbackOnly() {
		new TransactionTemplate(this.node.transactionManager())
			.executeWithoutResult((status) -> status.setRollbackOnly());
	}

	@Test
	void serializationFailureRollsBackAllWhichRunAlone() {
		run((number, job) -> {
			if (number == ODD && isFirstRun(number)) {
				this.jdbc.execute("DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$");
			}
			return JobResult.success();
		});
		assertAlone();
		assertThat(count("jobqueue_archive WHERE failures = 0")).isEqualTo(JOBS);
	}

	@Test
	void brokenConnectionRollsBackAllWhichRunAlone() {
		run((number, job) -> {
			if (number == ODD && isFirstRun(number)) {
				int session = this.jdbc.queryForObject("SELECT pg_backend_pid()", Integer.class);
				this.sql.sql("SELECT pg_terminate_backend(?)").param(session).query(Boolean.class).single();
				this.jdbc.execute("SELECT 1");
			}
			return JobResult.success();
		});
		assertAlone();
		assertThat(count("jobqueue_archive WHERE failures = 0")).isEqualTo(JOBS);
	}

	/**
	 * Another worker may have the job by now, so that its handler does not run again
	 * here, unless this one claims it again. The last job loses it, as a job that is
	 * claimed again ends the transaction.
	 */
	@Test
	void lostClaimRollsBackAllWhichRunAlone() {
		run((number, job) -> {
			if (number == JOBS && isFirstRun(number)) {
				this.sql.sql("UPDATE jobqueue_job SET locked_by = NULL, claim = NULL, lease_until = NULL WHERE id = ?")
					.param(id(3))
					.update();
			}
			return JobResult.success();
		});
		assertThat(transactions()).hasSizeGreaterThanOrEqualTo(JOBS - 1);
		assertThat(this.runs).containsEntry(1, 2).containsEntry(3, 2).containsEntry(JOBS, 2);
	}

	@Test
	void errorAtTheCommitRollsBackAllWhichRunAlone() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS late (number integer UNIQUE DEFERRABLE INITIALLY DEFERRED)").update();
		this.sql.sql("TRUNCATE late").update();
		this.sql.sql("INSERT INTO late VALUES (0)").update();
		run((number, job) -> {
			this.jdbc.update("INSERT INTO late VALUES (?)", (number == ODD && job.attempt() == 1) ? 0 : number);
			return JobResult.success();
		});
		assertThat(transactions()).hasSize(JOBS);
		assertThat(numbers(1, JOBS)).filteredOn((number) -> failures(number) > 0).containsExactly(ODD);
		assertThat(this.runs).containsEntry(1, 2).containsEntry(ODD, 3).containsEntry(JOBS, 2);
		assertThat(count("late")).isEqualTo(JOBS + 1);
	}

	@Test
	void innerTransactionsCommitOnTheirOwn() {
		run((number, job) -> {
			independently(() -> this.node.queue().enqueue("receipts", new Mail("paid")));
			if (number == ODD && job.attempt() == 1) {
				throw new IllegalStateException("poison");
			}
			return JobResult.success();
		});
		assertThat(transactions()).hasSize(2);
		assertThat(count("jobqueue_job WHERE queue = 'receipts'")).isEqualTo(JOBS + 1);
	}

	private void independently(Runnable code) {
		TransactionTemplate independent = new TransactionTemplate(this.node.transactionManager());
		independent.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		independent.executeWithoutResult((status) -> code.run());
	}

	@Test
	void nestedTransactionsKeepTheirSavepoints() {
		run((number, job) -> {
			TransactionTemplate nested = new TransactionTemplate(this.node.transactionManager());
			nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
			nested.executeWithoutResult((status) -> {
				this.node.queue().enqueue("receipts", new Mail("paid"));
				if (number != ODD) {
					status.setRollbackOnly();
				}
			});
			return JobResult.success();
		});
		assertThat(transactions()).containsExactly(numbers(1, JOBS));
		assertThat(count("jobqueue_job WHERE queue = 'receipts'")).isOne();
	}

	/**
	 * Two jobs of each key wait at a time.
	 */
	@Test
	void jobsOfALimitKeyDoNotShareATransaction() {
		run((number, job) -> JobResult.success(), (settings) -> settings.keys(new AdmissionRules(2, false)),
				(number) -> JobRequest.of("emails", mail(number)).limitedBy("customer-" + (number - 1) / 2));
		assertThat(transactions())
			.allSatisfy((jobs) -> assertThat(jobs.stream().map((number) -> (number - 1) / 2)).doesNotHaveDuplicates())
			.hasSizeLessThan(JOBS);
	}

	@Test
	void jobsOfAnOrderingKeyDoNotShareATransaction() {
		run((number, job) -> JobResult.success(), (settings) -> settings,
				(number) -> JobRequest.of("emails", mail(number)).orderedBy("customer-" + number % 4));
		assertThat(transactions())
			.allSatisfy((jobs) -> assertThat(jobs.stream().map((number) -> number % 4)).doesNotHaveDuplicates());
	}

	/**
	 * Otherwise its claim would end while the handlers after it run.
	 */
	@Test
	void jobsThatMayRunForLongerDoNotFollow() {
		run((number, job) -> JobResult.success(), (settings) -> settings.maxRunTime(LONG),
				(number) -> (number == ODD) ? JobRequest.of("emails", mail(number)).maxRunTime(LONG.dividedBy(2))
						: JobRequest.of("emails", mail(number)));
		assertThat(transactions()).containsExactly(numbers(1, ODD), numbers(ODD + 1, JOBS));
	}

	@Test
	void extensionHoldsForTheJobsBefore() {
		AtomicLong held = new AtomicLong();
		run((number, job) -> {
			if (number == ODD) {
				job.extend(LONG.multipliedBy(2));
				held.set(count("jobqueue_job WHERE lease_until > now() + interval '15 minutes'"));
			}
			return JobResult.success();
		}, (settings) -> settings.maxRunTime(LONG));
		assertThat(transactions()).containsExactly(numbers(1, JOBS));
		assertThat(held).hasValue(ODD);
	}

	/**
	 * The time limit of transactions is that of all jobs in them together.
	 */
	@Test
	void exceededTimeLimitOfTheTransactionFailsNoJob() {
		run((number, job) -> {
			if (number == ODD && isFirstRun(number)) {
				throw new TransactionTimedOutException("by the jobs before");
			}
			return JobResult.success();
		});
		assertAlone();
		assertThat(failures(ODD)).isZero();
	}

	/**
	 * A job on its last attempt is claimed for a free handler only, so that it is the
	 * first of its claim.
	 */
	@Test
	void lastAttemptRunsAlone() {
		run((number, job) -> JobResult.success(), (settings) -> settings,
				(number) -> JobRequest.of("emails", mail(number)).maxAttempts((number == 1) ? 1 : 2));
		assertThat(transactions()).containsExactly(List.of(1), numbers(2, JOBS));
	}

	@Test
	void laterAttemptsRunAlone() {
		run((number, job) -> {
			if (job.attempt() == 1) {
				throw new IllegalStateException("first");
			}
			return JobResult.success();
		});
		assertThat(transactions()).hasSize(JOBS);
		assertThat(count("jobqueue_archive WHERE failures = 1")).isEqualTo(JOBS);
	}

	/**
	 * The hanging handler, which ignores its interrupt, ends when all others have
	 * succeeded.
	 */
	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void jobsBeforeAHangingHandlerAreReleased() {
		run((number, job) -> {
			if (number == ODD && job.attempt() == 1) {
				awaitEnded(JOBS - 1);
			}
			return JobResult.success();
		}, (settings) -> settings.maxRunTime(Duration.ofSeconds(4)));
		assertThat(transactions()).containsAll(numbers(1, ODD).stream().map(List::<Integer>of).toList());
		assertThat(numbers(1, JOBS)).filteredOn((number) -> failures(number) > 0).containsExactly(ODD);
	}

	/**
	 * The second job waits for the row of the first one, which its own thread has locked.
	 */
	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void transactionOfAHandlerThatWaitsForItIsRolledBack() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS account (id integer, number integer)").update();
		this.sql.sql("TRUNCATE account").update();
		this.sql.sql("INSERT INTO account VALUES (1, 0)").update();
		run((number, job) -> {
			if (number == 1) {
				this.jdbc.update("UPDATE account SET number = number + 1");
			}
			if (number == 2 && job.attempt() == 1) {
				independently(() -> this.jdbc.update("UPDATE account SET number = number + 10"));
			}
			return JobResult.success();
		}, (settings) -> settings.maxRunTime(Duration.ofSeconds(2)));
		assertThat(transactions()).contains(List.of(1), List.of(2));
		assertThat(numbers(1, JOBS)).filteredOn((number) -> failures(number) > 0).containsExactly(2);
		assertThat(this.sql.sql("SELECT number FROM account").query(Integer.class).single()).isEqualTo(11);
	}

	/**
	 * The first one holds the only thread while it runs alone, until the others are no
	 * longer kept for that.
	 */
	@Test
	void jobsThatWaitTooLongToRunAloneAreReleasedAndRunAlone() {
		run((number, job) -> {
			if (number == ODD && isFirstRun(number)) {
				markRollbackOnly();
			}
			if (number == 1 && !isFirstRun(number)) {
				await().until(() -> count("jobqueue_job WHERE releases = 1 AND attempts = 0") == ODD - 1);
			}
			return JobResult.success();
		});
		assertThat(transactions()).containsAll(numbers(1, ODD).stream().map(List::<Integer>of).toList());
		assertThat(count("jobqueue_archive WHERE failures = 0")).isEqualTo(JOBS);
	}

	private void awaitEnded(int jobs) {
		while (count("jobqueue_archive") < jobs) {
			LockSupport.parkNanos(MOMENT.toNanos());
			boolean unused = Thread.interrupted();
		}
	}

	@Test
	void stopReleasesJobsBeforeAHandlerThatItInterrupts() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		run((number, job) -> {
			if (number == ODD) {
				begun.countDown();
				new CountDownLatch(1).await();
			}
			return JobResult.success();
		}, (settings) -> settings.shutdownTimeout(Duration.ofMillis(1)));
		begun.await();
		this.node.close();
		assertThat(count("jobqueue_archive")).isEqualTo(count("effect")).isIn(0L, ODD - 1L);
		assertThat(count("jobqueue_job WHERE attempts = 0 AND failures = 0 AND locked_by IS NULL"))
			.isEqualTo(JOBS - count("effect"));
	}

	@Test
	void rollbackIsLoggedWithItsReason() {
		try (CapturedLog log = new CapturedLog()) {
			rollbackOnlyRollsBackAllWhichRunAlone();
			assertThat(log.messages("was rolled back; each of them runs alone")).singleElement()
				.asString()
				.contains("The transaction of 7 jobs in queue emails", "rollback-only");
		}
	}

	@Test
	void cancelledJobIsCancelledBesideOthers() {
		run((number, job) -> {
			if (number == ODD) {
				this.node.operations().cancel(job.id());
				await().until(job::cancelRequested);
				throw new IllegalStateException("cancelled");
			}
			return JobResult.success();
		});
		UUID odd = id(ODD);
		awaitState(odd, "CANCELLED");
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == JOBS - 1);
		assertThat(this.sql.sql("SELECT count(DISTINCT xid) FROM effect").query(Integer.class).single()).isOne();
	}

}
