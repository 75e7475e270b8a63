package io.jobqueue.store.postgresql.schema;

import java.sql.DatabaseMetaData;

import javax.sql.DataSource;

import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/**
 * Refuses databases that the stores have no SQL for.
 */
public final class DatabaseCheck {

	private static final String POSTGRESQL = "PostgreSQL";

	private DatabaseCheck() {
	}

	/**
	 * Check a database.
	 * @param dataSource what leads to it
	 * @throws UnsupportedDatabaseException if it is none that is supported
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
			throw new UnreachableDatabaseException(ex);
		}
	}

}
