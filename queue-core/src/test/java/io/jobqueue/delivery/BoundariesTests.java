package io.jobqueue.delivery;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.ClaimLostException;
import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Where a handler's doings end and ours begin.
 */
@Tag("pooler") // transactions of handlers
class BoundariesTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private QueueNode node = producer();

	@BeforeEach
	void prepare() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS payment (id integer)").update();
		this.sql.sql("TRUNCATE payment").update();
	}

	@ParameterizedTest
	@EnumSource(names = { "AT_LEAST_ONCE", "TRANSACTIONAL" })
	void extensionCommitsNothingOfTheHandlers(Delivery delivery) {
		TransactionAwareDataSourceProxy shared = new TransactionAwareDataSourceProxy(this.pool);
		this.node = node(settings(shared).maxAttempts(1).bean(Handlers.of(delivery, (job) -> {
			new TransactionTemplate(this.node.transactionManager()).executeWithoutResult((status) -> {
				pay();
				job.extend(HOUR);
				throw new IllegalStateException("refused");
			});
			return JobResult.success();
		}))).start();
		awaitState(enqueue(), "DEAD");
		assertThat(count("payment")).isZero();
	}

	@Test
	void rollbackOnlyIsNoExceptionOfTheHandlerToSucceedOn() {
		UUID job = enqueue(new Lenient((context) -> {
			pay();
			new TransactionTemplate(this.node.transactionManager())
				.executeWithoutResult((status) -> status.setRollbackOnly());
		}), (settings) -> settings.maxAttempts(1));
		awaitState(job, "DEAD");
		assertThat(count("payment")).isZero();
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void timeoutIsNoExceptionOfTheHandlerToSucceedOn() {
		UUID job = enqueue(new Lenient((context) -> new CountDownLatch(1).await()),
				(settings) -> settings.maxAttempts(1).maxRunTime(Duration.ofSeconds(2)));
		awaitState(job, "DEAD");
	}

	@Test
	void unreadablePayloadIsNoExceptionOfTheHandlerToSucceedOn() {
		this.node = started((settings) -> settings.maxAttempts(1).bean(new Lenient((context) -> {
		})));
		UUID job = UUID.randomUUID();
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				VALUES (?, now(), now(), 10, 'emails', 'mail', '{"text": [')
				""").param(job).update();
		awaitState(job, "DEAD");
	}

	@Test
	void jobThatCannotBeginIsReleasedUncounted() {
		Refusing refusing = new Refusing(this);
		this.node = node(settings(refusing).maxAttempts(1)
			.bean(Handlers.of(Delivery.TRANSACTIONAL, (job) -> JobResult.success()))).start();
		UUID job = enqueue();
		awaitState(job, "SCHEDULED");
		assertThat(column("attempts", job, Integer.class)).isZero();
		refusing.refuses = false;
		this.sql.sql("UPDATE jobqueue_job SET run_at = now()").update();
		awaitState(job, "SUCCEEDED");
	}

	@Test
	void exceptionThatFailsToPrintFailsTheAttempt() {
		this.node = started((settings) -> settings.concurrency(1).bean(Handlers.of(Delivery.AT_LEAST_ONCE, (job) -> {
			if (job.headers().isEmpty()) {
				return JobResult.success();
			}
			throw new Sinister();
		})));
		UUID sinister = this.node.queue().enqueue(JobRequest.of(new Mail("hi")).header("sinister", "yes")).id();
		awaitState(sinister, "RETRYING");
		awaitState(enqueue(), "SUCCEEDED");
	}

	/**
	 * The policy decides only when the handler has come to its end.
	 */
	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void handlerWhoseTimeIsOverCanNeitherCommitNorExtend() {
		CountDownLatch completed = new CountDownLatch(1);
		AtomicInteger status = new AtomicInteger(-1);
		AtomicReference<@Nullable Throwable> extension = new AtomicReference<>();
		UUID job = enqueue(Handlers.of(Delivery.TRANSACTIONAL, (context) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int how) {
					status.set(how);
					completed.countDown();
				}

			});
			pay();
			sleepUntilInterrupted();
			extension.set(catchThrowable(() -> context.extend(HOUR)));
			return JobResult.success();
		}), (settings) -> settings.maxRunTime(Duration.ofSeconds(2)).retryPolicy((failure) -> {
			awaitQuietly(completed);
			return RetryDecision.giveUp();
		}));
		awaitState(job, "DEAD");
		assertThat(status).hasValue(TransactionSynchronization.STATUS_ROLLED_BACK);
		assertThat(extension.get()).isInstanceOf(ClaimLostException.class);
		assertThat(count("payment")).isZero();
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void hangingPolicyDelaysNoOtherTimeout() {
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger interrupted = new AtomicInteger();
		this.node = started((settings) -> settings.maxRunTime(Duration.ofSeconds(1)).retryPolicy((failure) -> {
			awaitQuietly(release);
			return RetryDecision.giveUp();
		}).bean(Handlers.of(Delivery.AT_LEAST_ONCE, (job) -> {
			sleepUntilInterrupted();
			interrupted.incrementAndGet();
			return JobResult.success();
		})));
		UUID first = enqueue();
		await().until(() -> interrupted.get() == 1);
		UUID second = enqueue();
		await().until(() -> interrupted.get() == 2);
		release.countDown();
		awaitState(first, "DEAD");
		awaitState(second, "DEAD");
	}

	@Test
	void whatFailsAfterTheCommitIsNoFailureOfTheJob() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = enqueue(Handlers.of(Delivery.TRANSACTIONAL, (context) -> {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						throw new IllegalStateException("too late");
					}

				});
				pay();
				return JobResult.success();
			}), UnaryOperator.identity());
			awaitState(job, "SUCCEEDED");
			await().until(() -> count("jobqueue_claim") == 0);
			assertThat(log.messages("a callback after its commit failed")).hasSize(1);
			assertThat(log.messages("failed and")).isEmpty();
			assertThat(log.messages("was not recorded")).isEmpty();
		}
	}

	@Test
	void leaseCannotBeExtendedBeyondWhatTheDatabaseCounts() {
		AtomicBoolean extended = new AtomicBoolean();
		UUID job = enqueue(Handlers.of(Delivery.AT_LEAST_ONCE, (context) -> {
			context.extend(Duration.ofDays(1_000_000));
			extended.set(true);
			return JobResult.success();
		}), UnaryOperator.identity());
		awaitState(job, "SUCCEEDED");
		assertThat(extended).isTrue();
	}

	private UUID enqueue(Object bean, UnaryOperator<TestNodeSettings> settings) {
		this.node = started((all) -> settings.apply(all).bean(bean));
		return enqueue();
	}

	private UUID enqueue() {
		return this.node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private void pay() {
		this.jdbc.update("INSERT INTO payment VALUES (1)");
	}

	private static void sleepUntilInterrupted() {
		awaitQuietly(new CountDownLatch(1));
	}

	private static void awaitQuietly(CountDownLatch latch) {
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> {
			latch.await();
			throw new InterruptedException("The latch is open");
		});
	}

	/**
	 * Takes whatever it throws for success.
	 */
	record Lenient(Work work) {

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL, succeedOn = Throwable.class)
		void run(Mail mail, JobContext job) throws Exception {
			this.work.run(job);
		}

	}

	/**
	 * What a handler does.
	 */
	interface Work {

		void run(JobContext job) throws Exception;

	}

	@SuppressWarnings("serial")
	private static final class Sinister extends RuntimeException {

		@Override
		public synchronized Throwable getCause() {
			throw new IllegalStateException("Do not ask");
		}

	}

	/**
	 * Has no connection for handlers.
	 */
	private static final class Refusing extends DelegatingDataSource {

		private volatile boolean refuses = true;

		Refusing(BoundariesTests test) {
			super(test.pool);
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (this.refuses && Thread.currentThread().getName().contains("-emails-")) {
				throw new SQLException("All connections are in use", "08000");
			}
			return super.getConnection();
		}

	}

}
