package io.jobqueue.internal.boot.datasource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.HotSwappableTargetSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Connections beside a pool.
 */
class UnpooledDataSourceTests {

	private final TestDatabase database = TestPostgres.freshDatabase();

	private final HikariDataSource pool = new HikariDataSource();

	@AfterEach
	void close() {
		this.pool.close();
		this.database.close();
	}

	@Test
	void settingsOfHikariAreKept() throws SQLException {
		configurePool();
		this.pool.addDataSourceProperty("ApplicationName", "beside");
		this.pool.setSchema("pg_catalog");
		this.pool.setConnectionInitSql("SET statement_timeout = 4711");
		assertThat(query(unpooled(this.pool), "SHOW application_name")).isEqualTo("beside");
		assertThat(query(unpooled(this.pool), "SELECT current_schema()")).isEqualTo("pg_catalog");
		assertThat(query(unpooled(this.pool), "SHOW statement_timeout")).isEqualTo("4711ms");
	}

	@Test
	void connectionIsOpenedBesideAnExhaustedPool() throws SQLException {
		configurePool();
		this.pool.setMaximumPoolSize(1);
		try (Connection last = this.pool.getConnection()) {
			assertThat(last.isValid(1)).isTrue();
			assertThat(query(unpooled(this.pool), "SELECT current_database()")).startsWith("queue_test_");
		}
	}

	@Test
	void propertiesOfADataSourceClassAreKept() throws SQLException {
		this.pool.setDataSourceClassName("org.postgresql.ds.PGSimpleDataSource");
		this.pool.addDataSourceProperty("url", this.database.jdbcUrl());
		this.pool.setUsername(this.database.username());
		this.pool.setPassword(this.database.password());
		assertThat(query(unpooled(this.pool), "SELECT current_database()")).startsWith("queue_test_");
	}

	@Test
	void dataSourceOfHikariIsUsed() throws SQLException {
		this.pool.setDataSource(this.database.dataSource());
		assertThat(query(unpooled(this.pool), "SELECT current_database()")).startsWith("queue_test_");
	}

	@Test
	void everyStatementIsCommitted() throws SQLException {
		this.pool.setDataSource(new DelegatingDataSource(this.database.dataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				connection.setAutoCommit(false);
				return connection;
			}

		});
		try (Connection connection = unpooled(this.pool).getConnection()) {
			assertThat(connection.getAutoCommit()).isTrue();
		}
	}

	@Test
	void credentialsMayChange() throws SQLException {
		configurePool();
		DataSource unpooled = unpooled(this.pool);
		String role = this.pool.getUsername() + "_" + System.nanoTime();
		execute("CREATE ROLE %s LOGIN PASSWORD 'secret'".formatted(role));
		try {
			this.pool.setUsername(role);
			this.pool.setPassword("secret");
			assertThat(query(unpooled, "SELECT current_user")).isEqualTo(role);
		}
		finally {
			execute("DROP ROLE " + role);
		}
	}

	@Test
	void poolIsFoundBehindProxies() throws SQLException {
		configurePool();
		assertThat(query(unpooled(new LazyConnectionDataSourceProxy(this.pool)), "SELECT current_database()"))
			.startsWith("queue_test_");
	}

	/**
	 * A refresh scope replaces the pool when the password changes.
	 */
	@Test
	void poolMayBeReplacedBehindAProxy() throws SQLException {
		configurePool();
		this.pool.addDataSourceProperty("ApplicationName", "second");
		HikariDataSource first = new HikariDataSource();
		first.setJdbcUrl(this.database.jdbcUrl());
		HotSwappableTargetSource target = new HotSwappableTargetSource(first);
		DataSource unpooled = unpooled(ProxyFactory.getProxy(DataSource.class, target));
		first.close();
		target.swap(this.pool);
		assertThat(query(unpooled, "SHOW application_name")).isEqualTo("second");
	}

	@Test
	void otherPoolsHaveConnectionDetails() throws SQLException {
		DataSource unpooled = UnpooledDataSource.of(otherPool(), details(this.database));
		assertThat(query(unpooled, "SELECT current_database()")).startsWith("queue_test_");
	}

	@Test
	void connectionDetailsOfAnotherDatabaseAreNotUsed() {
		try (TestDatabase other = TestPostgres.freshDatabase()) {
			assertThat(UnpooledDataSource.of(otherPool(), details(other))).isNull();
		}
	}

	@Test
	void otherDataSourcesAreUnknown() {
		assertThat(UnpooledDataSource.of(otherPool(), null)).isNull();
	}

	/**
	 * Both at the same time, as each waits for its timeout.
	 */
	@Tag("slow") // waits for logins that are not answered
	@Test
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void loginAtAServerThatNeverAnswersFails() throws IOException {
		try (ServerSocket frozen = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				HikariDataSource ofAClass = new HikariDataSource()) {
			String url = "jdbc:postgresql://localhost:%d/test".formatted(frozen.getLocalPort());
			this.pool.setJdbcUrl(url);
			ofAClass.setDataSourceClassName("org.postgresql.ds.PGSimpleDataSource");
			ofAClass.addDataSourceProperty("url", url);
			CompletableFuture<Void> other = CompletableFuture.runAsync(() -> assertTimesOut(unpooled(ofAClass)));
			assertTimesOut(unpooled(this.pool));
			other.join();
		}
	}

	@Tag("slow") // waits for a login that is not answered
	@Test
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void connectionDetailsOfAServerThatNeverAnswersAreNotUsed() throws IOException {
		try (ServerSocket frozen = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			assertThat(UnpooledDataSource.of(otherPool(),
					details("jdbc:postgresql://localhost:%d/test".formatted(frozen.getLocalPort()), this.database)))
				.isNull();
		}
	}

	private static void assertTimesOut(DataSource unpooled) {
		assertThatExceptionOfType(SQLException.class).isThrownBy(unpooled::getConnection)
			.withRootCauseInstanceOf(SocketTimeoutException.class);
	}

	private void configurePool() {
		this.pool.setJdbcUrl(this.database.jdbcUrl());
		this.pool.setUsername(this.database.username());
		this.pool.setPassword(this.database.password());
	}

	private DataSource otherPool() {
		return new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(), this.database.password());
	}

	private static DataSource unpooled(DataSource dataSource) {
		return UnpooledDataSource.of(dataSource, null);
	}

	private void execute(String sql) throws SQLException {
		try (Connection connection = this.database.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static String query(DataSource dataSource, String sql) throws SQLException {
		try (Connection connection = dataSource.getConnection();
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getString(1);
		}
	}

	private static JdbcConnectionDetails details(TestDatabase database) {
		return details(database.jdbcUrl(), database);
	}

	private static JdbcConnectionDetails details(String url, TestDatabase database) {
		return new JdbcConnectionDetails() {

			@Override
			public String getUsername() {
				return database.username();
			}

			@Override
			public String getPassword() {
				return database.password();
			}

			@Override
			public String getJdbcUrl() {
				return url;
			}

		};
	}

}
