package io.jobqueue.internal.store.postgresql.schema;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.postgresql.PGConnection;

import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

import io.jobqueue.internal.store.DatabaseEncoding;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;

/**
 * Checks that a database is PostgreSQL, the only one that the stores support, and that
 * its driver can run their statements.
 */
public final class DatabaseCheck {

	private static final String POSTGRESQL = "PostgreSQL";

	private DatabaseCheck() {
	}

	/**
	 * Check a database.
	 * @param dataSource opens connections to the database
	 * @return the encoding of the database
	 * @throws UnusableDatabaseException if it, or a setting of its driver, is not
	 * supported, or if it cannot be reached
	 */
	public static DatabaseEncoding check(DataSource dataSource) {
		try {
			return JdbcUtils.extractDatabaseMetaData(dataSource, DatabaseCheck::check);
		}
		catch (MetaDataAccessException ex) {
			throw (dataSource instanceof AbstractRoutingDataSource) ? UnusableDatabaseException.unreachableRoute(ex)
					: UnusableDatabaseException.unreachable(ex);
		}
	}

	private static DatabaseEncoding check(DatabaseMetaData database) throws SQLException {
		String product = database.getDatabaseProductName();
		if (!POSTGRESQL.equals(product)) {
			throw UnusableDatabaseException.ofProduct(product, POSTGRESQL);
		}
		Connection connection = database.getConnection();
		int threshold = connection.isWrapperFor(PGConnection.class)
				? connection.unwrap(PGConnection.class).getPrepareThreshold() : 0;
		if (threshold < 0) {
			throw UnusableDatabaseException.ofPrepareThreshold(threshold);
		}
		return Parameters.encoding(connection);
	}

}
