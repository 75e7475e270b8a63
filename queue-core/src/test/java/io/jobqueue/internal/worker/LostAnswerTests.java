package io.jobqueue.internal.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A transaction that takes place while its answer is lost.
 */
@Tag("pooler") // lost sessions
class LostAnswerTests extends NodeTestBase {

	@Test
	void jobOfAClaimWhoseAnswerWasLostIsReleasedUncounted() {
		UUID job = runWithALostAnswer("fetcher", () -> count("jobqueue_claim") > 0);
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
		assertThat(column("failures", job, Integer.class)).isZero();
	}

	@Test
	void jobOfAClaimWhoseAnswerWasLostIsReleasedByAStopToo() {
		LosingAnAnswer dataSource = new LosingAnAnswer(this.pool, "fetcher", () -> count("jobqueue_claim") > 0);
		QueueNode node = node(settings(dataSource).claimsByFetcher().handler((mail, job) -> {
		})).start();
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		await().untilTrue(dataSource.lost);
		node.jobWorker().stop();
		node.close();
		assertThat(state(job)).isEqualTo("READY");
		assertThat(column("attempts", job, Integer.class)).isZero();
	}

	@Test
	void outcomeWhoseAnswerWasLostIsWrittenOnce() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = runWithALostAnswer("completion", () -> count("jobqueue_archive") > 0);
			assertThat(count("jobqueue_archive")).isEqualTo(1);
			assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
			await().until(() -> !log.messages("was recorded before").isEmpty());
			assertThat(log.messages("its outcome was not recorded")).isEmpty();
		}
	}

	/**
	 * The attempt fails here, and has succeeded there.
	 */
	@Test
	void transactionalJobWhoseCommitLostItsAnswerRunsOnce() {
		AtomicInteger runs = new AtomicInteger();
		try (CapturedLog log = new CapturedLog()) {
			UUID job = runWithALostAnswer("emails", () -> count("jobqueue_archive") > 0,
					(settings) -> settings.bean(new Transactional(runs)));
			await().until(() -> !log.messages("its outcome was not recorded").isEmpty());
			assertThat(column("failures", job, Integer.class)).isZero();
			assertThat(runs).hasValue(1);
		}
	}

	record Transactional(AtomicInteger runs) {

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL)
		void run(Mail mail) {
			this.runs.incrementAndGet();
		}

	}

	private UUID runWithALostAnswer(String role, BooleanSupplier when) {
		return runWithALostAnswer(role, when, (settings) -> settings.handler((mail, job) -> {
		}));
	}

	private UUID runWithALostAnswer(String role, BooleanSupplier when, UnaryOperator<TestNodeSettings> handler) {
		LosingAnAnswer dataSource = new LosingAnAnswer(this.pool, role, when);
		QueueNode node = node(handler.apply(settings(dataSource).claimsByFetcher())).start();
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		awaitState(job, "SUCCEEDED");
		await().untilTrue(dataSource.lost);
		return job;
	}

	/**
	 * Breaks the connection after the first transaction of a worker's thread that brings
	 * about what is awaited.
	 */
	private static final class LosingAnAnswer extends DelegatingDataSource {

		private final String role;

		private final BooleanSupplier when;

		private final AtomicBoolean lost = new AtomicBoolean();

		LosingAnAnswer(DataSource target, String role, BooleanSupplier when) {
			super(target);
			this.role = role;
			this.when = when;
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return watch(Connection.class, connection,
					(method, result) -> method.getName().equals("prepareStatement") ? watch(PreparedStatement.class,
							(PreparedStatement) result, (call, answer) -> loseIfDue(connection, call, answer))
							: result);
		}

		private Object loseIfDue(Connection connection, Method method, Object answer) throws SQLException {
			if (method.getName().equals("execute") && isOfThatRole() && this.when.getAsBoolean()
					&& this.lost.compareAndSet(false, true)) {
				connection.close();
				throw new SQLException("The answer was lost", "08006");
			}
			return answer;
		}

		private static <T> T watch(Class<T> type, T target, Watch watch) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> watch.called(method, invoke(target, method, arguments))));
		}

		private boolean isOfThatRole() {
			return Thread.currentThread().getName().contains("-" + this.role + "-");
		}

		private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
			try {
				return method.invoke(target, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

		/**
		 * Sees the result of a call, and may replace it.
		 */
		private interface Watch {

			Object called(Method method, Object result) throws SQLException;

		}

	}

}
