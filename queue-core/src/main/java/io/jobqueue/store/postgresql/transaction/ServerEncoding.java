package io.jobqueue.store.postgresql.transaction;

import java.sql.Connection;
import java.sql.SQLException;

import org.postgresql.PGConnection;

import io.jobqueue.store.DatabaseEncoding;

/**
 * Reads the encoding of a database, which the server sends with each login.
 */
public final class ServerEncoding {

	private ServerEncoding() {
	}

	/**
	 * Return the encoding of the database of a connection. This sends no statement.
	 * @param connection the connection
	 * @return the encoding
	 * @throws SQLException if the connection is broken
	 */
	public static DatabaseEncoding of(Connection connection) throws SQLException {
		return connection.isWrapperFor(PGConnection.class)
				? DatabaseEncoding.of(connection.unwrap(PGConnection.class).getParameterStatus("server_encoding"))
				: DatabaseEncoding.UNICODE;
	}

}
