package io.jobqueue.crash;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.store.jdbc.SchemaMigration;
import io.jobqueue.testpostgres.ChildJvm;
import io.jobqueue.testpostgres.CrashableServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * At each step from enqueue to completion the JVM, its connections or the server is
 * killed, while there is a job of each kind of delivery. Afterwards every job that was
 * committed has come to its end, as often as was promised, and nothing else is left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashPointTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final CrashableServer server = new CrashableServer();

	private final JdbcClient sql = JdbcClient.create(this.server.dataSource());

	private @Nullable ChildJvm node;

	@BeforeAll
	void createTables() {
		new SchemaMigration(this.server.dataSource(), null, true).afterPropertiesSet();
		new Ledger(this.server.dataSource()).create();
	}

	@AfterEach
	void clear() {
		node().close();
		this.sql.sql("TRUNCATE ordered, done, jobqueue_job, jobqueue_archive, jobqueue_claim, jobqueue_worker")
			.update();
	}

	@AfterAll
	void stop() {
		this.server.close();
	}

	static Stream<Arguments> crashes() {
		return Stream.of(CrashPoint.values())
			.flatMap((point) -> Stream.of(Victim.values()).map((victim) -> Arguments.of(point, victim)));
	}

	@ParameterizedTest
	@MethodSource("crashes")
	void everyJobComesToItsEnd(CrashPoint point, Victim victim) {
		start(point.name());
		node().say(CrashingNode.ENQUEUE);
		for (int arrival = 0; arrival < point.arrivals(); arrival++) {
			node().awaitLine(Gate.ARRIVED, PATIENCE);
		}
		kill(victim);
		enqueueMore();
		Awaitility.await().atMost(PATIENCE).until(() -> rows("jobqueue_job") + rows("jobqueue_claim") == 0);
		Awaitility.await().atMost(PATIENCE).until(() -> rows("jobqueue_worker") == 1);
		assertThat(rows("ordered")).isEqualTo((point == CrashPoint.INSERTED) ? 3 : 6);
		assertThat(new Ledger(this.server.dataSource()).fates()).hasSameSizeAs(ids("ordered"))
			.allMatch(Fate::isAsPromised);
		assertThat(ids("jobqueue_archive")).isEqualTo(ids("ordered"));
	}

	private void kill(Victim victim) {
		switch (victim) {
			case JVM -> {
				node().kill();
				start(CrashingNode.NO_POINT);
			}
			case CONNECTIONS -> {
				this.sql.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?")
					.param(CrashingNode.APPLICATION_NAME)
					.query()
					.listOfRows();
				node().say(CrashingNode.OPEN);
			}
			case SERVER -> {
				this.server.crash();
				node().say(CrashingNode.OPEN);
			}
		}
	}

	/**
	 * The pool may still hold connections that are broken.
	 */
	private void enqueueMore() {
		String answer;
		do {
			node().say(CrashingNode.ENQUEUE + " more");
			answer = node().awaitLine((line) -> line.contains(" more"), PATIENCE);
		}
		while (answer.startsWith(CrashingNode.REFUSED));
	}

	private void start(String point) {
		this.node = ChildJvm.start(CrashingNode.class, Map.of(), this.server.jdbcUrl(), point);
	}

	private ChildJvm node() {
		return Objects.requireNonNull(this.node);
	}

	private long rows(String table) {
		return this.sql.sql("SELECT count(*) FROM " + table).query(Long.class).single();
	}

	private Set<UUID> ids(String table) {
		String column = table.equals("ordered") ? "job_id" : "id";
		return this.sql.sql("SELECT %s FROM %s".formatted(column, table)).query(UUID.class).set();
	}

	/**
	 * What is killed.
	 */
	enum Victim {

		JVM, CONNECTIONS, SERVER

	}

}
