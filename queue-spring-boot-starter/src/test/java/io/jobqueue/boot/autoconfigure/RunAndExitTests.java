package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.boot.MigratedDatabase;
import io.jobqueue.testpostgres.ChildJvm;
import io.jobqueue.testpostgres.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that runs what is due and exits, in a JVM of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow") // starts a JVM for each test
class RunAndExitTests {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final int TERMINATED = 143;

	private final TestDatabase database = MigratedDatabase.create();

	private final JdbcClient sql = JdbcClient.create(this.database.dataSource());

	@BeforeEach
	void empty() {
		this.sql.sql("TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_worker, jobqueue_worker_queue, jobqueue_claim")
			.update();
	}

	@AfterAll
	void drop() {
		this.database.close();
	}

	@Test
	void dueJobsAndTheJobsThatTheyEnqueueAreRun() {
		insert("more", "now()", "NULL");
		insert("later", "now() + interval '1 hour'", "NULL");
		insert("elsewhere", "now()", "'%s'".formatted(UUID.randomUUID()));
		try (ChildJvm jvm = start()) {
			jvm.awaitLine("No jobs are due. Succeeded jobs: 4, failed attempts: 0, dead jobs: 0", PATIENCE);
			assertThat(jvm.awaitExit(PATIENCE)).isZero();
		}
		assertThat(payloads("jobqueue_archive")).containsExactly("follow-up", "follow-up", "follow-up", "more");
		assertThat(payloads("jobqueue_job")).containsExactly("elsewhere", "later");
		assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_worker").query(Long.class).single()).isZero();
	}

	@Test
	void withNothingToDoItEndsAtOnce() {
		try (ChildJvm jvm = start()) {
			assertThat(jvm.awaitExit(PATIENCE)).isZero();
		}
	}

	@Test
	void failedAttemptIsReportedAndNotAwaited() {
		insert("again", "now()", "NULL");
		try (ChildJvm jvm = start()) {
			jvm.awaitLine("Succeeded jobs: 0, failed attempts: 1, ", PATIENCE);
			assertThat(jvm.awaitExit(PATIENCE)).isEqualTo(1);
		}
		assertThat(payloads("jobqueue_job")).containsExactly("again");
	}

	@Test
	void deadJobIsReported() {
		insert("dead", "now()", "NULL");
		try (ChildJvm jvm = start()) {
			jvm.awaitLine("dead jobs: 1", PATIENCE);
			assertThat(jvm.awaitExit(PATIENCE)).isEqualTo(1);
		}
	}

	@Test
	void queueWhoseHandlersDoNotEndIsLeft() {
		for (int job = 0; job < 3; job++) {
			insert("deaf", "now()", "NULL");
		}
		try (ChildJvm jvm = start("--jobqueue.defaults.concurrency=1", "--jobqueue.defaults.max-attempts=1",
				"--jobqueue.defaults.max-run-time=1s")) {
			jvm.awaitLine(
					"queues that claim no further jobs on this node, [one-shot]. Succeeded jobs: 0, failed attempts: 0, dead jobs: 2",
					PATIENCE);
			assertThat(jvm.awaitExit(PATIENCE)).isEqualTo(1);
		}
		assertThat(payloads("jobqueue_job")).containsExactly("deaf");
	}

	@Test
	void stopMeanwhileIsGraceful() {
		insert("wait", "now()", "NULL");
		insert("fine", "now() + interval '1 hour'", "NULL");
		try (ChildJvm jvm = start()) {
			jvm.awaitLine("STEP wait", PATIENCE);
			jvm.terminate();
			assertThat(jvm.awaitExit(PATIENCE)).isEqualTo(TERMINATED);
		}
		assertThat(payloads("jobqueue_archive")).containsExactly("wait");
		assertThat(this.sql.sql("SELECT state FROM jobqueue_archive").query(String.class).single())
			.isEqualTo("SUCCEEDED");
	}

	@Test
	void jobThatEndsItsJvmDiesOfItsLastAttempt() {
		insert("exit", "now()", "NULL");
		this.sql.sql("UPDATE jobqueue_job SET max_attempts = 1").update();
		try (ChildJvm jvm = start()) {
			assertThat(jvm.awaitExit(PATIENCE)).isEqualTo(3);
		}
		assertThat(this.sql.sql("SELECT last_error FROM jobqueue_archive WHERE state = 'DEAD'")
			.query(String.class)
			.single()).contains("The handler ended the JVM", "OneShotApplication$Handlers.exit");
	}

	private void insert(String step, String runAt, String lockedBy) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, locked_by, claim, lease_until)
					VALUES (gen_random_uuid(), %s, now(), 10, 'one-shot', 'step', '"%s"', %s, 1, now() + interval '1 hour')
					"""
				.formatted(runAt, step, lockedBy))
			.update();
	}

	private List<String> payloads(String table) {
		return this.sql.sql("SELECT replace(payload, '\"', '') FROM %s ORDER BY 1".formatted(table))
			.query(String.class)
			.list();
	}

	private ChildJvm start(String... settings) {
		List<String> arguments = new ArrayList<>(List.of("--spring.datasource.url=" + this.database.jdbcUrl(),
				"--spring.datasource.username=" + this.database.username(),
				"--spring.datasource.password=" + this.database.password(), "--spring.main.banner-mode=off",
				"--jobqueue.worker.run-and-exit=true", "--logging.level.io.jobqueue=info"));
		arguments.addAll(List.of(settings));
		return ChildJvm.start(OneShotApplication.class, Map.of(), arguments.toArray(String[]::new));
	}

}
