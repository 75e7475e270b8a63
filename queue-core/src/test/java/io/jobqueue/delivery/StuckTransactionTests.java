package io.jobqueue.delivery;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobResult;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The transaction of a handler that does not end when it is interrupted is rolled back.
 */
@Tag("slow") // handlers that hang for seconds
@Tag("pooler") // transactions of handlers
class StuckTransactionTests extends NodeTestBase {

	private static final Duration SHORT = Duration.ofSeconds(1);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private final AtomicReference<Throwable> failure = new AtomicReference<>();

	private CountDownLatch release = new CountDownLatch(1);

	@BeforeEach
	void prepare() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS account (id integer, number integer)").update();
		this.sql.sql("TRUNCATE account").update();
		this.sql.sql("INSERT INTO account VALUES (1, 0)").update();
		this.failure.set(null);
		this.release = new CountDownLatch(1);
	}

	@AfterEach
	void releaseHandlers() {
		this.release.countDown();
	}

	/**
	 * The second attempt needs the row that the first one has locked.
	 */
	@Test
	void locksEnd() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = run((context) -> {
				book();
				return (context.attempt() == 1) ? swallow() : JobResult.success();
			}, (settings) -> settings.maxRunTime(SHORT));
			awaitState(job, "SUCCEEDED");
			assertThat(booked()).isOne();
			assertThat(log.messages("was rolled back and its connection closed")).singleElement()
				.asString()
				.contains(job.toString(), "did not end when interrupted");
		}
	}

	@Test
	void connectionReturnsToThePoolWhileTheHandlerHangs() {
		UUID job = run((context) -> {
			book();
			return swallow();
		}, (settings) -> settings.maxRunTime(SHORT).maxAttempts(1));
		awaitState(job, "DEAD");
		await().until(() -> this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
		assertThat(this.release.getCount()).isOne();
		assertThat(this.failure).hasNullValue();
		this.release.countDown();
		await().until(() -> this.failure.get() != null);
		assertThat(this.failure.get()).isInstanceOf(DataAccessException.class);
	}

	/**
	 * The server does not notice that the connection is closed until it has answered.
	 */
	@Test
	void statementIsCancelled() {
		UUID job = run((context) -> {
			book();
			if (context.attempt() == 1) {
				this.jdbc.execute("SELECT pg_sleep(600)");
			}
			return JobResult.success();
		}, (settings) -> settings.maxRunTime(SHORT));
		awaitState(job, "SUCCEEDED");
		assertThat(booked()).isOne();
	}

	/**
	 * What a callback does after the commit is not part of the transaction.
	 */
	@Test
	void committedTransactionIsLeftAlone() {
		UUID job = run((context) -> {
			book();
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					swallow();
				}

			});
			return JobResult.success();
		}, (settings) -> settings.maxRunTime(SHORT));
		awaitState(job, "SUCCEEDED");
		await().until(() -> this.node.jobWorker().status().stuck().containsValue(1));
		this.release.countDown();
		await().until(() -> this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
		assertThat(this.failure).hasNullValue();
	}

	/**
	 * It is sent with the completion of the job.
	 */
	@Test
	void commitUnderWayIsLeftAlone() {
		this.sql.sql("CREATE TABLE slow (id integer)").update();
		this.sql.sql("""
				CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql
				AS 'BEGIN PERFORM pg_sleep(3); RETURN NULL; END'
				""").update();
		this.sql.sql("""
				CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
				FOR EACH ROW EXECUTE FUNCTION pause()
				""").update();
		UUID job = run((context) -> {
			this.jdbc.update("INSERT INTO slow VALUES (1)");
			return JobResult.success();
		}, (settings) -> settings.maxRunTime(SHORT).maxAttempts(1));
		await().until(() -> this.node.jobWorker().status().stuck().containsValue(1));
		awaitState(job, "SUCCEEDED");
		assertThat(count("slow")).isOne();
	}

	@Test
	void stopEndsTheLocks() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		run((context) -> {
			book();
			begun.countDown();
			return swallow();
		}, (settings) -> settings.shutdownTimeout(Duration.ofMillis(1)));
		begun.await();
		this.node.jobWorker().stop();
		await().until(() -> count("(SELECT FROM account FOR UPDATE SKIP LOCKED) AS unlocked") == 1);
		assertThat(this.release.getCount()).isOne();
	}

	private QueueNode node = producer();

	private UUID run(Behaviour behaviour, UnaryOperator<TestNodeSettings> settings) {
		this.node = started((node) -> settings
			.apply(node.reaperInterval(Duration.ofHours(1)).bean(Handlers.of(Delivery.TRANSACTIONAL, behaviour))));
		return this.node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private void book() {
		this.jdbc.update("UPDATE account SET number = number + 1");
	}

	private int booked() {
		return this.sql.sql("SELECT number FROM account").query(Integer.class).single();
	}

	/**
	 * Hang until the end of the test, then use the connection.
	 */
	private JobResult swallow() {
		while (this.release.getCount() > 0) {
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				// a handler that ignores it
			}
		}
		this.failure.set(catchThrowable(this::book));
		return JobResult.success();
	}

}
