package io.jobqueue.store.postgresql.transaction;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Sets the parameters of a statement in their order.
 */
public final class Parameters {

	private final PreparedStatement statement;

	private int index;

	/**
	 * Create parameters.
	 * @param statement the statement whose parameters are set
	 */
	public Parameters(PreparedStatement statement) {
		this.statement = statement;
	}

	/**
	 * Set the next parameter.
	 * @param value the value
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public Parameters value(Object value) throws SQLException {
		this.statement.setObject(++this.index, value);
		return this;
	}

	/**
	 * Set the next parameter to a text.
	 * @param value the text, {@code null} for NULL
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public Parameters text(@Nullable String value) throws SQLException {
		this.statement.setString(++this.index, value);
		return this;
	}

	/**
	 * Set the next parameter to bytes.
	 * @param value the bytes, {@code null} for NULL
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public Parameters bytes(byte @Nullable [] value) throws SQLException {
		this.statement.setBytes(++this.index, value);
		return this;
	}

	/**
	 * Set the next parameter to a number of type {@code bigint}.
	 * @param value the number, {@code null} for NULL
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public Parameters number(@Nullable Number value) throws SQLException {
		this.statement.setObject(++this.index, value, Types.BIGINT);
		return this;
	}

	/**
	 * Set the next parameter to an array with one element for each row. An array that
	 * contains only NULLs becomes NULL.
	 * @param type the SQL type of its elements
	 * @param rows the rows
	 * @param column returns the element of a row
	 * @param <T> the type of the rows
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public <T> Parameters array(String type, Collection<? extends T> rows,
			Function<T, ? extends @Nullable Object> column) throws SQLException {
		return array(type, new Object[rows.size()], rows, column);
	}

	/**
	 * Set the next parameter to an array with one {@code bytea} for each row, like
	 * {@link #array}.
	 * @param rows the rows
	 * @param column returns the element of a row
	 * @param <T> the type of the rows
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public <T> Parameters bytes(Collection<? extends T> rows, Function<T, byte @Nullable []> column)
			throws SQLException {
		return array("bytea", new byte[rows.size()][], rows, column);
	}

	private <T> Parameters array(String type, @Nullable Object[] values, Collection<? extends T> rows,
			Function<T, ? extends @Nullable Object> column) throws SQLException {
		int row = 0;
		boolean empty = !rows.isEmpty();
		for (T each : rows) {
			Object value = column.apply(each);
			values[row++] = value;
			empty &= value == null;
		}
		set(type, empty ? null : values);
		return this;
	}

	/**
	 * Among several arrays, unnest treats NULL like an array of NULLs.
	 */
	private void set(String type, @Nullable Object @Nullable [] values) throws SQLException {
		if (values == null) {
			this.statement.setNull(++this.index, Types.ARRAY);
		}
		else {
			this.statement.setArray(++this.index, this.statement.getConnection().createArrayOf(type, values));
		}
	}

	/**
	 * Sets the parameters of one statement.
	 */
	@FunctionalInterface
	public interface Setter {

		/**
		 * Set the parameters.
		 * @param parameters the parameters
		 * @throws SQLException if the driver refuses a value
		 */
		void set(Parameters parameters) throws SQLException;

	}

}
