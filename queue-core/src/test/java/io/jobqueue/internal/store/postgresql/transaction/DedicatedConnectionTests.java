package io.jobqueue.internal.store.postgresql.transaction;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Connections beside the pool, where the server accepts them and never answers.
 */
class DedicatedConnectionTests extends NodeTestBase {

	@Tag("slow") // waits for a login that is not answered
	@Test
	void loginThatIsNeverAnsweredEndsAndIsTheOnlyOne() throws IOException {
		try (ServerSocket frozen = frozen()) {
			ConnectionOpener opener = new ConnectionOpener(dataSource(frozen), "test");
			assertThatExceptionOfType(SQLTimeoutException.class).isThrownBy(opener::open)
				.withMessageContaining("did not answer the login");
			assertThatExceptionOfType(SQLTimeoutException.class).isThrownBy(opener::open)
				.withMessageContaining("has not answered the previous login yet");
		}
	}

	@Tag("slow") // waits for a login that is not answered
	@Test
	void loginIsTriedAgainWhenTheEarlierOneHasEnded() throws Exception {
		ServerSocket frozen = frozen();
		PGSimpleDataSource dataSource = dataSource(frozen);
		ConnectionOpener opener = new ConnectionOpener(dataSource, "test");
		assertThatExceptionOfType(SQLException.class).isThrownBy(opener::open);
		frozen.close();
		redirect(dataSource);
		await().ignoreExceptions().until(() -> {
			opener.open().close();
			return true;
		});
	}

	/**
	 * Also where the next login follows at once.
	 */
	@Test
	void refusalOfTheServerIsThrown() throws IOException {
		PGSimpleDataSource dataSource;
		try (ServerSocket gone = frozen()) {
			dataSource = dataSource(gone);
		}
		ConnectionOpener opener = new ConnectionOpener(dataSource, "test");
		for (int login = 0; login < 200; login++) {
			assertThatExceptionOfType(SQLException.class).isThrownBy(opener::open).withMessageContaining("refused");
		}
	}

	@Test
	void loginThreadThatCannotStartDoesNotBlockLaterLogins() throws SQLException {
		AtomicBoolean outOfThreads = new AtomicBoolean(true);
		ConnectionOpener opener = new ConnectionOpener(this.database.directDataSource(), (login) -> {
			if (outOfThreads.getAndSet(false)) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			return new Thread(login);
		});
		assertThatExceptionOfType(SQLException.class).isThrownBy(opener::open)
			.withMessageContaining("unable to create native thread");
		try (Connection connection = opener.open()) {
			assertThat(connection.isValid(10)).isTrue();
		}
	}

	@Tag("slow") // waits for logins that are not answered
	@Test
	void poolServesTheHeartbeatAndPollingTheRest() throws IOException {
		try (ServerSocket frozen = frozen(); CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.listensOn(dataSource(frozen)).handler((mail, job) -> {
			}));
			await().until(() -> count("jobqueue_worker") == 1);
			await().until(() -> !log.messages("heartbeats and signals use the pool").isEmpty());
			await().until(() -> !log.messages("LISTEN is unavailable, falling back to polling").isEmpty());
			assertThat(node.remoteSignals().isConnected()).isFalse();
		}
	}

	/**
	 * The fetcher may wait for the same login, which the stop reports.
	 */
	@Test
	@Tag("slow") // a server that does not answer
	void stopThatInterruptsTheLoginIsNoFailure() throws IOException {
		try (ServerSocket frozen = frozen(); CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.unpooled(dataSource(frozen)).handler((mail, job) -> {
			}));
			await().until(DedicatedConnectionTests::isLoggingIn);
			node.jobWorker().stop();
			assertThat(count("jobqueue_worker")).isZero();
			assertThat(log.messages("Could not open a connection outside the pool")).isEmpty();
		}
	}

	@Test
	void callAfterAnInterruptedLoginIsNoFailure() throws Exception {
		try (ServerSocket frozen = frozen();
				CapturedLog log = new CapturedLog();
				DedicatedConnection side = new DedicatedConnection(dataSource(frozen), this.pool)) {
			Thread thread = new Thread(() -> side.execute(DedicatedConnectionTests::session));
			thread.start();
			await().until(DedicatedConnectionTests::isLoggingIn);
			thread.interrupt();
			thread.join();
			await().during(Duration.ofMillis(400)).until(() -> side.execute(DedicatedConnectionTests::session) > 0);
			assertThat(log.messages("Could not open a connection outside the pool")).isEmpty();
		}
	}

	private static boolean isLoggingIn() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().startsWith("jobqueue-login-heartbeats-"));
	}

	@Test
	void recoveryIsReported() throws IOException {
		PGSimpleDataSource dataSource;
		try (ServerSocket gone = frozen()) {
			dataSource = dataSource(gone);
		}
		try (CapturedLog log = new CapturedLog();
				DedicatedConnection side = new DedicatedConnection(dataSource, this.pool)) {
			assertThat(side.execute(DedicatedConnectionTests::session)).isPositive();
			assertThat(log.messages("use a connection outside the pool again")).isEmpty();
			redirect(dataSource);
			await().until(() -> side.execute(DedicatedConnectionTests::session) > 0
					&& log.messages("use a connection outside the pool again").size() == 1);
		}
	}

	@Test
	void refusedLoginsPauseForAtLeast100MillisecondsEach() {
		AtomicInteger logins = new AtomicInteger();
		DedicatedConnection side = new DedicatedConnection(new DelegatingDataSource(this.pool) {

			@Override
			public Connection getConnection() throws SQLException {
				logins.incrementAndGet();
				throw new SQLException("too many clients already");
			}

		}, this.pool);
		long begun = System.nanoTime();
		for (int call = 0; call < 200; call++) {
			assertThat(side.execute(DedicatedConnectionTests::session)).isPositive();
		}
		Duration time = Duration.ofNanos(System.nanoTime() - begun);
		assertThat(logins).hasValueBetween(1, 1 + (int) time.dividedBy(Duration.ofMillis(100)));
	}

	@Test
	void lockEndsNoSession() {
		try (DedicatedConnection side = new DedicatedConnection(this.database.directDataSource(), this.pool)) {
			int session = side.execute(DedicatedConnectionTests::session);
			assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(() -> side.execute((jdbc) -> {
				throw new CannotAcquireLockException("locked");
			}));
			assertThat(side.execute(DedicatedConnectionTests::session)).isEqualTo(session);
		}
	}

	/**
	 * Where the pool serves, a call that gets no answer ends by itself, and others go on
	 * beside it.
	 */
	@Test
	void callInThePoolTimesOutAndDelaysNoOther() {
		DedicatedConnection side = new DedicatedConnection(null, this.pool);
		int timeout = side.execute((jdbc) -> {
			CompletableFuture<Integer> other = CompletableFuture
				.supplyAsync(() -> side.execute(DedicatedConnectionTests::session));
			assertThat(other).succeedsWithin(Duration.ofSeconds(10));
			return networkTimeout(jdbc);
		});
		assertThat(timeout).isEqualTo(60_000);
		assertThat(networkTimeout(new JdbcTemplate(this.pool))).isZero();
	}

	private static int networkTimeout(JdbcOperations jdbc) {
		return Objects.requireNonNull(jdbc.execute(Connection::getNetworkTimeout));
	}

	@Test
	void nothingIsOpenedAfterTheClose() {
		AtomicInteger opened = new AtomicInteger();
		DedicatedConnection side = new DedicatedConnection(new DelegatingDataSource(this.database.directDataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				opened.incrementAndGet();
				return super.getConnection();
			}

		}, this.pool);
		assertThat(side.execute(DedicatedConnectionTests::session)).isPositive();
		side.close();
		assertThat(side.execute(DedicatedConnectionTests::session)).isPositive();
		assertThat(opened).hasValue(1);
	}

	private void redirect(PGSimpleDataSource dataSource) {
		dataSource.setUrl(this.database.directJdbcUrl());
		dataSource.setUser(this.database.username());
		dataSource.setPassword(this.database.password());
	}

	private static int session(JdbcOperations jdbc) {
		return jdbc.queryForList("SELECT pg_backend_pid()", Integer.class).get(0);
	}

	/**
	 * The operating system accepts connections for it, and nothing reads from them.
	 */
	private static ServerSocket frozen() throws IOException {
		return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
	}

	private static PGSimpleDataSource dataSource(ServerSocket server) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl("jdbc:postgresql://%s:%d/test".formatted(server.getInetAddress().getHostAddress(),
				server.getLocalPort()));
		dataSource.setUser("test");
		dataSource.setPassword("test");
		return dataSource;
	}

}
