package io.jobqueue.store.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * A statement of a transaction.
 *
 * @param sql its text
 * @param parameters what sets its parameters
 * @param answer what takes its result
 */
record Step(String sql, Parameters.Setter parameters, Answer<?> answer) {

	/**
	 * What the database answers to a statement.
	 *
	 * @param <T> its type
	 */
	static final class Answer<T> {

		private final Reader<T> reader;

		private @Nullable T value;

		private Answer(Reader<T> reader) {
			this.reader = reader;
		}

		static <T> Answer<T> ofRows(ResultSetExtractor<T> extractor) {
			return new Answer<>((statement) -> extractor.extractData(statement.getResultSet()));
		}

		static Answer<Boolean> ofEachRow(RowCallbackHandler row) {
			return ofRows((rows) -> {
				while (rows.next()) {
					row.processRow(rows);
				}
				return true;
			});
		}

		static Answer<Integer> ofCount() {
			return new Answer<>(PreparedStatement::getUpdateCount);
		}

		void read(PreparedStatement statement) throws SQLException {
			this.value = this.reader.read(statement);
		}

		T get() {
			if (this.value == null) {
				throw new IllegalStateException("The statement has not been answered");
			}
			return this.value;
		}

	}

	/**
	 * Reads the result that a statement stands at.
	 *
	 * @param <T> the type of the result
	 */
	@FunctionalInterface
	private interface Reader<T> {

		@Nullable T read(PreparedStatement statement) throws SQLException;

	}

}
