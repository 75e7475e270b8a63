package io.jobqueue.boot.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.testpostgres.CrashableServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is said about a server that demands a password, and one user of which it admits
 * nowhere.
 */
@Tag("slow") // starts a server
class RefusedLoginTests {

	private static final String HBA = """
			host all clerk    127.0.0.1/32 scram-sha-256
			host all outsider 127.0.0.1/32 reject
			host all all      127.0.0.1/32 trust
			""";

	private static CrashableServer server;

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, JobQueueAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=" + server.jdbcUrl().replaceFirst("\\?.*", ""),
				"spring.datasource.username=clerk", "spring.datasource.password=secret");

	@BeforeAll
	static void start(@TempDir Path folder) throws IOException {
		Path hba = Files.writeString(folder.resolve("pg_hba.conf"), HBA);
		server = new CrashableServer(Map.of("hba_file", hba.toString()));
		JdbcClient.create(server.dataSource())
			.sql("CREATE ROLE clerk LOGIN PASSWORD 'secret'; CREATE ROLE outsider LOGIN; CREATE SCHEMA clerk AUTHORIZATION clerk")
			.update();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Test
	void rightPasswordIsAccepted() {
		this.application.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void wrongPassword() {
		assertRefused("spring.datasource.password=wrong", "FATAL: password authentication failed for user \"clerk\".",
				"Correct 'spring.datasource.password', or 'spring.datasource.username': the server gives the same answer for a user that does not exist.");
	}

	@Test
	void missingPassword() {
		assertRefused("spring.datasource.password=",
				"The server requested SCRAM-based authentication, but no password was provided.",
				"Add what the message names as missing: 'spring.datasource.password', or a parameter of 'spring.datasource.url' such as 'sslmode'.");
	}

	@Test
	void userThatIsAdmittedNowhere() {
		assertRefused("spring.datasource.username=outsider", "FATAL: pg_hba.conf rejects connection for host",
				"Correct 'spring.datasource.username', create the user, or add it to pg_hba.conf.");
	}

	private void assertRefused(String property, String description, String action) {
		this.application.withPropertyValues(property).run((context) -> {
			FailureAnalysis analysis = QueueTestBase.analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).startsWith("The job queue cannot reach its database: " + description);
			assertThat(analysis.getAction()).isEqualTo(action);
		});
	}

}
