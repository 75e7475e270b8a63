package io.jobqueue.delivery;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.ClaimLostException;
import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobResult;
import io.jobqueue.delivery.Handlers.AlreadyDone;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A transactional handler's writes, the jobs that it enqueues and the completion of its
 * job are committed together, or none of them is.
 */
@Tag("pooler") // transactions of handlers
class TransactionalTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private final AtomicInteger runs = new AtomicInteger();

	private CountDownLatch begun = new CountDownLatch(1);

	private CountDownLatch release = new CountDownLatch(1);

	private QueueNode node = producer();

	@BeforeEach
	void prepare() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS payment (id integer)").update();
		this.sql.sql("TRUNCATE payment").update();
		this.runs.set(0);
		this.begun = new CountDownLatch(1);
		this.release = new CountDownLatch(1);
	}

	@Test
	void successCommitsEverything() {
		UUID job = enqueue(this::pay);
		awaitState(job, "SUCCEEDED");
		assertThat(count("payment")).isEqualTo(1);
		assertThat(followUps()).isEqualTo(1);
		assertThat(column("started_at BETWEEN created_at AND finished_at", job, Boolean.class)).isTrue();
		assertThat(column("history IS NULL", job, Boolean.class)).isTrue();
		await().until(() -> count("jobqueue_claim") == 0);
	}

	@Test
	void handlerThatSucceedsAtTheThirdAttemptHasWrittenOnce() {
		UUID job = enqueue((context) -> {
			pay(context.attempt());
			if (this.runs.incrementAndGet() < 3) {
				throw new IllegalStateException("refused");
			}
			return JobResult.success();
		});
		awaitState(job, "SUCCEEDED");
		assertThat(this.jdbc.queryForList("SELECT id FROM payment", Integer.class)).containsExactly(3);
		assertThat(followUps()).isEqualTo(1);
		assertThat(column("jsonb_path_query_array(history, '$[*].outcome')", job, String.class))
			.isEqualTo("[\"retried\", \"retried\", \"succeeded\"]");
		assertThat(column("jsonb_array_length(jsonb_path_query_array(history, '$[*].began'))", job, Integer.class))
			.isEqualTo(3);
	}

	@Test
	void whateverIsNotASuccessRollsBack() {
		assertRolledBack(JobResult.fail("no"), "DEAD");
		assertRolledBack(JobResult.retryIn(HOUR), "RETRYING");
		assertRolledBack(JobResult.snooze(HOUR), "SCHEDULED");
	}

	private void assertRolledBack(JobResult result, String state) {
		UUID job = enqueue((context) -> {
			pay(context.attempt());
			return result;
		});
		awaitState(job, state);
		assertNothingWritten();
		this.node.jobWorker().stop();
	}

	@Test
	void exceptionThatMeansSuccessRollsBackAndCompletes() {
		UUID job = enqueue((context) -> {
			pay(context.attempt());
			throw new AlreadyDone();
		});
		awaitState(job, "SUCCEEDED");
		assertNothingWritten();
	}

	@Test
	void transactionThatIsMarkedRollbackOnlyIsAFailure() {
		UUID job = enqueue((context) -> {
			pay(context.attempt());
			new TransactionTemplate(this.node.transactionManager())
				.executeWithoutResult((status) -> status.setRollbackOnly());
			return JobResult.success();
		}, 1);
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).contains("rollback-only");
		assertNothingWritten();
	}

	@Test
	void transactionWithoutSynchronizationsIsRolledBack() {
		this.node = started((settings) -> settings.maxAttempts(1).bean(Handlers.of(Delivery.TRANSACTIONAL, (job) -> {
			this.jdbc.update("INSERT INTO payment VALUES (1)");
			return JobResult.success();
		})));
		((JdbcTransactionManager) this.node.transactionManager())
			.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		UUID job = producer().queue().enqueue("emails", new Mail("hi")).id();
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).contains("synchronization is not active");
		await().until(() -> count(
				"pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'") == 0);
		assertNothingWritten();
	}

	@Test
	void handlerWhoseClaimWasLostCannotCommit() throws InterruptedException {
		UUID job = enqueue((context) -> {
			if (this.runs.incrementAndGet() == 1) {
				pay(context.attempt());
				block();
			}
			return JobResult.success();
		});
		this.begun.await();
		this.sql.sql("UPDATE jobqueue_job SET locked_by = NULL, claim = NULL, lease_until = NULL").update();
		awaitState(job, "SUCCEEDED");
		this.release.countDown();
		await().until(() -> this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
		assertThat(this.runs).hasValue(2);
		assertNothingWritten();
	}

	@Test
	void extensionAfterALostClaimThrows() throws InterruptedException {
		UUID job = enqueue((context) -> {
			block();
			assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> context.extend(HOUR))
				.withMessageStartingWith("The claim on job %s of type 'mail' in queue 'emails' is lost", context.id());
			this.runs.incrementAndGet();
			return JobResult.success();
		});
		this.begun.await();
		this.sql.sql("UPDATE jobqueue_job SET locked_by = gen_random_uuid()").update();
		this.release.countDown();
		await().until(() -> this.runs.get() == 1);
		assertThat(state(job)).isEqualTo("RUNNING");
	}

	/**
	 * A transaction that changes the job meanwhile does not wait for its handler.
	 */
	@Test
	void runningHandlerHoldsNoLockOnItsJob() throws InterruptedException {
		UUID job = enqueue((context) -> {
			context.extend(HOUR);
			pay(context.attempt());
			block();
			return JobResult.success();
		});
		this.begun.await();
		assertThat(this.sql.sql("SELECT id FROM jobqueue_job WHERE id = ? FOR UPDATE NOWAIT")
			.param(job)
			.query()
			.listOfRows()).hasSize(1);
		assertThat(column("extract(epoch FROM lease_until - now())", job, Double.class)).isBetween(3500.0, 3602.0);
		this.release.countDown();
		awaitState(job, "SUCCEEDED");
	}

	@Test
	void completionIsTheLastStatement() {
		UUID job = enqueue((context) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					assertThat(ownView(context.id())).isEqualTo(1);
					pay(context.attempt());
				}

			});
			return JobResult.success();
		});
		awaitState(job, "SUCCEEDED");
		assertThat(count("payment")).isEqualTo(1);
	}

	/**
	 * What the handler's own transaction sees of its job.
	 */
	private int ownView(UUID job) {
		return this.jdbc.queryForObject("SELECT count(*) FROM jobqueue_job WHERE id = ?", Integer.class, job);
	}

	@Test
	void innerTransactionsCommitOnTheirOwn() {
		UUID job = enqueue((context) -> {
			TransactionTemplate independent = new TransactionTemplate(this.node.transactionManager());
			independent.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			independent.executeWithoutResult((status) -> this.jdbc.update("INSERT INTO payment VALUES (7)"));
			return JobResult.fail("no");
		});
		awaitState(job, "DEAD");
		assertThat(count("payment")).isEqualTo(1);
	}

	@Test
	void succeedOnExceptionDoesNotCompleteALostClaim() throws InterruptedException {
		UUID job = enqueue((context) -> {
			block();
			throw new AlreadyDone();
		});
		this.begun.await();
		this.sql.sql("UPDATE jobqueue_job SET locked_by = gen_random_uuid()").update();
		this.release.countDown();
		await().until(() -> count("jobqueue_claim") == 0);
		assertThat(state(job)).isEqualTo("RUNNING");
	}

	/**
	 * Another transaction changes what the handler has read.
	 */
	@Test
	void serializationFailureIsAFailedAttempt() {
		this.sql.sql("INSERT INTO payment VALUES (0)").update();
		UUID job = enqueue((context) -> {
			this.jdbc.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
			this.jdbc.queryForList("SELECT id FROM payment");
			if (this.runs.incrementAndGet() == 1) {
				this.sql.sql("UPDATE payment SET id = id + 1").update();
			}
			this.jdbc.update("UPDATE payment SET id = id + 10");
			return JobResult.success();
		});
		awaitState(job, "SUCCEEDED");
		assertThat(column("failures", job, Integer.class)).isEqualTo(1);
		assertThat(this.jdbc.queryForList("SELECT id FROM payment", Integer.class)).containsExactly(11);
	}

	/**
	 * The rollback fails as well, since there is no connection any more.
	 */
	@Test
	void errorNamesWhatTheServerSaysWhereTheCompletionFails() {
		UUID job = enqueue((context) -> {
			pay(context.attempt());
			int session = this.jdbc.queryForObject("SELECT pg_backend_pid()", Integer.class);
			this.jdbc.execute("SET LOCAL idle_in_transaction_session_timeout = '1ms'");
			await().until(() -> count("pg_stat_activity WHERE pid = " + session) == 0);
			return JobResult.success();
		}, 1);
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).contains("idle-in-transaction timeout");
		assertNothingWritten();
	}

	private JobResult pay(JobContext job) {
		pay(job.attempt());
		return JobResult.success();
	}

	private void pay(int attempt) {
		this.jdbc.update("INSERT INTO payment VALUES (?)", attempt);
		this.node.queue().enqueue("receipts", new Mail("paid"));
	}

	private void block() throws InterruptedException {
		this.begun.countDown();
		this.release.await();
	}

	private void assertNothingWritten() {
		assertThat(count("payment")).isZero();
		assertThat(followUps()).isZero();
	}

	private long followUps() {
		return count("jobqueue_job WHERE queue = 'receipts'");
	}

	private UUID enqueue(Behaviour behaviour) {
		return enqueue(behaviour, 25);
	}

	private UUID enqueue(Behaviour behaviour, int maxAttempts) {
		this.node = started(
				(settings) -> settings.maxAttempts(maxAttempts).bean(Handlers.of(Delivery.TRANSACTIONAL, behaviour)));
		return this.node.queue().enqueue("emails", new Mail("hi")).id();
	}

}
