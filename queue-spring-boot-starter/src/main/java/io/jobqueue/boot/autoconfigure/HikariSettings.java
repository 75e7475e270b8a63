package io.jobqueue.boot.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import com.zaxxer.hikari.util.PropertyElf;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.ClassUtils;

/**
 * Opens connections with the settings of a Hikari pool, but beside it. The credentials
 * are asked for each time, since a pool's password may change.
 */
final class HikariSettings extends AbstractDataSource {

	private final HikariDataSource pool;

	private HikariSettings(HikariDataSource pool) {
		this.pool = pool;
	}

	/**
	 * Return the settings of the pool behind a data source.
	 * @return the settings, or {@code null} if there is no such pool or it does not know
	 * how its connections are opened
	 */
	static @Nullable HikariSettings of(DataSource dataSource) {
		HikariDataSource pool = DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class,
				HikariDataSource.class);
		return (pool != null && isKnown(pool)) ? new HikariSettings(pool) : null;
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
		Connection connection = (username != null) ? source.getConnection(username, password) : source.getConnection();
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
		return (this.pool.getDataSourceClassName() != null) ? ofClass(this.pool.getDataSourceClassName()) : ofDriver();
	}

	private DataSource ofClass(String name) {
		Class<?> type = ClassUtils.resolveClassName(name, this.pool.getClass().getClassLoader());
		DataSource source = (DataSource) BeanUtils.instantiateClass(type);
		LoginTimeout.setFor(source);
		PropertyElf.setTargetFromProperties(source, this.pool.getDataSourceProperties());
		return source;
	}

	private DataSource ofDriver() {
		DriverManagerDataSource source = new DriverManagerDataSource(this.pool.getJdbcUrl());
		if (this.pool.getDriverClassName() != null) {
			source.setDriverClassName(this.pool.getDriverClassName());
		}
		Properties properties = LoginTimeout.properties(this.pool.getJdbcUrl());
		properties.putAll(this.pool.getDataSourceProperties());
		source.setConnectionProperties(properties);
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
