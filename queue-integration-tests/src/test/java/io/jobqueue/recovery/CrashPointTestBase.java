package io.jobqueue.recovery;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.ChildJvm;
import io.jobqueue.testpostgres.CrashableServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * At each step from enqueue to completion something is killed, while there is a job of
 * each kind of delivery. Afterwards every job that was committed has come to its end, as
 * often as was promised, and nothing else is left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow") // kills servers and JVMs
abstract class CrashPointTestBase {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	final CrashableServer server = new CrashableServer();

	final JdbcClient sql = JdbcClient.create(this.server.dataSource());

	private @Nullable ChildJvm node;

	/**
	 * Whether the last test succeeded: its node serves the next one too.
	 */
	private boolean idle;

	@BeforeAll
	void createTables() {
		new SchemaMigration(this.server.dataSource(), null, true).afterPropertiesSet();
		new Ledger(this.server.dataSource()).create();
	}

	@BeforeEach
	void clear() {
		if (this.idle) {
			this.sql.sql("TRUNCATE ordered, done, jobqueue_archive").update();
			this.idle = false;
			return;
		}
		closeNode();
		this.sql.sql(
				"TRUNCATE ordered, done, jobqueue_job, jobqueue_archive, jobqueue_claim, jobqueue_worker, jobqueue_worker_queue")
			.update();
		start();
	}

	@AfterAll
	void stop() {
		closeNode();
		this.server.close();
	}

	private void closeNode() {
		if (this.node != null) {
			this.node.close();
		}
	}

	/**
	 * Kill something while jobs are held at the point, then let them go on.
	 */
	abstract void kill();

	@ParameterizedTest
	@EnumSource
	void everyJobComesToItsEnd(CrashPoint point) {
		node().say(CrashingNode.HOLD_AT + point);
		node().say(CrashingNode.ENQUEUE);
		for (int arrival = 0; arrival < point.arrivals(); arrival++) {
			node().awaitLine(Breakpoint.ARRIVED, PATIENCE);
		}
		kill();
		enqueueMore();
		Awaitility.await().atMost(PATIENCE).until(() -> rows("jobqueue_job") + rows("jobqueue_claim") == 0);
		Awaitility.await().atMost(PATIENCE).until(() -> rows("jobqueue_worker") == 1);
		assertThat(rows("ordered")).isEqualTo((point == CrashPoint.INSERTED) ? 3 : 6);
		assertThat(new Ledger(this.server.dataSource()).fates()).hasSameSizeAs(ids("ordered"))
			.allMatch(Fate::isAsPromised);
		assertThat(ids("jobqueue_archive")).isEqualTo(ids("ordered"));
		this.idle = true;
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

	final void start() {
		this.node = ChildJvm.start(CrashingNode.class, Map.of(), this.server.jdbcUrl());
	}

	final ChildJvm node() {
		return Objects.requireNonNull(this.node);
	}

	private long rows(String table) {
		return this.sql.sql("SELECT count(*) FROM " + table).query(Long.class).single();
	}

	private Set<UUID> ids(String table) {
		String column = table.equals("ordered") ? "job_id" : "id";
		return this.sql.sql("SELECT %s FROM %s".formatted(column, table)).query(UUID.class).set();
	}

}
