package io.jobqueue.boot.autoconfigure;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.TransactionManager;

import io.jobqueue.boot.EmptyDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * What is said about a database, or transactions, that the queue cannot work with.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnusableDatabaseTests extends QueueTestBase {

	private final ApplicationContextRunner bare = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JobQueueAutoConfiguration.class));

	UnusableDatabaseTests() {
		super(EmptyDatabase.shared(), EmptyDatabase::clear);
	}

	@Test
	void noDataSource() {
		assertRefused(this.bare, "The job queue needs a DataSource, but there is none.",
				"Configure one, for example with 'spring.datasource.url' (R2DBC alone is not enough), or disable the queue with 'jobqueue.enabled=false'.");
	}

	@Test
	void noTransactionManager() {
		assertRefused(this.bare.withBean(DataSource.class, this.database::dataSource),
				"The job queue needs a PlatformTransactionManager, but there is none.",
				"Declare a JdbcTransactionManager of the queue's DataSource as a bean and enqueue in its transactions; if there are others, mark it with @JobQueueTransactionManager.");
	}

	@Test
	void onlyReactiveTransactionManager() {
		assertRefused(
				this.bare.withBean(DataSource.class, this.database::dataSource)
					.withBean("r2dbc", TransactionManager.class, () -> mock(TransactionManager.class)),
				"The job queue needs a PlatformTransactionManager, but there are only reactive ones, which cannot carry a JDBC transaction: r2dbc.",
				"Declare a JdbcTransactionManager of the queue's DataSource as a bean and enqueue in its transactions; if there are others, mark it with @JobQueueTransactionManager.");
	}

	@Test
	void unsupportedDatabase() {
		assertRefused(this.bare.withBean(DataSource.class, UnusableDatabaseTests::oracle),
				"The job queue does not support the database Oracle.",
				"Configure a DataSource of PostgreSQL, marked with @JobQueueDataSource if there are several.");
	}

	@Test
	void missingTables() {
		assertRefused(this.contextRunner.withPropertyValues("jobqueue.jdbc.migrate=false"),
				"The tables of the job queue are missing or outdated. Migrations that are not applied: V1__jobs.sql, V2__additions.sql, V3__job_history.sql, V4__dead_jobs_index.sql, V5__job_expiry.sql, V6__statistics.sql, V7__error_index.sql, V8__dead_errors_index.sql, V9__operator_log.sql, V10__worker_queues.sql, V11__subscriptions.sql, V12__workflows.sql, V13__failed_workflows_index.sql, V14__sources.sql.",
				"Apply them (they are in classpath:io/jobqueue/internal/store/postgresql/migration of the queue-core jar), or set 'jobqueue.jdbc.migrate=true'.");
		assertThat(tables()).isEmpty();
	}

	@Test
	void unreachableServer() {
		assertRefused(this.contextRunner.withPropertyValues("spring.datasource.url=jdbc:postgresql://127.0.0.1:1/app"),
				"The job queue cannot reach its database: Connection to 127.0.0.1:1 refused. Check that the hostname and port are correct and that the postmaster is accepting TCP/IP connections (ConnectException: Connection refused).",
				"Start the database, or correct host and port in 'spring.datasource.url'.");
	}

	@Test
	void routesWithoutADefaultTarget() {
		assertRefused(this.bare.withBean(DataSource.class, this::routes),
				"The job queue cannot reach its database: Could not get Connection for extracting meta-data (IllegalStateException: Cannot determine target DataSource for lookup key [null]).",
				"Set a default target of the DataSource, which routes: the queue has no key of a request or a tenant. Or mark the DataSource that holds the jobs with @JobQueueDataSource.");
	}

	@Test
	void routesAndShortTimeoutsAreWarnedOf(CapturedOutput output) {
		DriverManagerDataSource limited = new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(),
				this.database.password());
		Properties options = new Properties();
		options.setProperty("options", "-c idle_in_transaction_session_timeout=1min");
		limited.setConnectionProperties(options);
		AbstractRoutingDataSource routes = routes();
		routes.setDefaultTargetDataSource(limited);
		this.contextRunner.withBean("tenants", DataSource.class, () -> routes)
			.withBean(PoolOfOneTests.Ledger.class)
			.run((context) -> await().untilAsserted(() -> assertThat(output).contains(
					"The job queue uses the DataSource 'tenants', which routes to 3 targets.",
					"Transactional handlers of queue default may run for 30m (max-run-time), but the server's idle_in_transaction_session_timeout of 1m can end")));
	}

	private AbstractRoutingDataSource routes() {
		AbstractRoutingDataSource routes = new AbstractRoutingDataSource() {

			@Override
			protected @Nullable Object determineCurrentLookupKey() {
				return null;
			}

		};
		routes.setTargetDataSources(Map.of("a", this.database.dataSource(), "b", this.database.dataSource()));
		return routes;
	}

	@Test
	void unknownHost() {
		assertRefused(this.contextRunner.withPropertyValues("spring.datasource.url=jdbc:postgresql://db1.invalid/app"),
				"The job queue cannot reach its database: The connection attempt failed (UnknownHostException: db1.invalid).",
				"Start the database, or correct host and port in 'spring.datasource.url'.");
	}

	@Test
	void unknownDatabase() {
		assertRefused(
				this.contextRunner.withPropertyValues("spring.datasource.url="
						+ this.database.jdbcUrl().replaceFirst("(?<=/)[^/?]*(?=\\?|$)", "nodb")),
				"The job queue cannot reach its database: FATAL: database \"nodb\" does not exist.",
				"Create the database, or correct its name in 'spring.datasource.url'.");
	}

	@Test
	void unknownUser() {
		assertRefused(this.contextRunner.withPropertyValues("spring.datasource.username=nouser"),
				"The job queue cannot reach its database: FATAL: role \"nouser\" does not exist.",
				"Correct 'spring.datasource.username', create the user, or add it to pg_hba.conf.");
	}

	@Test
	void driverThatForcesBinaryTransfers() {
		assertRefused(
				this.contextRunner
					.withPropertyValues("spring.datasource.hikari.data-source-properties.prepareThreshold=-1"),
				"The job queue cannot use connections with 'prepareThreshold=-1'.",
				"Set it to 0 or above in the JDBC URL, or remove it; or mark a DataSource without it with @JobQueueDataSource.");
	}

	@Test
	void connectionWithoutSchema() {
		assertRefused(this.contextRunner.withPropertyValues("spring.datasource.hikari.schema=nope"),
				"The connections of the job queue have no schema: their search_path is 'nope', and none of its schemas exists.",
				"Create the schema, or correct 'currentSchema' in the JDBC URL or the pool's schema. The queue creates only the schema that 'jobqueue.jdbc.schema' names.");
		assertThat(schemas()).doesNotContain("nope");
	}

	@Test
	void sessionsThatOnlyRead() {
		assertRefused(
				this.contextRunner.withPropertyValues(
						"spring.datasource.hikari.connection-init-sql=SET default_transaction_read_only = on"),
				"The job queue cannot write to its database: 'default_transaction_read_only' is on.",
				"Switch it off for the application's database user (ALTER ROLE … SET default_transaction_read_only = off), or connect as another one.");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void poolThatOnlyReads(boolean migrate) {
		assertRefused(
				this.contextRunner.withPropertyValues("spring.datasource.hikari.read-only=true",
						"jobqueue.jdbc.migrate=" + migrate),
				"The job queue cannot write to its database: the DataSource opens read-only connections.",
				"Let it write, for example without 'spring.datasource.hikari.read-only', or mark a DataSource that writes with @JobQueueDataSource.");
	}

	@Test
	void schemaThatTheQueueIsGivenIsCreated() {
		this.contextRunner
			.withPropertyValues("jobqueue.jdbc.schema=nope", "spring.datasource.hikari.maximum-pool-size=1")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(schemas()).contains("nope");
	}

	@Test
	void invalidSettingsComeFirst() {
		assertRefused(this.contextRunner.withPropertyValues("jobqueue.reaper.interval=0s"),
				"The setting 'jobqueue.reaper.interval' is 0s.", "Set a duration of at least 1 ms.");
		assertThat(tables()).isEmpty();
	}

	private List<String> schemas() {
		return this.sql.sql("SELECT nspname FROM pg_namespace").query(String.class).list();
	}

	private static void assertRefused(ApplicationContextRunner runner, String description, String action) {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		runner.run((context) -> failure.set(context.getStartupFailure()));
		FailureAnalysis analysis = analyze(failure.get());
		assertThat(analysis.getDescription()).isEqualTo(description);
		assertThat(analysis.getAction()).isEqualTo(action);
	}

	private static DataSource oracle() {
		try {
			DatabaseMetaData metaData = mock(DatabaseMetaData.class);
			given(metaData.getDatabaseProductName()).willReturn("Oracle");
			Connection connection = mock(Connection.class);
			given(connection.getMetaData()).willReturn(metaData);
			DataSource dataSource = mock(DataSource.class);
			given(dataSource.getConnection()).willReturn(connection);
			return dataSource;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
