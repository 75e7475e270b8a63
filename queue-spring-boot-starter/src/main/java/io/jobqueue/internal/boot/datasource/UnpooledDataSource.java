package io.jobqueue.internal.boot.datasource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import com.zaxxer.hikari.util.PropertyElf;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.util.ClassUtils;

/**
 * Makes data sources that open connections beside a pool, with the settings of the pool.
 * {@link DataSourceBuilder#derivedFrom} would keep URL, driver class, user name and
 * password only.
 */
public final class UnpooledDataSource {

	private static final boolean HIKARI = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource",
			UnpooledDataSource.class.getClassLoader());

	private UnpooledDataSource() {
	}

	/**
	 * Return a data source that opens the same connections as a pool.
	 * @param pool the pool
	 * @param details connection details, not necessarily those of the pool
	 * @return a data source without a pool, or {@code null} if the settings of the pool
	 * are unknown
	 */
	public static @Nullable DataSource of(DataSource pool, @Nullable JdbcConnectionDetails details) {
		if (HIKARI && UnpooledHikari.of(pool) != null) {
			return following(() -> UnpooledHikari.of(pool));
		}
		if (details != null && leadToTheSame(pool, ofDetails(details))) {
			return following(() -> ofDetails(details));
		}
		return null;
	}

	/**
	 * Each login reads the settings again: the pool behind a proxy may be replaced, for
	 * example by one with another password.
	 */
	private static DataSource following(Supplier<@Nullable DataSource> source) {
		return new DelegatingDataSource() {

			@Override
			public @Nullable DataSource getTargetDataSource() {
				return source.get();
			}

		};
	}

	private static DataSource ofDetails(JdbcConnectionDetails details) {
		SimpleDriverDataSource source = DataSourceBuilder.create()
			.type(SimpleDriverDataSource.class)
			.driverClassName(details.getDriverClassName())
			.url(details.getJdbcUrl())
			.username(details.getUsername())
			.password(details.getPassword())
			.build();
		source.setConnectionProperties(withLoginTimeout(details.getJdbcUrl(), new Properties()));
		return source;
	}

	/**
	 * Add a timeout to the properties of a connection, with which a login through
	 * PostgreSQL's driver fails if the server has not answered for 10 seconds: the
	 * driver's {@code connectTimeout} ends with the TCP handshake. The URL and the
	 * settings of the pool take precedence. Drivers that wrap PostgreSQL's may use
	 * another unit.
	 * @param driver the URL or the class of the data source
	 */
	private static Properties withLoginTimeout(String driver, Properties settings) {
		Properties properties = new Properties();
		if (driver.startsWith("jdbc:postgresql:") || driver.startsWith("org.postgresql.")) {
			properties.setProperty("socketTimeout", "10");
		}
		properties.putAll(settings);
		return properties;
	}

	private static boolean leadToTheSame(DataSource one, DataSource other) {
		try {
			return destination(one).equals(destination(other));
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private static List<String> destination(DataSource dataSource) throws SQLException {
		try (Connection connection = dataSource.getConnection()) {
			return List.of(connection.getMetaData().getURL(), connection.getMetaData().getUserName(),
					Objects.toString(connection.getSchema()));
		}
	}

	/**
	 * Opens connections with the settings of a Hikari pool. The credentials are read for
	 * each connection, since they may change.
	 */
	static final class UnpooledHikari extends AbstractDataSource {

		private final HikariDataSource pool;

		private UnpooledHikari(HikariDataSource pool) {
			this.pool = pool;
		}

		/**
		 * Return a data source with the settings of the pool behind another one.
		 * @return the data source, or {@code null} if there is no Hikari pool or it has a
		 * data source from JNDI
		 */
		static @Nullable UnpooledHikari of(DataSource dataSource) {
			HikariDataSource pool = DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class,
					HikariDataSource.class);
			return (pool != null && isKnown(pool)) ? new UnpooledHikari(pool) : null;
		}

		private static boolean isKnown(HikariDataSource pool) {
			return pool.getDataSource() != null || pool.getDataSourceClassName() != null || pool.getJdbcUrl() != null;
		}

		@Override
		public Connection getConnection() throws SQLException {
			Credentials credentials = (this.pool.getCredentialsProvider() != null)
					? this.pool.getCredentialsProvider().getCredentials() : this.pool.getCredentials();
			return getConnection(credentials.getUsername(), credentials.getPassword());
		}

		@Override
		public Connection getConnection(@Nullable String username, @Nullable String password) throws SQLException {
			DataSource source = source();
			Connection connection = (username != null) ? source.getConnection(username, password)
					: source.getConnection();
			try {
				return setUp(connection);
			}
			catch (SQLException | RuntimeException ex) {
				connection.close();
				throw ex;
			}
		}

		private DataSource source() {
			if (this.pool.getDataSource() != null) {
				return this.pool.getDataSource();
			}
			return (this.pool.getDataSourceClassName() != null) ? ofClass(this.pool.getDataSourceClassName())
					: ofDriver();
		}

		private DataSource ofClass(String name) {
			Class<?> type = ClassUtils.resolveClassName(name, this.pool.getClass().getClassLoader());
			DataSource source = (DataSource) BeanUtils.instantiateClass(type);
			PropertyElf.setTargetFromProperties(source, withLoginTimeout(name, this.pool.getDataSourceProperties()));
			return source;
		}

		private DataSource ofDriver() {
			DriverManagerDataSource source = new DriverManagerDataSource(this.pool.getJdbcUrl());
			if (this.pool.getDriverClassName() != null) {
				source.setDriverClassName(this.pool.getDriverClassName());
			}
			source
				.setConnectionProperties(withLoginTimeout(this.pool.getJdbcUrl(), this.pool.getDataSourceProperties()));
			return source;
		}

		private Connection setUp(Connection connection) throws SQLException {
			connection.setAutoCommit(true);
			if (this.pool.getCatalog() != null) {
				connection.setCatalog(this.pool.getCatalog());
			}
			if (this.pool.getSchema() != null) {
				connection.setSchema(this.pool.getSchema());
			}
			if (this.pool.getConnectionInitSql() != null) {
				try (Statement statement = connection.createStatement()) {
					statement.execute(this.pool.getConnectionInitSql());
				}
			}
			return connection;
		}

	}

}
