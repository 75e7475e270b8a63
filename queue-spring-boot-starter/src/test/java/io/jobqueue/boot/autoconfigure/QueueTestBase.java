package io.jobqueue.boot.autoconfigure;

import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.AfterEach;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

/**
 * An application with JDBC and the queue, on a database of its own.
 */
abstract class QueueTestBase {

	final TestDatabase database = TestPostgres.freshDatabase();

	final JdbcClient sql = JdbcClient.create(this.database.dataSource());

	final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, JacksonAutoConfiguration.class,
				JdbcTemplateAutoConfiguration.class, JdbcClientAutoConfiguration.class,
				TransactionAutoConfiguration.class, JobQueueAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=" + this.database.jdbcUrl(),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password(),
				"spring.datasource.hikari.maximum-pool-size=4");

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	List<String> tables() {
		return this.sql
			.sql("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name")
			.query(String.class)
			.list();
	}

	/**
	 * Return what Spring Boot would report of a failure.
	 */
	static FailureAnalysis analyze(Throwable failure) {
		FailureAnalysis analysis = new InvalidConfigurationFailureAnalyzer().analyze(failure);
		return Objects.requireNonNull(analysis, "Nobody knows this failure");
	}

}
