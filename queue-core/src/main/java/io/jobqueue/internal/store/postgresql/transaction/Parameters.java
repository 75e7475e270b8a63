package io.jobqueue.internal.store.postgresql.transaction;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

import org.springframework.util.Assert;

import io.jobqueue.internal.store.DatabaseEncoding;

/**
 * Sets the parameters of a statement in their order. A text that the encoding of the
 * database cannot store is refused with an {@link IllegalArgumentException} before the
 * statement is sent: the server would abort the transaction.
 */
public final class Parameters {

	private final PreparedStatement statement;

	private @Nullable DatabaseEncoding encoding;

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
		this.statement.setObject(++this.index, (value instanceof String text) ? storable(text) : value);
		return this;
	}

	/**
	 * Set the next parameter, which the statement casts to {@code uuid}.
	 * @param value the id, {@code null} for NULL
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public Parameters uuid(@Nullable UUID value) throws SQLException {
		this.statement.setObject(++this.index, value, Types.OTHER);
		return this;
	}

	/**
	 * Set the next parameter to a text.
	 * @param value the text, {@code null} for NULL
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public Parameters text(@Nullable String value) throws SQLException {
		this.statement.setString(++this.index, (value != null) ? storable(value) : null);
		return this;
	}

	/**
	 * Set the next parameter to a text in which each character that the encoding of the
	 * database lacks is replaced by a question mark.
	 * @param value the text, {@code null} for NULL
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public Parameters replacedText(@Nullable String value) throws SQLException {
		return text((value != null) ? encoding().replaced(value) : null);
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
	 * Set the next parameter to an array of {@code text} with one element for each row.
	 * As in all arrays, NULLs alone become NULL: among several arrays, unnest treats NULL
	 * like an array of NULLs. Arrays of a type that the driver sends in binary form need
	 * no escaping.
	 * @param rows the rows
	 * @param column returns the element of a row
	 * @param <T> the type of the rows
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public <T> Parameters texts(Collection<? extends T> rows, Function<T, @Nullable String> column)
			throws SQLException {
		return array("text", new String[rows.size()], rows, column);
	}

	/**
	 * Set the next parameter to an array of texts like that of {@link #replacedText}.
	 * @param rows the rows
	 * @param column returns the element of a row
	 * @param <T> the type of the rows
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public <T> Parameters replacedTexts(Collection<? extends T> rows, Function<T, @Nullable String> column)
			throws SQLException {
		DatabaseEncoding known = encoding();
		return texts(rows, (row) -> {
			String text = column.apply(row);
			return (text != null) ? known.replaced(text) : null;
		});
	}

	/**
	 * Set the next parameter to an array of {@code text}.
	 * @param values the elements
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public Parameters texts(Collection<String> values) throws SQLException {
		return set("text", values.toArray(new String[0]));
	}

	/**
	 * Set the next parameter to an array of {@code bigint}, like {@link #texts}.
	 * @param rows the rows
	 * @param column returns the element of a row
	 * @param <T> the type of the rows
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public <T> Parameters bigints(Collection<? extends T> rows, Function<T, @Nullable Long> column)
			throws SQLException {
		return array("bigint", new Long[rows.size()], rows, column);
	}

	/**
	 * Set the next parameter to an array of {@code integer}, like {@link #texts}.
	 * @param rows the rows
	 * @param column returns the element of a row
	 * @param <T> the type of the rows
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public <T> Parameters integers(Collection<? extends T> rows, Function<T, @Nullable Integer> column)
			throws SQLException {
		return array("integer", new Integer[rows.size()], rows, column);
	}

	/**
	 * Set the next parameter to an array of {@code smallint}, like {@link #texts}.
	 * @param rows the rows
	 * @param column returns the element of a row, which fits
	 * @param <T> the type of the rows
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public <T> Parameters smallints(Collection<? extends T> rows, ToIntFunction<T> column) throws SQLException {
		return array("smallint", new Short[rows.size()], rows, (T row) -> (short) column.applyAsInt(row));
	}

	/**
	 * Set the next parameter to an array of {@code boolean}, like {@link #texts}.
	 * @param rows the rows
	 * @param column returns the element of a row
	 * @param <T> the type of the rows
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public <T> Parameters booleans(Collection<? extends T> rows, Function<T, @Nullable Boolean> column)
			throws SQLException {
		return array("boolean", new Boolean[rows.size()], rows, column);
	}

	/**
	 * Set the next parameter to an array of {@code bytea}, like {@link #texts}.
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

	/**
	 * Set the next parameter, which the statement casts to {@code uuid[]}, like
	 * {@link #texts}. The driver has no binary form of such arrays and escapes each
	 * character of their text, which no id needs.
	 * @param rows the rows
	 * @param column returns the element of a row
	 * @param <T> the type of the rows
	 * @return these parameters
	 * @throws SQLException if the driver refuses the value
	 */
	public <T> Parameters uuids(Collection<? extends T> rows, Function<T, @Nullable UUID> column) throws SQLException {
		StringJoiner ids = new StringJoiner(",", "{", "}");
		for (T row : rows) {
			ids.add(String.valueOf(column.apply(row)));
		}
		this.statement.setObject(++this.index, ids.toString(), Types.OTHER);
		return this;
	}

	/**
	 * Set the next parameter, which the statement casts to the type of an array, to NULL.
	 * @return these parameters
	 * @throws SQLException if the driver refuses it
	 */
	public Parameters noArray() throws SQLException {
		this.statement.setNull(++this.index, Types.ARRAY);
		return this;
	}

	private <T, V> Parameters array(String type, @Nullable V[] values, Collection<? extends T> rows,
			Function<T, ? extends @Nullable V> column) throws SQLException {
		int row = 0;
		boolean allNull = !rows.isEmpty();
		for (T each : rows) {
			V value = column.apply(each);
			values[row++] = value;
			allNull &= value == null;
		}
		return allNull ? noArray() : set(type, values);
	}

	private Parameters set(String type, @Nullable Object[] values) throws SQLException {
		for (Object value : values) {
			if (value instanceof String text) {
				storable(text);
			}
		}
		this.statement.setArray(++this.index, this.statement.getConnection().createArrayOf(type, values));
		return this;
	}

	private String storable(String text) throws SQLException {
		String refusal = encoding().refusal(text);
		Assert.isTrue(refusal == null, () -> "A text " + refusal);
		return text;
	}

	private DatabaseEncoding encoding() throws SQLException {
		DatabaseEncoding known = this.encoding;
		if (known == null) {
			known = encoding(this.statement.getConnection());
			this.encoding = known;
		}
		return known;
	}

	/**
	 * Return the encoding of the database of a connection, which the server sends with
	 * each login. This sends no statement.
	 * @param connection the connection
	 * @return the encoding
	 * @throws SQLException if the connection is broken
	 */
	public static DatabaseEncoding encoding(Connection connection) throws SQLException {
		return connection.isWrapperFor(PGConnection.class)
				? DatabaseEncoding.of(connection.unwrap(PGConnection.class).getParameterStatus("server_encoding"))
				: DatabaseEncoding.UNICODE;
	}

	/**
	 * Sets the parameters of one statement.
	 */
	@FunctionalInterface
	public interface Setter {

		/**
		 * Sets none, for a statement without parameters.
		 */
		Setter NONE = (parameters) -> {
		};

		/**
		 * Set the parameters.
		 * @param parameters the parameters
		 * @throws SQLException if the driver refuses a value
		 */
		void set(Parameters parameters) throws SQLException;

	}

}
