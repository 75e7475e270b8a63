package io.jobqueue.recovery;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;

import io.jobqueue.Delivery;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.harness.TestPool;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.ReplicatedServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The primary is killed while jobs are enqueued and run, and its synchronous standby is
 * promoted. Of two nodes one only enqueues, so that its commits reach the other one by
 * signals: the worker polls only where it knows that it missed some.
 */
@Tag("slow") // kills servers
class FailoverTests {

	private static final Logger logger = LoggerFactory.getLogger(FailoverTests.class);

	/**
	 * Workers that are silent for so long are dead: within that time they work again.
	 */
	private static final Duration WORKER_TIMEOUT = Duration.ofSeconds(60);

	private static final Duration NO_POLL = Duration.ofHours(1);

	private static final int PRODUCERS = 4;

	private static final int JOBS = 100;

	private final ReplicatedServer server = new ReplicatedServer();

	private final DataSource unpooled = this.server.dataSource();

	private final HikariDataSource pool = TestPool.of(this.unpooled, 20, Duration.ofSeconds(5));

	private final JdbcClient sql = JdbcClient.create(this.unpooled);

	private final Ledger ledger = new Ledger(this.pool);

	private final Set<UUID> acknowledged = ConcurrentHashMap.newKeySet();

	private final ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);

	private final QueueNode producer = node("producer");

	private final QueueNode worker = node("worker");

	private volatile boolean stopping;

	private QueueNode node(String name) {
		CrashHandlers handlers = new CrashHandlers(new Breakpoint(), this.ledger, new Ledger(this.unpooled));
		return new QueueNode(new TestNodeSettings(this.pool).name(name)
			.bean(handlers)
			.timeout(WORKER_TIMEOUT)
			.pollInterval(NO_POLL)
			.listensOn(this.unpooled));
	}

	@BeforeEach
	void start() {
		new SchemaMigration(this.unpooled, null, true).afterPropertiesSet();
		this.ledger.create();
		this.producer.remoteSignals().start();
		this.worker.start();
		awaitSignals();
	}

	@AfterEach
	void stop() {
		this.stopping = true;
		this.threads.shutdownNow();
		this.worker.close();
		this.producer.remoteSignals().stop();
		this.producer.close();
		this.pool.close();
		this.server.close();
	}

	@Test
	void nothingAcknowledgedIsLostOrDoubled() {
		UUID later = order(Delivery.TRANSACTIONAL, Duration.ofSeconds(2));
		produce();
		awaitDone(JOBS);
		this.server.failOver();
		awaitDone(rows("done") + JOBS);
		this.stopping = true;
		await().until(() -> rows("jobqueue_job") == 0);
		assertThat(ids("ordered")).containsAll(this.acknowledged).contains(later).isEqualTo(ids("jobqueue_archive"));
		assertThat(this.ledger.fates()).allMatch(Fate::isAsPromised);
	}

	@Test
	void signalsAndSequenceGoOn() {
		for (int job = 0; job < JOBS; job++) {
			order(Delivery.AT_LEAST_ONCE, Duration.ZERO);
		}
		awaitDone(JOBS);
		long last = seq("max");
		this.sql.sql("DELETE FROM jobqueue_archive").update();
		this.server.failOver();
		await().until(() -> !this.worker.remoteSignals().isConnected());
		awaitSignals();
		await().until(() -> rows("done") == JOBS);
		await().until(() -> {
			order(Delivery.AT_LEAST_ONCE, Duration.ZERO);
			return true;
		});
		awaitDone(JOBS + 1);
		await().until(() -> rows("jobqueue_archive") == 1);
		assertThat(seq("min")).isGreaterThan(last);
	}

	private void produce() {
		for (int thread = 0; thread < PRODUCERS; thread++) {
			Delivery delivery = List.of(Delivery.values()).get(thread % Delivery.values().length);
			this.threads.execute(() -> {
				while (!this.stopping) {
					tryToOrder(delivery);
				}
			});
		}
	}

	private void tryToOrder(Delivery delivery) {
		try {
			this.acknowledged.add(order(delivery, Duration.ZERO));
		}
		catch (DataAccessException | TransactionException ex) {
			logger.debug("Not acknowledged", ex);
		}
	}

	private UUID order(Delivery delivery, Duration delay) {
		JobRequest request = JobRequest.of(CrashHandlers.QUEUE, payload(delivery)).delay(delay);
		return Objects.requireNonNull(this.producer.transaction().execute((status) -> {
			UUID job = this.producer.queue().enqueue(request).id();
			this.ledger.order(job, delivery);
			return job;
		}));
	}

	private static Object payload(Delivery delivery) {
		return switch (delivery) {
			case AT_LEAST_ONCE -> new CrashHandlers.Often(1);
			case TRANSACTIONAL -> new CrashHandlers.Exactly(1);
			case AT_MOST_ONCE -> new CrashHandlers.Once(1);
		};
	}

	private void awaitSignals() {
		await().until(() -> this.worker.remoteSignals().isConnected());
	}

	private void awaitDone(long jobs) {
		await().until(() -> rows("done") >= jobs);
	}

	private ConditionFactory await() {
		return Awaitility.await()
			.atMost(WORKER_TIMEOUT)
			.ignoreExceptionsInstanceOf(DataAccessException.class)
			.ignoreExceptionsInstanceOf(TransactionException.class);
	}

	private long rows(String table) {
		return this.sql.sql("SELECT count(*) FROM " + table).query(Long.class).single();
	}

	private long seq(String aggregate) {
		return this.sql.sql("SELECT %s(seq) FROM jobqueue_archive".formatted(aggregate)).query(Long.class).single();
	}

	private Set<UUID> ids(String table) {
		String column = table.equals("ordered") ? "job_id" : "id";
		return this.sql.sql("SELECT %s FROM %s".formatted(column, table)).query(UUID.class).set();
	}

}
