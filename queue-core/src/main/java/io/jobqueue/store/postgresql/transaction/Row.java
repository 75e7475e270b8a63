package io.jobqueue.store.postgresql.transaction;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Reads the columns of rows in the order of their statement, as {@link Parameters} sets
 * parameters. In the rows of claims, of which there is one for each job, names would be
 * looked up for each column.
 */
public final class Row {

	private final ResultSet rows;

	private int index;

	/**
	 * Create a reader before the first row. It reads the rows of the driver where the
	 * connection pool permits it, not through the pool's proxy.
	 * @param rows the rows
	 * @throws SQLException if the rows cannot be unwrapped
	 */
	public Row(ResultSet rows) throws SQLException {
		this.rows = rows.unwrap(ResultSet.class);
	}

	/**
	 * Go to the first column of the next row.
	 * @return {@code false} if there is none
	 * @throws SQLException if the rows cannot be read
	 */
	public boolean next() throws SQLException {
		this.index = 0;
		return this.rows.next();
	}

	/**
	 * Read a column of type {@code uuid}.
	 * @return the value
	 * @throws SQLException if the column cannot be read
	 */
	public @Nullable UUID uuid() throws SQLException {
		return this.rows.getObject(++this.index, UUID.class);
	}

	/**
	 * Read a column of type {@code text}.
	 * @return the value
	 * @throws SQLException if the column cannot be read
	 */
	public @Nullable String text() throws SQLException {
		return this.rows.getString(++this.index);
	}

	/**
	 * Read a column of type {@code bytea}.
	 * @return the value
	 * @throws SQLException if the column cannot be read
	 */
	public byte @Nullable [] bytes() throws SQLException {
		return this.rows.getBytes(++this.index);
	}

	/**
	 * Read a column of type {@code boolean}.
	 * @return the value, {@code false} for NULL
	 * @throws SQLException if the column cannot be read
	 */
	public boolean bool() throws SQLException {
		return this.rows.getBoolean(++this.index);
	}

	/**
	 * Read a column of type {@code integer}.
	 * @return the value, 0 for NULL
	 * @throws SQLException if the column cannot be read
	 */
	public int integer() throws SQLException {
		return this.rows.getInt(++this.index);
	}

	/**
	 * Read a column of type {@code bigint}.
	 * @return the value, 0 for NULL
	 * @throws SQLException if the column cannot be read
	 */
	public long bigint() throws SQLException {
		return this.rows.getLong(++this.index);
	}

	/**
	 * Read a time from a column that holds its microseconds since the epoch. The driver
	 * builds a time of type {@code timestamptz} from its calendar fields.
	 * @return the time, the epoch for NULL
	 * @throws SQLException if the column cannot be read
	 */
	public Instant instant() throws SQLException {
		return Columns.instant(bigint());
	}

	/**
	 * Return whether the last column was NULL.
	 * @return {@code true} if it was NULL
	 * @throws SQLException if no column has been read
	 */
	public boolean wasNull() throws SQLException {
		return this.rows.wasNull();
	}

}
