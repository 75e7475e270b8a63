package io.jobqueue.internal.outbox;

import java.util.Collections;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRejectedException;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MigratedDatabase;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.NewJob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Jobs live and die with the caller's transaction.
 */
class TransactionTests extends NodeTestBase {

	private JobQueue queue;

	private TransactionTemplate transaction;

	private JdbcTemplate jdbc;

	@BeforeEach
	void prepare() {
		QueueNode node = producer();
		this.queue = node.queue();
		this.transaction = node.transaction();
		this.jdbc = new JdbcTemplate(this.pool);
	}

	@Test
	void commitLeavesExactlyOneJob() {
		UUID job = this.transaction.execute((status) -> enqueue());
		assertThat(this.sql.sql("SELECT id FROM jobqueue_job").query(UUID.class).list()).containsExactly(job);
	}

	@Test
	void rollbackLeavesNoJob() {
		this.transaction.executeWithoutResult((status) -> {
			enqueue();
			status.setRollbackOnly();
		});
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void exceptionOfTheCallerLeavesNoJob() {
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				enqueue();
				throw new IllegalStateException("business as usual");
			}));
		assertThat(count("jobqueue_job")).isZero();
	}

	/**
	 * Other nodes would wait for what it has locked, until the process goes on. A slow
	 * network needs time for large payloads.
	 */
	@ParameterizedTest
	@CsvSource({ "0, 2s", "1, 3s", "3, 6s" })
	void serverEndsTheOwnTransactionOfASuspendedProcess(int jobs, String limit) {
		NewJob large = new NewJobBuilder().payload("x".repeat(1_500_000)).build();
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> ((Outbox) this.queue).enqueueEncoded(Collections.nCopies(jobs, large), (all) -> {
				throw new IllegalStateException(
						this.jdbc.queryForObject("SHOW idle_in_transaction_session_timeout", String.class));
			}))
			.withMessage(limit);
	}

	@Test
	void onlyTheCallersOwnSqlSeesTheJobBeforeTheCommit() {
		this.transaction.executeWithoutResult((status) -> {
			enqueue();
			assertThat(this.jdbc.queryForObject("SELECT count(*) FROM jobqueue_job", Long.class)).isEqualTo(1);
			assertThat(count("jobqueue_job")).isZero();
		});
	}

	@Test
	void noWorkerStartsTheJobBeforeTheCommit() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> {
		}));
		UUID open = node.transaction().execute((status) -> {
			UUID job = node.queue().enqueue(new Mail("hi")).id();
			QueueNode another = node(settings(this.database.dataSource()));
			awaitState(another.queue().enqueue("emails", new Mail("hi")).id(), "SUCCEEDED");
			assertThat(count("jobqueue_archive")).isEqualTo(1);
			return job;
		});
		awaitState(open, "SUCCEEDED");
	}

	@Test
	void savepointThatIsRolledBackTakesItsJobAlong() {
		UUID kept = this.transaction.execute((status) -> {
			UUID before = enqueue();
			Object savepoint = status.createSavepoint();
			enqueue();
			status.rollbackToSavepoint(savepoint);
			return before;
		});
		assertThat(this.sql.sql("SELECT id FROM jobqueue_job").query(UUID.class).list()).containsExactly(kept);
	}

	@Test
	void withoutATransactionTheJobExistsWhenTheCallReturns() {
		UUID job = enqueue();
		assertThat(state(job)).isEqualTo("READY");
	}

	@Test
	void jobEnqueuedAfterTheCommitOfAnotherTransactionExists() {
		this.transaction.executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						enqueue();
					}

				}));
		assertThat(count("jobqueue_job")).isEqualTo(1);
	}

	@Test
	void missingTransactionIsRefusedWhereOneIsRequired() {
		QueueNode strict = node(settings().requireTransaction());
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> strict.queue().enqueue(new Mail("hi")))
			.withMessageContaining("'transaction' is missing")
			.withMessageContaining("require-transaction")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("transaction"));
		strict.transaction().executeWithoutResult((status) -> strict.queue().enqueue(new Mail("hi")));
		assertThat(count("jobqueue_job")).isEqualTo(1);
	}

	@Test
	void requiredTransactionIsOneOfTheQueuesManager() {
		QueueNode strict = node(settings().requireTransaction());
		inATransactionOfAnotherManager(() -> assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> strict.queue().enqueue(new Mail("hi")))
			.withMessageContaining("'transaction' belongs to another transaction manager")
			.withMessageContaining("require-transaction"));
	}

	@Test
	void transactionOfAnotherManagerIsNotJoinedAndWarnedOf() {
		try (CapturedLog log = new CapturedLog()) {
			enqueue();
			this.transaction.executeWithoutResult((status) -> enqueue());
			assertThat(log.messages("another transaction manager")).isEmpty();
			inATransactionOfAnotherManager(this::enqueueAfterItsEnd);
			assertThat(log.messages("another transaction manager")).isEmpty();
			inATransactionOfAnotherManager(this::enqueue);
			inATransactionOfAnotherManager(this::enqueue);
			assertThat(log.messages("A job is enqueued in a transaction that belongs to another transaction manager"))
				.hasSize(1);
		}
		assertThat(count("jobqueue_job")).isEqualTo(5);
	}

	private void enqueueAfterItsEnd() {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
			@Override
			public void afterCompletion(int status) {
				enqueue();
			}
		});
	}

	private void inATransactionOfAnotherManager(Runnable work) {
		TransactionTemplate other = new TransactionTemplate(
				new JdbcTransactionManager(closeLater(MigratedDatabase.create()).dataSource()));
		other.executeWithoutResult((status) -> {
			work.run();
			status.setRollbackOnly();
		});
	}

	@Test
	void readOnlyTransactionIsRefused() {
		this.transaction.setReadOnly(true);
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> enqueue()))
			.withMessageContaining("'transaction' is read-only");
	}

	@Test
	void readOnlyTransactionStaysUsableAfterTheRefusal() {
		this.transaction.setReadOnly(true);
		this.transaction.executeWithoutResult(
				(status) -> assertThatExceptionOfType(JobRejectedException.class).isThrownBy(this::enqueue));
	}

	@Test
	void readOnlyTransactionOfAnotherManagerIsNotAsked() {
		TransactionTemplate other = another();
		other.setReadOnly(true);
		this.transaction.executeWithoutResult((status) -> other.executeWithoutResult((inner) -> enqueue()));
		other.executeWithoutResult((status) -> enqueue());
		assertThat(count("jobqueue_job")).isEqualTo(2);
	}

	@Test
	void readOnlyTransactionIsRefusedWithinAnotherManagersToo() {
		this.transaction.setReadOnly(true);
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> this.transaction
				.executeWithoutResult((status) -> another().executeWithoutResult((inner) -> enqueue())))
			.withMessageContaining("'transaction' is read-only");
	}

	@Test
	void readOnlyScopeWithoutATransactionIsNotAsked() {
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
		this.transaction.setReadOnly(true);
		this.transaction.executeWithoutResult((status) -> enqueue());
		assertThat(count("jobqueue_job")).isOne();
	}

	private TransactionTemplate another() {
		return new TransactionTemplate(new JdbcTransactionManager(this.database.dataSource()));
	}

	@Test
	void transactionStaysUsableAfterARejection() {
		this.transaction.executeWithoutResult((status) -> {
			assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> this.queue.enqueue("Not a name", 1));
			enqueue();
		});
		assertThat(count("jobqueue_job")).isEqualTo(1);
	}

	private UUID enqueue() {
		return this.queue.enqueue(new Mail("hi")).id();
	}

}
