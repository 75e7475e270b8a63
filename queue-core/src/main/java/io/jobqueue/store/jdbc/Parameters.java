package io.jobqueue.store.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Sets the parameters of a statement in the order of its text.
 */
final class Parameters {

	private final PreparedStatement statement;

	private int index;

	Parameters(PreparedStatement statement) {
		this.statement = statement;
	}

	Parameters value(Object value) throws SQLException {
		this.statement.setObject(++this.index, value);
		return this;
	}

	Parameters text(@Nullable String value) throws SQLException {
		this.statement.setString(++this.index, value);
		return this;
	}

	Parameters bytes(byte @Nullable [] value) throws SQLException {
		this.statement.setBytes(++this.index, value);
		return this;
	}

	Parameters number(@Nullable Number value) throws SQLException {
		this.statement.setObject(++this.index, value, Types.BIGINT);
		return this;
	}

	<T> Parameters array(String type, Collection<? extends T> rows, Function<T, ? extends @Nullable Object> column)
			throws SQLException {
		return array(type, new Object[rows.size()], rows, column);
	}

	<T> Parameters bytes(Collection<? extends T> rows, Function<T, byte @Nullable []> column) throws SQLException {
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
	 * Among several arrays, unnest takes a missing one for one full of nulls.
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
	interface Setter {

		void set(Parameters parameters) throws SQLException;

	}

}
