package io.jobqueue.internal.outbox;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.event.EventListener;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobEnqueued;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.BoundTransactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A job that is enqueued in a callback around the end of a transaction exists, and is
 * signalled, if the call returns. The workers do not poll.
 */
class EnqueueAfterCompletionTests extends NodeTestBase {

	private final List<UUID> received = new CopyOnWriteArrayList<>();

	private final List<UUID> published = new CopyOnWriteArrayList<>();

	private final List<UUID> ran = new CopyOnWriteArrayList<>();

	@BeforeEach
	void forget() {
		this.received.clear();
		this.published.clear();
		this.ran.clear();
	}

	private QueueNode node(boolean autoCommit) {
		HikariConfig config = new HikariConfig();
		config.setDataSource(this.database.dataSource());
		config.setMinimumIdle(0);
		config.setAutoCommit(autoCommit);
		return node(settings(closeLater(new HikariDataSource(config))).neverPolls()
			.bean(new PublishedJobs(this.published))
			.handler((mail, job) -> this.ran.add(job.id()))).start();
	}

	static Stream<Arguments> callbacks() {
		return Stream.of(true, false)
			.flatMap(
					(autoCommit) -> Stream.of(Callback.values()).map((callback) -> Arguments.of(autoCommit, callback)));
	}

	@ParameterizedTest
	@MethodSource("callbacks")
	void jobExistsIfTheCallReturns(boolean autoCommit, Callback callback) {
		QueueNode node = node(autoCommit);
		complete(node.transaction(), callback, () -> enqueue(node));
		assertAllExistAndRun(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void everyCallbackOfATransactionMayEnqueue(boolean autoCommit) {
		QueueNode node = node(autoCommit);
		node.transaction().executeWithoutResult((status) -> {
			enqueue(node);
			register(Callback.BEFORE_COMMIT, () -> enqueue(node));
			register(Callback.AFTER_COMMIT, () -> enqueue(node));
			register(Callback.AFTER_COMMIT, () -> enqueue(node));
			register(Callback.AFTER_COMPLETION, () -> enqueue(node));
			register(Callback.AFTER_COMPLETION, () -> enqueue(node));
		});
		assertAllExistAndRun(6);
	}

	/**
	 * What is enqueued after the inner transaction's end belongs to none of the two until
	 * the outer one goes on.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void transactionInsideDoesNotEndTheOuterOne(boolean autoCommit) {
		QueueNode node = node(autoCommit);
		node.transaction().executeWithoutResult((status) -> {
			independent(node).executeWithoutResult((inner) -> register(Callback.AFTER_COMMIT, () -> enqueue(node)));
			UUID rolledBack = node.queue().enqueue(new Mail("rolled back")).id();
			assertThat(existing()).doesNotContain(rolledBack).containsExactlyElementsOf(this.received);
			status.setRollbackOnly();
		});
		assertAllExistAndRun(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void transactionThatJoinsOneThatIsOverKeepsNoJob(boolean autoCommit) {
		QueueNode node = node(autoCommit);
		node.transaction()
			.executeWithoutResult((status) -> register(Callback.AFTER_COMPLETION,
					() -> node.transaction().executeWithoutResult((inner) -> enqueue(node))));
		assertAllExistAndRun(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void transactionThatIsBegunAfterTheEndIsJoined(boolean autoCommit) {
		QueueNode node = node(autoCommit);
		node.transaction()
			.executeWithoutResult((status) -> register(Callback.AFTER_COMMIT,
					() -> independent(node).executeWithoutResult((inner) -> {
						node.queue().enqueue(new Mail("rolled back"));
						inner.setRollbackOnly();
					})));
		enqueue(node);
		assertAllExistAndRun(1);
	}

	/**
	 * Spring calls no listener at such an end.
	 */
	@Test
	void nextTransactionIsJoinedAfterOneThatEndedUnseen() {
		QueueNode node = node(false);
		assertThat(catchThrowable(
				() -> node.transaction().executeWithoutResult((status) -> register(Callback.BEFORE_COMMIT, () -> {
					throw new IllegalTransactionStateException("refused");
				}))))
			.isInstanceOf(IllegalTransactionStateException.class);
		node.transaction().executeWithoutResult((status) -> {
			node.queue().enqueue(new Mail("rolled back"));
			status.setRollbackOnly();
		});
		enqueue(node);
		assertAllExistAndRun(1);
	}

	@Test
	void transactionThatIsOverIsNoneWhereOneIsRequired() {
		QueueNode strict = node(settings().requireTransaction());
		strict.transaction()
			.executeWithoutResult((status) -> register(Callback.AFTER_COMMIT,
					() -> assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> enqueue(strict))
						.withMessageContaining("'transaction' has completed")
						.satisfies((ex) -> assertThat(ex.property()).isEqualTo("transaction"))));
		assertThat(existing()).isEmpty();
	}

	/**
	 * The transaction that is over still holds the only connection.
	 */
	@Test
	void callIsRefusedWhereThePoolHasNoOtherConnection() {
		HikariConfig config = new HikariConfig();
		config.setDataSource(this.database.dataSource());
		config.setMaximumPoolSize(1);
		config.setConnectionTimeout(250);
		QueueNode node = node(settings(closeLater(new HikariDataSource(config))));
		node.transaction()
			.executeWithoutResult((status) -> register(Callback.AFTER_COMMIT,
					() -> assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> enqueue(node))
						.withMessageContaining("'transaction' has completed")
						.withMessageContaining("enlarge the connection pool")));
		enqueue(node);
		assertThat(existing()).containsExactlyElementsOf(this.received);
	}

	/**
	 * Here, an interceptor has begun a transaction elsewhere.
	 */
	@Test
	void failureOfAnInterceptorIsNotThatOfTheTransaction() {
		CannotCreateTransactionException failure = new CannotCreateTransactionException("elsewhere");
		QueueNode node = node(settings().bean(new FailingInterceptor(failure)));
		node.transaction()
			.executeWithoutResult((status) -> register(Callback.AFTER_COMMIT,
					() -> assertThat(catchThrowable(() -> enqueue(node))).isSameAs(failure)));
	}

	/**
	 * As with a manager that takes no listener: only the outer transaction is tracked,
	 * which is that of a handler.
	 */
	@Test
	void taskRunsAtTheEndOfATransactionInsideThatIsNotTracked() {
		PlatformTransactionManager manager = new JdbcTransactionManager(this.pool);
		BoundTransactions bound = new BoundTransactions(this.pool);
		CallerTransaction caller = new CallerTransaction(new JdbcTransactionManager(this.pool), bound, false);
		AtomicInteger runs = new AtomicInteger();
		new TransactionTemplate(manager).executeWithoutResult((outer) -> {
			bound.track(outer);
			independent(manager).executeWithoutResult((inner) -> caller.afterCommit(runs::incrementAndGet));
			assertThat(runs).hasValue(1);
			outer.setRollbackOnly();
		});
		assertThat(runs).hasValue(1);
	}

	private static TransactionTemplate independent(QueueNode node) {
		return independent(node.transactionManager());
	}

	private static TransactionTemplate independent(PlatformTransactionManager manager) {
		TransactionTemplate template = new TransactionTemplate(manager);
		template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return template;
	}

	private void enqueue(QueueNode node) {
		this.received.add(node.queue().enqueue(new Mail("hi")).id());
	}

	private void assertAllExistAndRun(int count) {
		assertThat(this.received).hasSize(count);
		await().untilAsserted(() -> assertThat(this.ran).containsExactlyInAnyOrderElementsOf(this.received));
		await().untilAsserted(() -> assertThat(this.published).containsExactlyInAnyOrderElementsOf(this.received));
		assertThat(existing()).containsExactlyInAnyOrderElementsOf(this.received);
	}

	private List<UUID> existing() {
		return this.sql.sql("SELECT id FROM jobqueue_jobs").query(UUID.class).list();
	}

	private static void register(Callback callback, Runnable task) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void beforeCommit(boolean readOnly) {
				runIf(Callback.BEFORE_COMMIT);
			}

			@Override
			public void beforeCompletion() {
				runIf(Callback.BEFORE_COMPLETION);
			}

			@Override
			public void afterCommit() {
				runIf(Callback.AFTER_COMMIT);
			}

			@Override
			public void afterCompletion(int status) {
				runIf(Callback.AFTER_COMPLETION);
			}

			private void runIf(Callback now) {
				if (callback == now) {
					task.run();
				}
			}

		});
	}

	private static void complete(TransactionTemplate transaction, Callback callback, Runnable task) {
		boolean last = callback.compareTo(Callback.AFTER_COMPLETION) >= 0;
		Throwable thrown = catchThrowable(() -> transaction.executeWithoutResult((status) -> {
			register(last ? Callback.AFTER_COMPLETION : callback, task);
			prepare(callback, status);
		}));
		assertThat(Objects.toString((thrown != null) ? thrown.getMessage() : null)).isIn("null", "refused");
	}

	private static void prepare(Callback callback, TransactionStatus status) {
		switch (callback) {
			case AFTER_ROLLBACK -> status.setRollbackOnly();
			case AFTER_A_CALLBACK_THAT_THROWS -> register(Callback.BEFORE_COMMIT, () -> {
				throw new IllegalStateException("refused");
			});
			case AFTER_A_CALLBACK_WHOSE_TRANSACTION_FAILS -> register(Callback.BEFORE_COMMIT, () -> {
				throw new IllegalTransactionStateException("refused");
			});
			default -> {
			}
		}
	}

	/**
	 * When a job is enqueued.
	 */
	enum Callback {

		BEFORE_COMMIT, BEFORE_COMPLETION, AFTER_COMMIT, AFTER_COMPLETION, AFTER_ROLLBACK, AFTER_A_CALLBACK_THAT_THROWS,
		AFTER_A_CALLBACK_WHOSE_TRANSACTION_FAILS

	}

	/**
	 * Throws an exception instead of enqueueing.
	 */
	record FailingInterceptor(RuntimeException failure) implements JobInterceptor {

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			throw this.failure;
		}

	}

	/**
	 * Remembers the jobs that listeners are published of.
	 */
	record PublishedJobs(List<UUID> jobs) {

		@EventListener
		void on(JobEnqueued event) {
			this.jobs.add(event.job().id());
		}

	}

}
