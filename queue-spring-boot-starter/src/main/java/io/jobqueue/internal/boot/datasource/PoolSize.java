package io.jobqueue.internal.boot.datasource;

import java.util.OptionalInt;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;

import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.util.ClassUtils;

/**
 * Determines the maximum size of a connection pool.
 */
public final class PoolSize {

	private static final boolean HIKARI = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource",
			PoolSize.class.getClassLoader());

	private PoolSize() {
	}

	/**
	 * Return the size of the pool behind a data source, empty if it is unknown.
	 * @param dataSource the data source
	 * @return the maximum number of connections
	 */
	public static OptionalInt of(DataSource dataSource) {
		return HIKARI ? Hikari.size(dataSource) : OptionalInt.empty();
	}

	/**
	 * Loaded only if Hikari is on the class path.
	 */
	private static final class Hikari {

		static OptionalInt size(DataSource dataSource) {
			HikariDataSource pool = DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class,
					HikariDataSource.class);
			return (pool != null) ? OptionalInt.of(pool.getMaximumPoolSize()) : OptionalInt.empty();
		}

	}

}
