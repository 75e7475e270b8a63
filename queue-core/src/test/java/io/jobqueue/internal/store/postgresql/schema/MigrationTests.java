package io.jobqueue.internal.store.postgresql.schema;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * How the tables come into a schema.
 */
@Tag("slow") // migrates some thirty schemas
class MigrationTests {

	private final TestDatabase database = TestPostgres.freshDatabase();

	private final DataSource dataSource = this.database.dataSource();

	private final JdbcClient sql = JdbcClient.create(this.dataSource);

	@AfterEach
	void drop() {
		this.database.close();
	}

	@Test
	@Tag("oldest") // scripts of the schema
	void fillsAnEmptySchema() {
		migrate(null);
		assertThat(tables("public")).contains("jobqueue_job", "jobqueue_archive", "jobqueue_worker", "jobqueue_claim",
				"jobqueue_key", "jobqueue_dedupe", "jobqueue_jobs", "jobqueue_schema_history");
	}

	@Test
	void keepsExistingTables() {
		this.sql.sql("CREATE TABLE users (name text)").update();
		this.sql.sql("INSERT INTO users VALUES ('ada')").update();
		this.sql.sql("CREATE TABLE flyway_schema_history (installed_rank integer)").update();
		migrate(null);
		assertThat(tables("public")).contains("jobqueue_job");
		assertThat(this.sql.sql("SELECT name FROM users").query(String.class).list()).containsExactly("ada");
		assertThat(this.sql.sql("SELECT count(*) FROM flyway_schema_history").query(Long.class).single()).isZero();
	}

	@Test
	void fillsAnotherSchemaOnly() {
		migrate("Queue-1");
		assertThat(tables("Queue-1")).contains("jobqueue_job", "jobqueue_schema_history");
		assertThat(tables("public")).isEmpty();
	}

	@Test
	void runsTwiceWithoutHarm() {
		migrate(null);
		this.sql.sql(
				"INSERT INTO jobqueue_worker VALUES (gen_random_uuid(), now(), now(), 1, gen_random_uuid(), true, 'a', 'b')")
			.update();
		migrate(null);
		assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_worker").query(Long.class).single()).isEqualTo(1);
	}

	@Test
	void tablesThatAreUpToDateNeedNoFlyway() {
		migrate(null);
		this.sql.sql("DROP TABLE jobqueue_schema_history").update();
		migrate(null);
		assertThat(tables("public")).contains("jobqueue_job").doesNotContain("jobqueue_schema_history");
	}

	/**
	 * Those of another application, in a schema that comes later in the search path.
	 */
	@Test
	@Tag("pooler") // state of sessions
	void tablesOfAnotherSchemaAreNotTaken() {
		migrate("public");
		this.sql.sql("CREATE SCHEMA mine").update();
		PGSimpleDataSource mine = (PGSimpleDataSource) this.database.directDataSource();
		mine.setCurrentSchema("mine,public");
		new SchemaMigration(mine, null, true).afterPropertiesSet();
		assertThat(tables("mine")).contains("jobqueue_job", "jobqueue_schema_history");
	}

	@Test
	@Tag("pooler") // state of sessions
	void timeoutsAreThoseOfTheUsersSessions() {
		PGSimpleDataSource limited = (PGSimpleDataSource) this.database.directDataSource();
		limited.setOptions("-c idle_in_transaction_session_timeout=2s");
		SchemaMigration migration = new SchemaMigration(limited, null, true);
		migration.afterPropertiesSet();
		assertThat(migration.timeouts().values())
			.isEqualTo(Map.of("idle_in_transaction_session_timeout", Duration.ofSeconds(2)));
		assertThat(migration.schema()).isEqualTo("public");
	}

	@Test
	void oneLineSaysWhatIsDone() {
		try (CapturedLog log = new CapturedLog()) {
			migrate(null);
			migrate(null);
			assertThat(log.messages()).containsExactly(
					"Tables of the job queue are created in schema public (version 14)",
					"Tables of the job queue are up to date (version 14)");
		}
	}

	/**
	 * Nodes of version 1 still count members of batches then.
	 */
	@Test
	@Tag("oldest") // scripts of the schema
	void tablesOfVersion1AreMigrated() {
		String tally = "INSERT INTO jobqueue_batch_tally (batch_id, total, succeeded, dead, cancelled) VALUES (?, 1, 0, 0, 0)";
		UUID batch = UUID.randomUUID();
		migrateTo("1");
		this.sql.sql(tally).param(batch).update();
		this.sql.sql(tally).param(batch).update();
		try (CapturedLog log = new CapturedLog()) {
			migrate(null);
			assertThat(log.messages())
				.containsExactly("Tables of the job queue in schema public are migrated from version 1 to 14");
		}
		this.sql.sql(tally).param(batch).update();
		assertThat(this.sql.sql("SELECT count(DISTINCT id) FROM jobqueue_batch_tally WHERE batch_id = ?")
			.param(batch)
			.query(Long.class)
			.single()).isEqualTo(3);
	}

	/**
	 * Nodes of version 4 still enqueue then.
	 */
	@Test
	@Tag("oldest") // scripts of the schema
	void jobsOfVersion4DoNotExpire() {
		String job = """
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, started_at, history, releases)
				VALUES (gen_random_uuid(), now(), now(), 10, 'emails', 'mail', '{}', now(), '[]', 1)
				""";
		migrateTo("4");
		this.sql.sql(job).update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload)
					VALUES (gen_random_uuid(), 1, now(), now(), now(), 1, 0, 10, 'SUCCEEDED', 'emails', 'mail', '{}')
					""")
			.update();
		migrate(null);
		this.sql.sql(job).update();
		assertThat(this.sql.sql("SELECT state FROM jobqueue_jobs WHERE expires_at IS NULL").query(String.class).list())
			.containsExactlyInAnyOrder("READY", "READY", "SUCCEEDED");
	}

	private void migrateTo(String version) {
		Flyway.configure()
			.dataSource(this.dataSource)
			.locations(SchemaMigration.LOCATION)
			.table("jobqueue_schema_history")
			.target(version)
			.load()
			.migrate();
	}

	/**
	 * The connection of the node ends while its first script waits for the table of
	 * versions, or while Flyway waits for its history. All scripts follow the first
	 * version, only the last one follows the other.
	 */
	@ParameterizedTest
	@Tag("pooler") // state of sessions
	@ValueSource(strings = { "1", "13" })
	void scriptOfALostNodeIsUndoneAndCompletedByTheNextStart(String version) throws Exception {
		migrateTo(version);
		List<String> before = structure("public");
		for (String table : List.of("jobqueue_version", "jobqueue_schema_history")) {
			loseNodeThatWrites(table);
			assertThat(structure("public")).isEqualTo(before);
		}
		migrate(null);
		migrate("fresh");
		assertThat(structure("public")).isNotEqualTo(before).isEqualTo(structure("fresh"));
	}

	private void loseNodeThatWrites(String table) throws Exception {
		try (Connection other = this.database.directDataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("LOCK TABLE %s IN SHARE MODE".formatted(table));
			CompletableFuture<Void> migration = CompletableFuture.runAsync(() -> assertThatException()
				.isThrownBy(() -> new FlywayMigration(this.dataSource, "public", false).run()));
			await().until(() -> migration.isDone() || waiting() == 1);
			this.sql.sql(
					"SELECT pg_terminate_backend(pid, 30000) FROM pg_locks WHERE NOT granted AND relation = ?::regclass")
				.param(table)
				.query()
				.singleRow();
			migration.get();
		}
	}

	/**
	 * The columns, indexes and versions of a schema.
	 */
	private List<String> structure(String schema) {
		return this.sql.sql("""
				SELECT concat_ws(' ', table_name, ordinal_position, column_name, data_type, is_nullable, column_default)
				FROM information_schema.columns WHERE table_schema = :schema
				UNION ALL
				SELECT replace(indexdef, :schema || '.', '') FROM pg_indexes WHERE schemaname = :schema
				UNION ALL
				SELECT version::text FROM %s.jobqueue_version
				ORDER BY 1
				""".formatted(schema)).param("schema", schema).query(String.class).list();
	}

	/**
	 * An outcome, a claim, and the claim of a new job in the transaction of its enqueue.
	 */
	static Stream<Arguments> locks() {
		String job = "INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload) VALUES (gen_random_uuid(), now(), now(), 10, 'emails', 'mail', '{}')";
		String archive = """
				INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state,
				                              queue, type, payload)
				VALUES (gen_random_uuid(), 1, now(), now(), now(), 1, 0, 10, 'SUCCEEDED', 'emails', 'mail', '{}');
				INSERT INTO jobqueue_batch_tally (batch_id, total, succeeded, dead, cancelled)
				VALUES (gen_random_uuid(), 0, 1, 0, 0);
				DELETE FROM jobqueue_claim
				""";
		return Stream.of(arguments("DELETE FROM jobqueue_job", archive), arguments("SELECT FROM jobqueue_worker", job),
				arguments(job, "SELECT FROM jobqueue_worker; DELETE FROM jobqueue_claim"));
	}

	/**
	 * Each statement locks its tables one after the other.
	 */
	@ParameterizedTest
	@Tag("oldest") // scripts of the schema
	@MethodSource("locks")
	void noDeadlockWithRunningNodes(String first, String then) throws Exception {
		migrateTo("1");
		ExecutorService others = Executors.newFixedThreadPool(2);
		try (Connection node = this.database.directDataSource().getConnection();
				Statement statement = node.createStatement()) {
			node.setAutoCommit(false);
			statement.execute(first);
			Future<?> migration = others.submit(() -> {
				new FlywayMigration(this.dataSource, "public", false).run();
				return null;
			});
			await().until(() -> migration.isDone() || waiting() == 1);
			Future<?> search = others.submit(() -> this.sql.sql("TABLE jobqueue_jobs").query().listOfRows());
			await().until(() -> search.isDone() || waiting() == 2);
			statement.execute(then);
			node.commit();
			migration.get();
			search.get();
		}
		finally {
			others.shutdownNow();
		}
		check(null);
	}

	private int waiting() {
		return this.sql.sql("""
				SELECT count(DISTINCT pid) FROM pg_locks
				WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
				""").query(Integer.class).single();
	}

	@Test
	@Tag("oldest") // scripts of the schema
	void largeIndexesMayExist() {
		migrateTo("1");
		this.sql.sql(
				"CREATE INDEX CONCURRENTLY jobqueue_archive_dead ON jobqueue_archive (queue, priority) WHERE (state <> 'DEAD') IS FALSE")
			.update();
		migrateTo("3");
		for (String table : List.of("job", "archive")) {
			this.sql
				.sql("""
						CREATE INDEX CONCURRENTLY jobqueue_%1$s_error ON jobqueue_%1$s (queue, (history -> -1 ->> 'fingerprint'))
						    WHERE history -> -1 ->> 'fingerprint' IS NOT NULL
						"""
					.formatted(table))
				.update();
		}
		migrate(null);
		check(null);
	}

	/**
	 * Without one, a table that is published cannot be changed.
	 */
	@Test
	void everyTableHasAPrimaryKey() {
		migrate(null);
		assertThat(this.sql.sql("""
				SELECT relname FROM pg_class
				WHERE relname LIKE 'jobqueue%' AND relkind = 'r'
				  AND oid NOT IN (SELECT indrelid FROM pg_index WHERE indisprimary)
				""").query(String.class).list()).isEmpty();
	}

	@Test
	void onlyTheApplicationsOwnFlywayLogsAtInfo() {
		Logger logger = (Logger) LoggerFactory.getLogger("org.flywaydb");
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		lines.start();
		logger.addAppender(lines);
		logger.setLevel(Level.INFO);
		try {
			migrate(null);
			assertThat(lines.list).isEmpty();
			Flyway.configure().dataSource(this.dataSource).baselineOnMigrate(true).load().migrate();
			assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage)
				.anyMatch((line) -> line.startsWith("Current version of schema"));
		}
		finally {
			logger.setLevel(null);
			logger.detachAppender(lines);
		}
	}

	@RepeatedTest(5)
	@Tag("pooler") // state of sessions
	void runsAtTheSameTimeOnSeveralNodes() throws Exception {
		ExecutorService nodes = Executors.newFixedThreadPool(4);
		try {
			List<Future<?>> migrations = IntStream.range(0, 4)
				.<Future<?>>mapToObj((node) -> nodes.submit(() -> migrate(null)))
				.toList();
			for (Future<?> migration : migrations) {
				migration.get();
			}
		}
		finally {
			nodes.shutdownNow();
		}
		check(null);
	}

	@Test
	void checkNamesTheMissingFile() {
		assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(() -> check(null))
			.withMessageContaining("V1__jobs.sql");
		assertThat(tables("public")).isEmpty();
	}

	@Test
	void checkNamesTheMissingFileOfAnotherSchema() {
		migrate(null);
		assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(() -> check("elsewhere"))
			.withMessageContaining("V1__jobs.sql");
	}

	@Test
	void checkSeesWhatIsMissingOfAnOlderVersion() {
		migrate(null);
		check(null);
		this.sql.sql("DELETE FROM jobqueue_version WHERE version = 2").update();
		assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(() -> check(null))
			.withMessageContaining("not applied: V2__additions.sql.");
	}

	/**
	 * As after logical replication, which does not replicate sequences.
	 */
	@ParameterizedTest
	@Tag("oldest") // scripts of the schema
	@ValueSource(strings = { "job", "archive" })
	void sequenceThatIsBehindIsReported(String table) {
		migrate("q");
		this.sql.sql("""
				INSERT INTO q.jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				SELECT gen_random_uuid(), now(), now(), 10, 'emails', 'mail', '{}' FROM generate_series(1, 7)
				""").update();
		if (table.equals("archive")) {
			this.sql
				.sql("""
						INSERT INTO q.jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority,
						                                state, queue, type, payload)
						SELECT id, seq, run_at, run_at, run_at, 1, 0, 10, 'SUCCEEDED', queue, type, payload FROM q.jobqueue_job;
						DELETE FROM q.jobqueue_job
						""")
				.update();
		}
		String upToDate = "Tables of the job queue are up to date (version 14)";
		assertThat(logged("q")).containsExactly(upToDate);
		this.sql.sql("ALTER TABLE q.jobqueue_job ALTER COLUMN seq RESTART").update();
		String remedy = "SELECT setval('q.jobqueue_job_seq_seq', (SELECT max(seq) FROM \"q\".jobqueue_jobs))";
		assertThat(logged("q")).containsExactly(upToDate,
				"The sequence q.jobqueue_job_seq_seq is at 0, but there are jobs up to 7: new jobs overtake older ones of their ordering key. Set it, as the owner of the tables: "
						+ remedy);
		assertThat(this.sql.sql(remedy).query(Long.class).single()).isEqualTo(7);
		assertThat(logged("q")).containsExactly(upToDate);
	}

	@Test
	@Tag("pooler") // state of sessions
	void sequenceCannotBeReadInTime() throws Exception {
		migrate(null);
		PGSimpleDataSource impatient = (PGSimpleDataSource) this.database.directDataSource();
		impatient.setOptions("-c lock_timeout=10ms");
		SchemaMigration migration = new SchemaMigration(impatient, null, false);
		try (Connection other = this.database.directDataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("LOCK TABLE jobqueue_archive");
			migration.afterPropertiesSet();
		}
		assertThat(migration.schema()).isEqualTo("public");
	}

	private List<String> logged(String schema) {
		try (CapturedLog log = new CapturedLog()) {
			migrate(schema);
			return List.copyOf(log.messages());
		}
	}

	/**
	 * As after a rolling upgrade that is taken back.
	 */
	@Test
	void tablesOfANewerVersionAreAccepted() {
		migrate(null);
		this.sql.sql("INSERT INTO jobqueue_version (version) VALUES (99)").update();
		this.sql.sql("""
				INSERT INTO jobqueue_schema_history (installed_rank, version, description, type, script, checksum,
				                                     installed_by, execution_time, success)
				VALUES (99, '99', 'later', 'SQL', 'V99__later.sql', 1, 'somebody', 1, true)
				""").update();
		migrate(null);
		check(null);
	}

	@Test
	@Tag("oldest") // scripts of the schema
	void scriptsCanBeAppliedByHand() throws Exception {
		for (String script : List.of("V1__jobs.sql", "V2__additions.sql", "V3__job_history.sql",
				"V4__dead_jobs_index.sql", "V5__job_expiry.sql", "V6__statistics.sql", "V7__error_index.sql",
				"V8__dead_errors_index.sql", "V9__operator_log.sql", "V10__worker_queues.sql", "V11__subscriptions.sql",
				"V12__workflows.sql", "V13__failed_workflows_index.sql", "V14__sources.sql")) {
			String statements = new String(SchemaMigration.class
				.getResourceAsStream("/io/jobqueue/internal/store/postgresql/migration/" + script)
				.readAllBytes(), StandardCharsets.UTF_8);
			this.sql.sql("BEGIN;" + statements + "COMMIT").update();
		}
		check(null);
	}

	private void migrate(@Nullable String schema) {
		new SchemaMigration(this.dataSource, schema, true).afterPropertiesSet();
	}

	private void check(@Nullable String schema) {
		new SchemaMigration(this.dataSource, schema, false).afterPropertiesSet();
	}

	private List<String> tables(String schema) {
		return this.sql.sql("SELECT table_name FROM information_schema.tables WHERE table_schema = ?")
			.param(schema)
			.query(String.class)
			.list();
	}

}
