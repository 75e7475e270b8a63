package io.jobqueue.harness;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.testpostgres.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A migrated database behind a pool, emptied before each test, and nodes on it that stop
 * after each test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class NodeTestBase {

	/**
	 * The application name of the test's own connections.
	 */
	protected static final String OWN = "test";

	protected final TestDatabase database;

	protected final HikariDataSource pool;

	private final HikariDataSource ownPool;

	/**
	 * On connections of its own, whatever the nodes do to the pool.
	 */
	protected final JdbcClient sql;

	private final Deque<AutoCloseable> open = new ArrayDeque<>();

	protected NodeTestBase() {
		this(MigratedDatabase.create());
	}

	protected NodeTestBase(TestDatabase database) {
		this.database = database;
		this.pool = pool(10);
		this.ownPool = TestPool.of(own(database), 10);
		this.sql = JdbcClient.create(this.ownPool);
	}

	private static DataSource own(TestDatabase database) {
		PGSimpleDataSource own = (PGSimpleDataSource) database.dataSource();
		own.setApplicationName(OWN);
		return own;
	}

	@BeforeEach
	void empty() {
		MigratedDatabase.empty(this.sql);
	}

	@AfterEach
	void closeAll() throws Exception {
		while (!this.open.isEmpty()) {
			this.open.pop().close();
		}
	}

	@AfterAll
	void drop() {
		this.pool.close();
		this.ownPool.close();
		this.database.close();
	}

	protected final HikariDataSource pool(int size) {
		return TestPool.of(this.database.dataSource(), size);
	}

	/**
	 * Close something after the test, before everything that was opened earlier.
	 */
	protected final <T extends AutoCloseable> T closeLater(T resource) {
		this.open.push(resource);
		return resource;
	}

	protected final TestNodeSettings settings() {
		return settings(this.pool);
	}

	protected final TestNodeSettings settings(DataSource dataSource) {
		return new TestNodeSettings(dataSource);
	}

	/**
	 * Wire a node without starting it.
	 */
	protected final QueueNode node(TestNodeSettings settings) {
		return closeLater(new QueueNode(settings));
	}

	protected final QueueNode producer() {
		return node(settings());
	}

	protected final QueueNode started(UnaryOperator<TestNodeSettings> settings) {
		return node(settings.apply(settings())).start();
	}

	protected ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(10));
	}

	protected final void awaitState(UUID job, String state) {
		await().untilAsserted(() -> assertThat(state(job)).isEqualTo(state));
	}

	protected final String state(UUID job) {
		return column("state", job, String.class);
	}

	protected final <T> T column(String column, UUID job, Class<T> type) {
		return this.sql.sql("SELECT %s FROM jobqueue_jobs WHERE id = ?".formatted(column))
			.param(job)
			.query(type)
			.single();
	}

	protected final long count(String table) {
		return this.sql.sql("SELECT count(*) FROM " + table).query(Long.class).single();
	}

}
