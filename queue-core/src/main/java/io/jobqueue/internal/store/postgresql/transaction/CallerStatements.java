package io.jobqueue.internal.store.postgresql.transaction;

import java.sql.PreparedStatement;
import java.util.List;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;
import org.springframework.util.ConcurrentLruCache;

/**
 * Runs statements in the transactions of callers, which have the planner's settings of
 * the application. A plan that a session caches while a table is small must not scan it
 * once it has grown: sequential scans are off during the statement. That is set and
 * restored in the same round trip.
 */
public final class CallerStatements {

	private static final String SCANS_OFF = """
			SELECT set_config('jobqueue.seqscan', current_setting('enable_seqscan'), true), set_config('enable_seqscan', 'off', true);
			""";

	private static final String SCANS_RESTORED = """
			;
			SELECT set_config('enable_seqscan', nullif(current_setting('jobqueue.seqscan', true), ''), true)
			""";

	private static final int TEXTS = 64;

	private final JdbcTemplate callers;

	private final Schema schema;

	/**
	 * The driver finds a prepared statement by its text, whose hash only the same string
	 * remembers.
	 */
	private final ConcurrentLruCache<String, String> texts = new ConcurrentLruCache<>(TEXTS,
			(sql) -> SCANS_OFF + sql.stripTrailing() + SCANS_RESTORED);

	/**
	 * Create an object that runs statements.
	 * @param callers runs statements in the transactions of callers
	 * @param schema the schema of the tables
	 */
	public CallerStatements(JdbcTemplate callers, Schema schema) {
		this.callers = callers;
		this.schema = schema;
	}

	/**
	 * Run a query.
	 * @param sql its text
	 * @param parameters sets its parameters
	 * @param extractor reads its rows
	 * @param <T> the type of the result
	 * @return the result of the extractor
	 * @throws DataAccessException if the database fails
	 */
	public <T> T query(String sql, Parameters.Setter parameters, ResultSetExtractor<T> extractor) {
		return run(sql, parameters, (statement) -> extractor.extractData(statement.getResultSet()));
	}

	/**
	 * Run a query and map each row, like {@link #query}.
	 * @param sql its text
	 * @param parameters sets its parameters
	 * @param mapper reads a row
	 * @param <T> the type of the elements
	 * @return one element for each row
	 * @throws DataAccessException if the database fails
	 */
	public <T> List<T> list(String sql, Parameters.Setter parameters, RowMapper<T> mapper) {
		return query(sql, parameters, new RowMapperResultSetExtractor<>(mapper));
	}

	/**
	 * Run an update.
	 * @param sql its text
	 * @param parameters sets its parameters
	 * @return the number of rows
	 * @throws DataAccessException if the database fails
	 */
	public int update(String sql, Parameters.Setter parameters) {
		return run(sql, parameters, PreparedStatement::getUpdateCount);
	}

	private <T> T run(String sql, Parameters.Setter parameters, PreparedStatementCallback<T> reader) {
		String text = this.schema.in(this.texts.get(sql));
		return this.callers.execute(text, (PreparedStatementCallback<T>) (statement) -> {
			parameters.set(new Parameters(statement));
			statement.execute();
			statement.getMoreResults();
			return reader.doInPreparedStatement(statement);
		});
	}

}
