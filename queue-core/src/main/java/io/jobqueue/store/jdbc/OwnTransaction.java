package io.jobqueue.store.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs statements in a transaction of the queue's own, on a plain JDBC connection, and
 * never in one of the application's.
 */
final class OwnTransaction {

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	OwnTransaction(DataSource dataSource) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

	<T> T query(String begin, String sql, Parameters.Setter parameters, ResultSetExtractor<T> extractor) {
		return run(begin, (statements) -> statements.query(sql, parameters, extractor));
	}

	<T> T run(String begin, Function<Statements, T> work) {
		return required(this.transaction.execute((status) -> work.apply(new Statements(this.jdbc, begin))));
	}

	/**
	 * The statements of one transaction. Its settings travel with the first one, so that
	 * they cost no round trip.
	 */
	static final class Statements {

		private final JdbcTemplate jdbc;

		private String begin;

		private Statements(JdbcTemplate jdbc, String begin) {
			this.jdbc = jdbc;
			this.begin = begin;
		}

		<T> T query(String sql, Parameters.Setter parameters, ResultSetExtractor<T> extractor) {
			return execute(sql, parameters, (statement) -> required(extractor.extractData(lastResultSet(statement))));
		}

		int update(String sql, Parameters.Setter parameters) {
			return execute(sql, parameters, OwnTransaction::lastUpdateCount);
		}

		private <T> T execute(String sql, Parameters.Setter parameters, Result<T> result) {
			String text = this.begin + sql;
			this.begin = "";
			return required(this.jdbc.execute(text, (PreparedStatement statement) -> {
				parameters.set(new Parameters(statement));
				statement.execute();
				return result.of(statement);
			}));
		}

	}

	private static ResultSet lastResultSet(PreparedStatement statement) throws SQLException {
		ResultSet rows = statement.getResultSet();
		while (rows == null) {
			statement.getMoreResults();
			rows = statement.getResultSet();
		}
		return rows;
	}

	private static int lastUpdateCount(PreparedStatement statement) throws SQLException {
		int last = -1;
		for (int count = statement.getUpdateCount(); count != -1; count = statement.getUpdateCount()) {
			last = count;
			statement.getMoreResults();
		}
		return last;
	}

	private static <T> T required(@Nullable T result) {
		if (result == null) {
			throw new IllegalStateException("The work of a transaction must have a result");
		}
		return result;
	}

	/**
	 * Reads the result of an executed statement.
	 */
	@FunctionalInterface
	private interface Result<T> {

		T of(PreparedStatement statement) throws SQLException;

	}

}
