package io.jobqueue.internal.boot.datasource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariCredentialsProvider;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

import io.jobqueue.boot.EmptyDatabase;
import io.jobqueue.testpostgres.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The settings of a pool that connections beside it keep, compared with those that Spring
 * Boot's {@link DataSourceBuilder#derivedFrom} keeps: URL, driver class, user name and
 * password. If a test fails because Spring Boot keeps more, then there is less for
 * {@link UnpooledDataSource} to do.
 */
class DerivedDataSourceTests {

	private static final String DEFAULT_ISOLATION = "read committed";

	private final TestDatabase database = EmptyDatabase.shared();

	private final HikariDataSource pool = new HikariDataSource();

	@AfterEach
	void close() {
		this.pool.close();
	}

	static Stream<Arguments> lost() {
		return Stream.of(
				lost("data-source-properties", (pool) -> pool.addDataSourceProperty("ApplicationName", "beside"),
						"SHOW application_name", "beside"),
				lost("data-source-properties.options",
						(pool) -> pool.addDataSourceProperty("options", "-c work_mem=5MB"), "SHOW work_mem", "5MB"),
				lost("schema", (pool) -> pool.setSchema("pg_catalog"), "SELECT current_schema()", "pg_catalog"),
				lost("connection-init-sql", (pool) -> pool.setConnectionInitSql("SET statement_timeout = 4711"),
						"SHOW statement_timeout", "4711ms"));
	}

	private static Arguments lost(String setting, Consumer<HikariDataSource> given, String sql, String expected) {
		return arguments(setting, given, sql, expected);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("lost")
	void settingsThatSpringBootLoses(String setting, Consumer<HikariDataSource> given, String sql, String expected)
			throws SQLException {
		configurePool();
		given.accept(this.pool);
		assertThat(query(unpooled(this.pool), sql)).isEqualTo(expected);
		assertThat(query(derived(this.pool), sql)).isNotEqualTo(expected);
	}

	@Test
	void urlUserAndPasswordAreKeptByBoth() throws SQLException {
		configurePool();
		for (DataSource source : new DataSource[] { unpooled(this.pool), derived(this.pool) }) {
			try (Connection connection = source.getConnection()) {
				assertThat(connection.getMetaData().getURL()).isEqualTo(this.database.jdbcUrl());
				assertThat(connection.getMetaData().getUserName()).isEqualTo(this.database.username());
			}
		}
	}

	@Test
	void driverClassIsKeptByBoth() throws SQLException {
		configurePool();
		this.pool.setDriverClassName("org.postgresql.Driver");
		assertThat(query(unpooled(this.pool), "SELECT current_database()")).startsWith("queue_test_");
		assertThat(derived(this.pool).getDriver()).extracting((driver) -> driver.getClass().getName())
			.isEqualTo("org.postgresql.Driver");
	}

	@Test
	void socketTimeoutOfThePropertiesIsLost() throws SQLException {
		configurePool();
		this.pool.addDataSourceProperty("socketTimeout", "7");
		assertThat(socketTimeout(unpooled(this.pool))).isEqualTo(7_000);
		assertThat(socketTimeout(derived(this.pool))).isNotEqualTo(7_000);
	}

	@Test
	void socketTimeoutOfTheUrlIsKeptByBoth() throws SQLException {
		configurePool();
		this.pool.setJdbcUrl(this.database.jdbcUrl() + "?socketTimeout=7");
		assertThat(socketTimeout(unpooled(this.pool))).isEqualTo(7_000);
		assertThat(socketTimeout(derived(this.pool))).isEqualTo(7_000);
	}

	@Test
	void loginIsLimitedByThisProjectAlone() throws SQLException {
		configurePool();
		assertThat(socketTimeout(unpooled(this.pool))).isEqualTo(10_000);
		assertThat(socketTimeout(derived(this.pool))).isZero();
	}

	@Test
	void loginTimeoutOfThePropertiesIsKept() throws SQLException {
		configurePool();
		this.pool.addDataSourceProperty("loginTimeout", "3");
		this.pool.addDataSourceProperty("socketTimeout", "0");
		assertThat(socketTimeout(unpooled(this.pool))).isZero();
	}

	@Test
	void passwordThatChangesIsLostOnlyByTheDerivedOne() throws SQLException {
		configurePool();
		PasswordRecorder recorder = new PasswordRecorder(this.database.dataSource());
		this.pool.setDataSource(recorder);
		DataSource unpooled = unpooled(this.pool);
		SimpleDriverDataSource derived = derived(this.pool);
		this.pool.setPassword("secret");
		assertThat(query(unpooled, "SELECT current_database()")).startsWith("queue_test_");
		assertThat(recorder.passwords).containsExactly("secret");
		assertThat(derived.getPassword()).isEqualTo(this.database.password()).isNotEqualTo("secret");
	}

	@Test
	void credentialsProviderIsLost() throws SQLException {
		this.pool.setJdbcUrl(this.database.jdbcUrl());
		this.pool.setCredentialsProvider(new Vault(this.database));
		assertThat(query(unpooled(this.pool), "SELECT current_user")).isEqualTo(this.database.username());
		assertThat(derived(this.pool).getUsername()).isNull();
	}

	@Test
	void dataSourceClassIsLost() throws SQLException {
		this.pool.setDataSourceClassName("org.postgresql.ds.PGSimpleDataSource");
		this.pool.addDataSourceProperty("url", this.database.jdbcUrl());
		this.pool.setUsername(this.database.username());
		this.pool.setPassword(this.database.password());
		assertThat(query(unpooled(this.pool), "SELECT current_database()")).startsWith("queue_test_");
		assertThat(derived(this.pool).getUrl()).isNull();
	}

	@Test
	void dataSourceOfThePoolIsLost() throws SQLException {
		this.pool.setDataSource(this.database.dataSource());
		assertThat(query(unpooled(this.pool), "SELECT current_database()")).startsWith("queue_test_");
		assertThat(derived(this.pool).getUrl()).isNull();
	}

	@Test
	void poolBehindAProxyIsFoundByBoth() throws SQLException {
		configurePool();
		DataSource proxy = new LazyConnectionDataSourceProxy(this.pool);
		assertThat(query(unpooled(proxy), "SELECT current_database()")).startsWith("queue_test_");
		assertThat(derived(proxy).getUrl()).isEqualTo(this.database.jdbcUrl());
	}

	/**
	 * {@code @ServiceConnection} sets the URL and the credentials of the pool.
	 */
	@Test
	void connectionDetailsAreThoseOfThePool() throws SQLException {
		configurePool();
		JdbcConnectionDetails details = new JdbcConnectionDetails() {

			@Override
			public @Nullable String getUsername() {
				return null;
			}

			@Override
			public @Nullable String getPassword() {
				return null;
			}

			@Override
			public String getJdbcUrl() {
				return "jdbc:postgresql://unused.invalid/unused";
			}

		};
		assertThat(query(UnpooledDataSource.of(this.pool, details), "SELECT current_database()"))
			.startsWith("queue_test_");
	}

	/**
	 * The queue's own statements need no stricter isolation, under which a heartbeat can
	 * fail.
	 */
	@Test
	void isolationIsTheDefaultOfTheServer() throws SQLException {
		configurePool();
		this.pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
		assertThat(query(unpooled(this.pool), "SHOW transaction_isolation")).isEqualTo(DEFAULT_ISOLATION);
	}

	/**
	 * The queue uses the pool alone where the data source comes from JNDI.
	 */
	@Test
	void dataSourceFromJndiIsNotUsed() {
		this.pool.setDataSourceJNDI("java:comp/env/jdbc/jobs");
		assertThat(unpooled(this.pool)).isNull();
		assertThat(derived(this.pool).getUrl()).isNull();
	}

	private void configurePool() {
		this.pool.setJdbcUrl(this.database.jdbcUrl());
		this.pool.setUsername(this.database.username());
		this.pool.setPassword(this.database.password());
	}

	private static @Nullable DataSource unpooled(DataSource dataSource) {
		return UnpooledDataSource.of(dataSource, null);
	}

	private static SimpleDriverDataSource derived(DataSource dataSource) {
		return DataSourceBuilder.derivedFrom(dataSource).type(SimpleDriverDataSource.class).build();
	}

	private static int socketTimeout(@Nullable DataSource dataSource) throws SQLException {
		assertThat(dataSource).isNotNull();
		try (Connection connection = dataSource.getConnection()) {
			return connection.getNetworkTimeout();
		}
	}

	private static String query(@Nullable DataSource dataSource, String sql) throws SQLException {
		assertThat(dataSource).isNotNull();
		try (Connection connection = dataSource.getConnection();
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getString(1);
		}
	}

	/**
	 * Servers of tests do not check passwords.
	 */
	private static final class PasswordRecorder extends DelegatingDataSource {

		private final List<String> passwords = new ArrayList<>();

		PasswordRecorder(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			this.passwords.add(password);
			return getConnection();
		}

	}

	private record Vault(TestDatabase database) implements HikariCredentialsProvider {

		@Override
		public Credentials getCredentials() {
			return Credentials.of(this.database.username(), this.database.password());
		}

	}

}
