package io.jobqueue.boot.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.util.ClassUtils;

/**
 * Finds out how to open a connection beside the pool.
 */
final class UnpooledDataSource {

	private static final boolean HIKARI = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource",
			UnpooledDataSource.class.getClassLoader());

	private UnpooledDataSource() {
	}

	/**
	 * Return what opens the same connections as a pool does.
	 * @param pool the pool
	 * @param details the details of some connection, not necessarily the pool's
	 * @return a data source without a pool, or {@code null} if none can be made
	 */
	static @Nullable DataSource of(DataSource pool, @Nullable JdbcConnectionDetails details) {
		DataSource ofHikari = HIKARI ? HikariSettings.of(pool) : null;
		if (ofHikari != null || details == null) {
			return ofHikari;
		}
		DataSource ofDetails = ofDetails(details);
		return leadToTheSame(pool, ofDetails) ? ofDetails : null;
	}

	private static DataSource ofDetails(JdbcConnectionDetails details) {
		SimpleDriverDataSource source = DataSourceBuilder.create()
			.type(SimpleDriverDataSource.class)
			.driverClassName(details.getDriverClassName())
			.url(details.getJdbcUrl())
			.username(details.getUsername())
			.password(details.getPassword())
			.build();
		source.setConnectionProperties(LoginTimeout.properties(details.getJdbcUrl()));
		return source;
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

}
