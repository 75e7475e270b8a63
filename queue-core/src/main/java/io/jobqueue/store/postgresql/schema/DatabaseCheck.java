package io.jobqueue.store.postgresql.schema;

import java.sql.DatabaseMetaData;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/**
 * Checks that a database is PostgreSQL, the only one that the stores support.
 */
public final class DatabaseCheck {

	private static final String POSTGRESQL = "PostgreSQL";

	private DatabaseCheck() {
	}

	/**
	 * Check a database.
	 * @param dataSource opens connections to the database
	 * @throws UnsupportedDatabaseException if it is not supported
	 * @throws UnreachableDatabaseException if it cannot be reached
	 */
	public static void check(DataSource dataSource) {
		String product = product(dataSource);
		if (!POSTGRESQL.equals(product)) {
			throw new UnsupportedDatabaseException(product, POSTGRESQL);
		}
	}

	private static String product(DataSource dataSource) {
		try {
			return JdbcUtils.extractDatabaseMetaData(dataSource, DatabaseMetaData::getDatabaseProductName);
		}
		catch (MetaDataAccessException ex) {
			throw (dataSource instanceof AbstractRoutingDataSource) ? UnreachableDatabaseException.ofRoute(ex)
					: new UnreachableDatabaseException(ex);
		}
	}

}
