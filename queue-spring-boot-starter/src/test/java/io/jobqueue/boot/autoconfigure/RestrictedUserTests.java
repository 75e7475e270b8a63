package io.jobqueue.boot.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.boot.EmptyDatabase;
import io.jobqueue.internal.maintenance.Purge;
import io.jobqueue.internal.maintenance.Reaper;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogQuery;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A user who may not change tables runs the queue on tables that another user has
 * created, with the rights that the documentation names.
 */
class RestrictedUserTests extends QueueTestBase {

	private final String role = "queue_test_" + UUID.randomUUID().toString().replace("-", "");

	private final ApplicationContextRunner application = this.contextRunner.withBean(Greetings.class)
		.withPropertyValues("spring.datasource.username=" + this.role, "spring.datasource.password=secret");

	RestrictedUserTests() {
		super(EmptyDatabase.shared(), EmptyDatabase::clear);
	}

	@BeforeEach
	void createRole() throws IOException {
		execute("CREATE ROLE %s LOGIN PASSWORD 'secret'".formatted(this.role));
		execute("REVOKE ALL ON SCHEMA public FROM PUBLIC");
		for (String script : List.of("V1__jobs.sql", "V2__additions.sql", "V3__job_history.sql",
				"V4__dead_jobs_index.sql", "V5__job_expiry.sql", "V6__statistics.sql", "V7__error_index.sql",
				"V8__dead_errors_index.sql", "V9__operator_log.sql", "V10__worker_queues.sql", "V11__subscriptions.sql",
				"V12__workflows.sql", "V13__failed_workflows_index.sql", "V14__sources.sql")) {
			execute("BEGIN;" + new ClassPathResource("io/jobqueue/internal/store/postgresql/migration/" + script)
				.getContentAsString(StandardCharsets.UTF_8) + "COMMIT");
		}
		execute(documentedGrants().replaceAll("\\bapp\\b", this.role));
	}

	@AfterEach
	void dropRole() {
		execute("DROP OWNED BY %s; DROP ROLE %s".formatted(this.role, this.role));
	}

	@Test
	void documentedRightsAreSufficient() {
		this.application.withPropertyValues("jobqueue.jdbc.migrate=false").run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			await().until(context.getBean(Greetings.class)::received, (received) -> received.contains("world"));
			await().untilAsserted(
					() -> assertThat(this.sql.sql("SELECT state FROM jobqueue_jobs").query(String.class).list())
						.containsExactly("SUCCEEDED"));
			assertThat(context.getBean(Reaper.class).runOnce()).isEmpty();
			assertThat(context.getBean(Purge.class).runOnce()).isZero();
			assertThat(context.getBean(JobOperations.class).bulk().delete(JobQuery.all())).isOne();
			context.getBean(JobQueue.class).enqueue(new Greeting("again"));
			await().until(context.getBean(Greetings.class)::received, (received) -> received.contains("again"));
			assertThat(context.getBean(PostgresStores.class)
				.operatorLog()
				.list(new OperatorLogQuery(null, null, null, 1))
				.rows()).hasSize(1);
			assertThat(context.getBean(PostgresStores.class).monitoring().read(Set.of()).tiers()).isEmpty();
			assertThat(context.getBean(PostgresStores.class).monitoring().servedQueues()).containsExactly("default");
			assertThat(context.getBean(JdbcClient.class).sql("SELECT queue FROM jobqueue_jobs").query().listOfRows())
				.hasSize(1);
		});
	}

	@Test
	void documentedRightsAreSufficientForAllDeliveries() {
		this.application.withBean(Notes.class)
			.withPropertyValues("jobqueue.jdbc.migrate=false", "jobqueue.defaults.backoff.type=fixed",
					"jobqueue.defaults.backoff.delay=1ms")
			.run((context) -> {
				for (String queue : List.of("at-least-once", "transactional", "at-most-once")) {
					JobRequest note = JobRequest.of(queue, queue).type("note").maxAttempts(2);
					context.getBean(JobQueue.class).enqueueAll(List.of(note, note.header("fails", "always")));
				}
				await().untilAsserted(() -> assertThat(
						this.sql.sql("SELECT queue || ' ' || state || ' ' || attempts FROM jobqueue_archive")
							.query(String.class)
							.list())
					.containsExactlyInAnyOrder("at-least-once SUCCEEDED 1", "at-least-once DEAD 2",
							"transactional SUCCEEDED 1", "transactional DEAD 2", "at-most-once SUCCEEDED 1",
							"at-most-once DEAD 1"));
				assertThatExceptionOfType(DataAccessException.class)
					.isThrownBy(() -> context.getBean(JdbcClient.class).sql("CREATE TABLE more (id integer)").update())
					.havingRootCause()
					.withMessageContaining("permission denied");
			});
	}

	@Test
	@Tag("slow") // waits for Flyway's retries
	void migratingNeedsMoreRights() {
		execute("DROP VIEW jobqueue_jobs; DROP TABLE jobqueue_version");
		assertRefused(this.application, "The job queue lacks the rights to migrate its tables: ",
				"permission denied for schema public",
				"Connect with a database user that may create tables, or apply the migrations by hand, set 'jobqueue.jdbc.migrate=false' and grant the rights that docs/database.md lists under Rights.");
	}

	@Test
	void migratingWhatIsUpToDateNeedsNoMoreRights() {
		this.application.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void usageOfTheSchemaIsNeeded(boolean migrate) {
		execute("REVOKE USAGE ON SCHEMA public FROM " + this.role);
		assertRefused(this.application.withPropertyValues("jobqueue.jdbc.migrate=" + migrate),
				"The job queue cannot access its tables: its database user '%s' lacks USAGE on the schema 'public'."
					.formatted(this.role),
				"", "Grant USAGE, and the rights on the tables that docs/database.md lists under Rights.");
	}

	@Test
	void usageOfTheGivenSchemaIsNeeded() {
		execute("CREATE SCHEMA apart");
		assertRefused(this.application.withPropertyValues("jobqueue.jdbc.migrate=false", "jobqueue.jdbc.schema=apart"),
				"The job queue cannot access its tables: its database user '%s' lacks USAGE on the schema 'apart'."
					.formatted(this.role),
				"", "Grant USAGE, and the rights on the tables that docs/database.md lists under Rights.");
	}

	@Test
	void readingIsNotEnough() {
		execute("REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public FROM " + this.role);
		assertRefused(this.application.withPropertyValues("jobqueue.jdbc.migrate=false"),
				"The database user '%s' of the job queue lacks rights in the schema 'public': ".formatted(this.role),
				"; INSERT, UPDATE, DELETE on jobqueue_job; ",
				"Grant them; docs/database.md lists all required rights under Rights.");
	}

	@Test
	void rightsOnEachTableAreChecked() {
		for (String table : tables()) {
			execute("REVOKE SELECT ON %s FROM %s".formatted(table, this.role));
			assertRefused(this.application.withPropertyValues("jobqueue.jdbc.migrate=false"),
					"The database user '%s' of the job queue lacks rights in the schema 'public': SELECT on %s."
						.formatted(this.role, table),
					"", "Grant them; docs/database.md lists all required rights under Rights.");
			execute("GRANT SELECT ON %s TO %s".formatted(table, this.role));
		}
	}

	/**
	 * A policy changes nothing, since it may hide rows without an error. The view is no
	 * table.
	 */
	@Test
	void rowsMustNotBeHidden() {
		List<String> tables = tables().stream().filter((table) -> !table.equals("jobqueue_jobs")).sorted().toList();
		tables.forEach((table) -> execute("ALTER TABLE %s ENABLE ROW LEVEL SECURITY".formatted(table)));
		execute("CREATE POLICY readable ON jobqueue_job FOR SELECT USING (true)");
		ApplicationContextRunner checking = this.application.withPropertyValues("jobqueue.jdbc.migrate=false");
		assertRefused(checking,
				"Row-level security applies to the database user '%s' of the job queue in the schema 'public', and may hide jobs: %s."
					.formatted(this.role, String.join(", ", tables)),
				"",
				"Connect as the owner of the tables or as a user with BYPASSRLS, or switch it off (ALTER TABLE … DISABLE ROW LEVEL SECURITY; for the owner, NO FORCE ROW LEVEL SECURITY suffices).");
		execute("ALTER ROLE %s BYPASSRLS".formatted(this.role));
		checking.run((context) -> assertThat(context).hasNotFailed());
	}

	private static void assertRefused(ApplicationContextRunner application, String description, String more,
			String action) {
		application.run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).startsWith(description).contains(more);
			assertThat(analysis.getAction()).isEqualTo(action);
		});
	}

	private void execute(String statement) {
		this.sql.sql(statement).update();
	}

	private static String documentedGrants() throws IOException {
		Matcher block = Pattern.compile("^```sql\\R(GRANT.*?)^```", Pattern.DOTALL | Pattern.MULTILINE)
			.matcher(Files.readString(Path.of("..", "docs", "database.md")));
		assertThat(block.find()).isTrue();
		return block.group(1);
	}

	static final class Notes {

		@JobHandler(queue = "at-least-once", type = "note")
		void atLeastOnce(String note, JobContext job) {
			take(note, job);
		}

		@JobHandler(queue = "transactional", type = "note", delivery = Delivery.TRANSACTIONAL)
		void transactional(String note, JobContext job) {
			take(note, job);
		}

		@JobHandler(queue = "at-most-once", type = "note", delivery = Delivery.AT_MOST_ONCE)
		void atMostOnce(String note, JobContext job) {
			take(note, job);
		}

		private static void take(String note, JobContext job) {
			job.extend(Duration.ofMinutes(1));
			assertThat(note).isEqualTo(job.queue());
			assertThat(job.headers()).isEmpty();
		}

	}

}
