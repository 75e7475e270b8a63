package io.jobqueue.delivery;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.Delivery;
import io.jobqueue.JobBatch;
import io.jobqueue.JobBatch.Item;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.harness.Mail;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The transaction of a call with several jobs.
 */
class BatchTransactionTests extends BatchHandlerTestBase {

	private static final List<Integer> OTHERS = List.of(1, 2, 4, 5, 6, 7, 8);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	@BeforeEach
	void prepare() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS effect (number integer, xid text)").update();
		this.sql.sql("TRUNCATE effect").update();
	}

	private List<Integer> effects(Collection<Mail> mails) {
		List<Integer> numbers = called(mails);
		numbers
			.forEach((number) -> this.jdbc.update("INSERT INTO effect VALUES (?, pg_current_xact_id()::text)", number));
		return numbers;
	}

	private List<Integer> effects(JobBatch<Mail> mails) {
		return effects(mails.items().stream().map(Item::payload).toList());
	}

	/**
	 * Return the jobs of each transaction.
	 */
	private List<List<Integer>> transactions() {
		return this.sql
			.sql("SELECT array_agg(number ORDER BY number) FROM effect GROUP BY xid ORDER BY count(*), min(number)")
			.query((row, number) -> List.of((Integer[]) row.getArray(1).getArray()))
			.list();
	}

	@Test
	void jobsOfACallCommitTogether() {
		run(SIZE, new InTransaction((mails) -> {
			effects(mails);
			assertThat(count("effect")).isZero();
			assertThat(count("jobqueue_job WHERE locked_by IS NOT NULL")).isEqualTo(SIZE);
		}));
		awaitSuccess(SIZE);
		assertThat(transactions()).containsExactly(ALL);
		assertThat(this.calls).hasSize(1);
		assertThat(count("jobqueue_archive WHERE attempts = 1 AND started_at <= finished_at")).isEqualTo(SIZE);
	}

	@Test
	void exceptionRollsBackAllWhichRunOneByOne() {
		run(SIZE, new InTransaction((mails) -> {
			if (effects(mails).contains(ODD)) {
				throw new IllegalStateException("poison");
			}
		}), (settings) -> settings.maxAttempts(2));
		awaitState(id(ODD), "DEAD");
		awaitSuccess(SIZE - 1);
		assertThat(transactions()).containsExactlyElementsOf(OTHERS.stream().map(List::of).toList());
		assertThat(count("jobqueue_archive WHERE attempts = 1")).isEqualTo(SIZE - 1);
	}

	@Test
	void otherResultRollsBackAllAndTheOthersRunTogetherAgain() {
		run(SIZE, new DecidingInTransaction((mails) -> {
			int odd = effects(mails).indexOf(ODD);
			if (odd >= 0) {
				mails.complete(mails.items().get(odd), JobResult.fail("refused"));
			}
		}));
		awaitState(id(ODD), "DEAD");
		awaitSuccess(SIZE - 1);
		assertThat(this.calls).containsExactly(ALL, OTHERS);
		assertThat(transactions()).containsExactly(OTHERS);
		assertThat(count("jobqueue_archive WHERE attempts = 1")).isEqualTo(SIZE);
	}

	@Test
	void lostClaimRollsBackAllAndTheOthersRunTogetherAgain() {
		run(SIZE, new InTransaction((mails) -> {
			if (effects(mails).equals(ALL)) {
				this.sql.sql(
						"UPDATE jobqueue_job SET locked_by = NULL, claim = NULL, lease_until = NULL, run_at = now() + interval '1 hour' WHERE id = ?")
					.param(id(ODD))
					.update();
			}
		}));
		awaitSuccess(SIZE - 1);
		assertThat(this.calls).containsExactly(ALL, OTHERS);
		assertThat(transactions()).containsExactly(OTHERS);
		assertThat(attempts(ODD)).isOne();
	}

	@Test
	void resultsBeforeAnExceptionAreRolledBack() {
		run(SIZE, new DecidingInTransaction((mails) -> {
			if (effects(mails).size() > 1) {
				mails.complete(mails.items().get(ODD - 1), JobResult.fail("refused"));
				throw new IllegalStateException("poison");
			}
		}));
		awaitSuccess(SIZE);
		assertThat(transactions()).hasSize(SIZE);
	}

	@Test
	void resultOfASingleJobBeforeAnExceptionIsRolledBack() {
		run(1, new DecidingInTransaction((mails) -> {
			boolean first = this.calls.isEmpty();
			if (!effects(mails).isEmpty() && first) {
				mails.complete(mails.items().get(0), JobResult.success());
				throw new IllegalStateException("poison");
			}
		}));
		awaitSuccess(1);
		assertThat(transactions()).hasSize(1);
		assertThat(failures(1)).isOne();
	}

	@Test
	void transactionEndsIfTheHandlerHasClearedItsSynchronizations() {
		run(SIZE, new InTransaction((mails) -> {
			if (effects(mails).size() > 1) {
				TransactionSynchronizationManager.clearSynchronization();
			}
		}));
		awaitSuccess(SIZE);
		assertThat(transactions()).hasSize(SIZE);
	}

	@Test
	void errorAtTheCommitLetsThemRunOneByOne() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS late (number integer UNIQUE DEFERRABLE INITIALLY DEFERRED)").update();
		this.sql.sql("TRUNCATE late").update();
		this.sql.sql("INSERT INTO late VALUES (0)").update();
		run(SIZE, new InTransaction((mails) -> {
			boolean odd = effects(mails).contains(ODD) && this.calls.size() <= SIZE;
			mails.forEach(
					(mail) -> this.jdbc.update("INSERT INTO late VALUES (?)", odd ? 0 : Integer.valueOf(mail.text())));
		}));
		awaitSuccess(SIZE);
		assertThat(transactions()).hasSize(SIZE);
		assertThat(ALL).filteredOn((number) -> failures(number) > 0).containsExactly(ODD);
	}

	@Test
	void rollbackOnlyLetsThemRunOneByOne() {
		run(SIZE, new InTransaction((mails) -> {
			if (effects(mails).size() > 1) {
				new TransactionTemplate(Objects.requireNonNull(this.started).transactionManager())
					.executeWithoutResult((status) -> status.setRollbackOnly());
			}
		}));
		awaitSuccess(SIZE);
		assertThat(transactions()).hasSize(SIZE);
		assertThat(count("jobqueue_archive WHERE failures = 0")).isEqualTo(SIZE);
	}

	@Test
	void cancelledJobIsRolledBackAndTheOthersRunTogetherAgain() {
		run(SIZE, new DecidingInTransaction((mails) -> {
			if (effects(mails).equals(ALL)) {
				Objects.requireNonNull(this.started).operations().cancel(id(ODD));
				await().until(mails.items().get(ODD - 1).job()::cancelRequested);
			}
		}));
		awaitState(id(ODD), "CANCELLED");
		awaitSuccess(SIZE - 1);
		assertThat(transactions()).containsExactly(OTHERS);
	}

	/**
	 * The handler swallows its interrupt.
	 */
	@Test
	void callThatIsCutOffIsRolledBack() {
		run(SIZE, new InTransaction((mails) -> {
			if (effects(mails).size() > 1) {
				try {
					new CountDownLatch(1).await();
				}
				catch (InterruptedException swallowed) {
					return;
				}
			}
		}), (settings) -> settings.maxRunTime(Duration.ofSeconds(1)));
		awaitSuccess(SIZE);
		assertThat(transactions()).hasSize(SIZE);
		assertThat(count("jobqueue_archive WHERE attempts = 1")).isEqualTo(SIZE);
	}

	@Test
	void jobsThatTheHandlerEnqueuesCommitWithIt() {
		run(SIZE, new InTransaction((mails) -> {
			Objects.requireNonNull(this.started).queue().enqueue(JobRequest.of("receipts", new Mail("paid")));
			if (effects(mails).size() > 1) {
				throw new IllegalStateException("poison");
			}
		}));
		awaitSuccess(SIZE);
		assertThat(count("jobqueue_job WHERE queue = 'receipts'")).isEqualTo(SIZE);
	}

	/**
	 * The first job is one of a handler that takes single jobs, in a transaction that the
	 * waiting ones may share.
	 */
	@Test
	void jobsOfACallDoNotShareTheTransactionOfSingleJobs() {
		run(SIZE, new WithSingles(this), (settings) -> settings.transactions(SIZE, LONG),
				(number) -> (number == 1) ? JobRequest.of("emails", new Parcel(number)) : request(number));
		awaitSuccess(SIZE);
		assertThat(this.calls).containsExactly(List.of(1), numbers(2, SIZE));
		assertThat(transactions()).containsExactly(numbers(2, SIZE));
	}

	/**
	 * Handles several mails and single parcels, in transactions.
	 */
	record WithSingles(BatchTransactionTests test) {

		@JobHandler(queue = "emails", batchSize = SIZE, batchWait = "500ms", delivery = Delivery.TRANSACTIONAL)
		void handle(List<Mail> mails) {
			List<Integer> unused = this.test.effects(mails);
		}

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL)
		void deliver(Parcel parcel) {
			this.test.calls.add(List.of(parcel.number()));
		}

	}

}
