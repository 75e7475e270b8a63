package io.jobqueue.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A commit that takes place while its answer is lost.
 */
class LostAnswerTests extends NodeTestBase {

	@Test
	void jobOfAClaimWhoseAnswerWasLostIsGivenBackUncounted() {
		UUID job = runWithALostAnswerTo("INSERT INTO jobqueue_claim");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
		assertThat(column("failures", job, Integer.class)).isZero();
	}

	@Test
	void outcomeWhoseAnswerWasLostIsWrittenOnce() {
		UUID job = runWithALostAnswerTo("INSERT INTO jobqueue_archive");
		assertThat(count("jobqueue_archive")).isEqualTo(1);
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
		await().until(() -> count("jobqueue_claim") == 0);
	}

	private UUID runWithALostAnswerTo(String statement) {
		AtomicReference<String> next = new AtomicReference<>(statement);
		QueueNode node = node(settings(new LosingAnswers(this.pool, next)).handler((mail, job) -> {
		})).start();
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		awaitState(job, "SUCCEEDED");
		assertThat(next).hasNullValue();
		return job;
	}

	/**
	 * Breaks the connection after the first commit of a given statement.
	 */
	private static final class LosingAnswers extends DelegatingDataSource {

		private final AtomicReference<String> next;

		LosingAnswers(DataSource target, AtomicReference<String> next) {
			super(target);
			this.next = next;
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			boolean[] sent = new boolean[1];
			return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
					new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
						String awaited = this.next.get();
						sent[0] |= method.getName().equals("prepareStatement") && awaited != null
								&& String.valueOf(arguments[0]).contains(awaited);
						Object result = invoke(connection, method, arguments);
						if (sent[0] && method.getName().equals("commit")) {
							this.next.set(null);
							connection.close();
							throw new SQLException("The answer was lost", "08006");
						}
						return result;
					});
		}

		private static Object invoke(Connection connection, Method method, Object[] arguments) throws Throwable {
			try {
				return method.invoke(connection, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

	}

}
