package io.jobqueue.boot.autoconfigure;

import java.util.List;
import java.util.function.Consumer;

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
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.boot.MigratedDatabase;
import io.jobqueue.internal.boot.settings.BoundSettings;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * An application with JDBC and the queue, on a database whose tables are up to date and
 * empty unless a test says otherwise.
 */
abstract class QueueTestBase {

	final TestDatabase database;

	private final Consumer<JdbcClient> cleaning;

	private final SingleConnectionDataSource connection;

	final JdbcClient sql;

	final ApplicationContextRunner contextRunner;

	/**
	 * For tests that change nothing but rows of the queue.
	 */
	QueueTestBase() {
		this(MigratedDatabase.shared(), MigratedDatabase::empty);
	}

	QueueTestBase(TestDatabase ownDatabase) {
		this(ownDatabase, (sql) -> ownDatabase.close());
	}

	/**
	 * Create tests that share a database.
	 * @param database the database
	 * @param cleaning leaves the database, after each test, as it was before
	 */
	QueueTestBase(TestDatabase database, Consumer<JdbcClient> cleaning) {
		this.database = database;
		this.cleaning = cleaning;
		this.connection = new SingleConnectionDataSource(database.jdbcUrl(), database.username(), database.password(),
				true);
		this.sql = JdbcClient.create(this.connection);
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JacksonAutoConfiguration.class,
					JdbcTemplateAutoConfiguration.class, JdbcClientAutoConfiguration.class,
					TransactionAutoConfiguration.class, JobQueueAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + this.database.jdbcUrl(),
					"spring.datasource.username=" + this.database.username(),
					"spring.datasource.password=" + this.database.password(),
					"spring.datasource.hikari.maximum-pool-size=4");
	}

	@AfterEach
	void cleanDatabase() {
		try {
			this.cleaning.accept(this.sql);
		}
		finally {
			this.connection.destroy();
		}
	}

	List<String> tables() {
		return this.sql
			.sql("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name")
			.query(String.class)
			.list();
	}

	static FailureAnalysis analyze(Throwable failure) {
		return BoundSettings.analyze(failure);
	}

}
