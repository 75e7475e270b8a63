package io.jobqueue.boot.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobQueue;
import io.jobqueue.maintenance.Purge;
import io.jobqueue.maintenance.Reaper;
import io.jobqueue.store.jdbc.JdbcStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A user who may not change tables runs the queue on tables that somebody else made, with
 * the rights that the documentation names.
 */
class RestrictedUserTests extends QueueTestBase {

	private final String role = "queue_test_" + UUID.randomUUID().toString().replace("-", "");

	private final ApplicationContextRunner application = this.contextRunner.withBean(Greetings.class)
		.withPropertyValues("spring.datasource.username=" + this.role, "spring.datasource.password=secret");

	@BeforeEach
	void createRole() throws IOException {
		execute("CREATE ROLE %s LOGIN PASSWORD 'secret'".formatted(this.role));
		execute("REVOKE ALL ON SCHEMA public FROM PUBLIC");
		execute(new ClassPathResource("io/jobqueue/store/jdbc/postgresql/V1__jobs.sql")
			.getContentAsString(StandardCharsets.UTF_8));
		execute(documentedGrants().replaceAll("\\bapp\\b", this.role));
	}

	@AfterEach
	void dropRole() {
		execute("DROP OWNED BY %s; DROP ROLE %s".formatted(this.role, this.role));
	}

	@Test
	void documentedRightsSuffice() {
		this.application.withPropertyValues("jobqueue.jdbc.migrate=false").run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			await().until(context.getBean(Greetings.class)::received, (received) -> received.contains("world"));
			await().untilAsserted(
					() -> assertThat(this.sql.sql("SELECT state FROM jobqueue_jobs").query(String.class).list())
						.containsExactly("SUCCEEDED"));
			assertThat(context.getBean(Reaper.class).runOnce()).isEmpty();
			assertThat(context.getBean(Purge.class).runOnce()).isZero();
			assertThat(context.getBean(JdbcStores.class).gauges().read(Set.of()).tiers()).isEmpty();
			assertThat(context.getBean(JdbcStores.class).gauges().servedQueues()).containsExactly("default");
			assertThat(context.getBean(JdbcClient.class).sql("SELECT queue FROM jobqueue_jobs").query().listOfRows())
				.hasSize(1);
		});
	}

	@Test
	void migratingNeedsMoreRights() {
		this.application.run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).startsWith("The job queue lacks the rights to migrate its tables: ")
				.contains("permission denied for schema public");
			assertThat(analysis.getAction()).isEqualTo(
					"Let a user who may create tables start it, or apply the migrations yourself, set 'jobqueue.jdbc.migrate=false' and grant what docs/database.md lists under Rights.");
			assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("permission denied");
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

}
