package io.jobqueue.internal.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What wakes an idle worker up, and what does where that fails.
 */
@Tag("pooler") // signals
class WakeUpTests extends NodeTestBase {

	private static final Duration RARELY = Duration.ofMinutes(1);

	private static final Duration LONG = Duration.ofSeconds(5);

	private static final Duration WELL_BELOW = Duration.ofSeconds(10);

	@Test
	void commitInThisJvmWakesTheWorker() {
		QueueNode node = started((settings) -> idle(settings.pollInterval(RARELY)));
		awaitIdle();
		assertSoonDone(node.queue().enqueue("emails", new Mail("hi")).id());
	}

	@Test
	void commitOnAnotherNodeWakesTheWorker() {
		QueueNode node = started(
				(settings) -> idle(settings.pollInterval(RARELY).listensOn(this.database.directDataSource())));
		QueueNode other = started((settings) -> settings.unpooled(this.database.dataSource()));
		awaitIdle();
		await().until(() -> node.remoteSignals().isConnected());
		assertSoonDone(other.queue().enqueue("emails", new Mail("hi")).id());
	}

	/**
	 * The wake-up follows the commit, when most of the delay is over. If the delay began
	 * there, the job would start after nearly twice as long.
	 */
	@Test
	@Tag("slow") // waits for a delay
	void delayBeginsBeforeTheCommit() {
		QueueNode node = started((settings) -> idle(settings.pollInterval(RARELY)));
		awaitIdle();
		long start = System.nanoTime();
		UUID job = node.transaction().execute((status) -> {
			UUID id = node.queue().enqueue(JobRequest.of("emails", new Mail("hi")).delay(LONG)).id();
			await().until(() -> System.nanoTime() - start > LONG.minusMillis(500).toNanos());
			return id;
		});
		awaitState(job, "SUCCEEDED");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(LONG, LONG.multipliedBy(2).minusMillis(500));
	}

	@Test
	void jobEnqueuedInAnAfterCommitCallbackWakesTheWorker() {
		QueueNode node = started((settings) -> idle(settings.pollInterval(RARELY)));
		awaitIdle();
		UUID[] job = new UUID[1];
		node.transaction()
			.executeWithoutResult((status) -> TransactionSynchronizationManager
				.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						job[0] = node.queue().enqueue("emails", new Mail("hi")).id();
					}

				}));
		assertSoonDone(job[0]);
	}

	@Test
	void workerDoesNotSleepPastTheNextRunAt() {
		QueueNode node = started((settings) -> idle(settings.pollInterval(RARELY)));
		awaitIdle();
		assertSoonDone(
				node.queue().enqueue(JobRequest.of("emails", new Mail("hi")).delay(Duration.ofMillis(500))).id());
	}

	@Test
	@Tag("slow") // waits for a delay
	void workerThatStartsLaterDoesNotSleepPastTheNextRunAt() {
		UUID job = producer().queue()
			.enqueue(JobRequest.of("emails", new Mail("hi")).delay(Duration.ofSeconds(2)))
			.id();
		started((settings) -> idle(settings.pollInterval(RARELY)));
		assertSoonDone(job);
	}

	@Test
	void lostSignalCostsOnePoll() {
		started((settings) -> idle(settings.pollInterval(Duration.ofSeconds(1))));
		awaitIdle();
		assertSoonDone(producer().queue().enqueue("emails", new Mail("hi")).id());
	}

	@Test
	@Tag("slow") // an outage that lasts
	void pollingServesUntilABrokenListenerIsConnectedAgain() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> idle(
					settings.pollInterval(Duration.ofSeconds(1)).listensOn(this.database.directDataSource())));
			await().until(() -> node.remoteSignals().isConnected());
			terminateListener();
			await().until(() -> !node.remoteSignals().isConnected());
			awaitDone(producer().queue().enqueue("emails", new Mail("hi")).id());
			await().until(() -> node.remoteSignals().isConnected());
			await().until(() -> !log.messages("LISTEN is available again").isEmpty());
			assertThat(log.messages("LISTEN is unavailable, falling back to polling")).hasSize(1);
			assertThat(log.messages("LISTEN is available again")).hasSize(1);
		}
	}

	/**
	 * The worker polls at its start, and then not by itself.
	 */
	@Test
	@Tag("slow") // waits for polls that have slowed down
	void pollFindsJobsWhoseSignalsTheListenerHasMissed() {
		Unreachable unpooled = new Unreachable(this.database.directDataSource());
		UUID earlier = producer().queue().enqueue("emails", new Mail("hi")).id();
		QueueNode node = started((settings) -> idle(settings.neverPolls().listensOn(unpooled)));
		awaitDone(earlier);
		UUID missed = producer().queue().enqueue("emails", new Mail("hi")).id();
		assertThat(node.remoteSignals().isConnected()).isFalse();
		unpooled.reachable = true;
		awaitDone(missed);
		assertPollFollowsALostListener(node, unpooled);
	}

	private void assertPollFollowsALostListener(QueueNode node, Unreachable unpooled) {
		UUID missed = producer().queue().enqueue("emails", new Mail("hi")).id();
		unpooled.reachable = false;
		terminateListener();
		awaitDone(missed);
		assertThat(node.remoteSignals().isConnected()).isFalse();
	}

	private void terminateListener() {
		this.sql.sql("""
				SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND query LIKE '%LISTEN "%'
				AND pid <> pg_backend_pid()
				""").query().listOfRows();
	}

	/**
	 * The signals of these jobs were lost. They are of priority 10 and due in 0 ms.
	 */
	@Test
	void pollThatFindsMoreThanItCanTakeWakesOtherNodes() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		try (Connection listener = this.database.directDataSource().getConnection();
				Statement statement = listener.createStatement()) {
			statement.execute("LISTEN jobqueue_public");
			QueueNode lost = producer();
			lost.queue()
				.enqueueAll(Stream.generate(() -> JobRequest.of("emails", new Mail("hi"))).limit(3_000).toList());
			started((settings) -> settings.concurrency(1)
				.unpooled(this.database.directDataSource())
				.handler((mail, job) -> end.await()));
			closeLater(end::countDown);
			await().until(() -> isNotified(listener, "emails:10:0:"));
		}
	}

	private static boolean isNotified(Connection listener, String arrival) throws SQLException {
		PGNotification[] notifications = listener.unwrap(PGConnection.class).getNotifications(100);
		return notifications != null
				&& Stream.of(notifications).anyMatch((notification) -> notification.getParameter().contains(arrival));
	}

	@Test
	void pollingServesWhereThereAreNoConnectionsBesideThePool() {
		try (CapturedLog log = new CapturedLog()) {
			started((settings) -> idle(settings.listensOn(null)));
			awaitIdle();
			assertSoonDone(producer().queue().enqueue("emails", new Mail("hi")).id());
			assertThat(log.messages("LISTEN is unavailable, falling back to polling")).hasSize(1);
		}
	}

	@Test
	@Tag("slow") // waits for polls
	void pollingServesWhereListenSucceedsButNothingArrives() {
		try (CapturedLog log = new CapturedLog(); TestDatabase elsewhere = TestPostgres.freshDatabase()) {
			DataSource unpooled = new OtherDatabase(this.database.directDataSource(), elsewhere.directDataSource());
			QueueNode node = started((settings) -> idle(settings.listensOn(unpooled)));
			await().until(() -> log.messages("LISTEN is unavailable, falling back to polling").size() == 1);
			assertThat(log.messages("a test signal did not arrive")).hasSize(1);
			assertSoonDone(producer().queue().enqueue("emails", new Mail("hi")).id());
			assertThat(node.remoteSignals().isConnected()).isFalse();
		}
	}

	private static TestNodeSettings idle(TestNodeSettings settings) {
		return settings.handler((mail, job) -> {
		});
	}

	/**
	 * The worker has checked in, and the poll that follows has found nothing.
	 */
	private void awaitIdle() {
		await().until(() -> count("jobqueue_worker") > 0);
		await().until(() -> count("""
				pg_stat_activity
				WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()""") == 0);
	}

	private void assertSoonDone(UUID job) {
		await().atMost(WELL_BELOW).until(() -> state(job).equals("SUCCEEDED"));
	}

	private void awaitDone(UUID job) {
		await().until(() -> state(job).equals("SUCCEEDED"));
	}

	/**
	 * Opens no connection until it is reachable.
	 */
	private static final class Unreachable extends DelegatingDataSource {

		private volatile boolean reachable;

		Unreachable(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (!this.reachable) {
				throw new SQLException("unreachable");
			}
			return super.getConnection();
		}

	}

	/**
	 * Connects the listener to another database, as a pooler in transaction mode leaves
	 * it without signals.
	 */
	private static final class OtherDatabase extends AbstractDataSource {

		private final DataSource real;

		private final DataSource elsewhere;

		OtherDatabase(DataSource real, DataSource elsewhere) {
			this.real = real;
			this.elsewhere = elsewhere;
		}

		@Override
		public Connection getConnection() throws SQLException {
			boolean listens = Thread.currentThread().getName().startsWith("jobqueue-login-listener-");
			return (listens ? this.elsewhere : this.real).getConnection();
		}

		@Override
		public Connection getConnection(String username, String password) {
			throw new UnsupportedOperationException();
		}

	}

}
