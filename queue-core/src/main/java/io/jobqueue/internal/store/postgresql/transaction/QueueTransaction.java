package io.jobqueue.internal.store.postgresql.transaction;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.util.ConcurrentLruCache;

/**
 * Runs statements in a transaction of the queue, on a JDBC connection that takes no part
 * in transactions of the application. BEGIN, the statements and COMMIT are sent in one
 * round trip, except in {@link #runAndKeepIf}.
 */
public final class QueueTransaction {

	/**
	 * Sets generic plans because planning a statement takes longer than running it, and
	 * no sequential or bitmap scans because a plan that was cached for a small table
	 * would be slow for a large one. The settings hold until the end of the transaction.
	 */
	private static final String SETTINGS = """
			SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true),
			       set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)""";

	private static final String SEPARATOR = ";\n";

	/**
	 * A column that limits the current transaction: if this process is suspended between
	 * two of its messages, the server ends the session after 2 s, and others get the
	 * locks.
	 */
	public static final String END_IF_SUSPENDED = "set_config('idle_in_transaction_session_timeout', '2s', true)";

	/**
	 * Begins every transaction of the queue. It sets READ COMMITTED because the default
	 * isolation of the application may be stricter. It ends if this process is suspended,
	 * because the driver sends a long text in several messages.
	 */
	public static final String BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED" + SEPARATOR + SETTINGS + ", "
			+ END_IF_SUSPENDED;

	/**
	 * Begins a transaction of monitoring, with a statement timeout of 5 s and a lock
	 * timeout of 2 s. Parallel plans are switched off because they would return estimates
	 * in another order than that of their series.
	 */
	public static final String BEGIN_MONITORING = BEGIN
			+ ", set_config('statement_timeout', '5s', true), set_config('lock_timeout', '2s', true), set_config('max_parallel_workers_per_gather', '0', true)";

	/**
	 * Begins a transaction with a lock timeout of 500 ms.
	 */
	public static final String BEGIN_WITH_LOCK_TIMEOUT = BEGIN + ", set_config('lock_timeout', '500ms', true)";

	/**
	 * Begins a transaction of an operator, with a lock timeout of 5 s. A claim or an
	 * outcome locks a job for milliseconds; another transaction may lock it, or a table,
	 * for longer.
	 */
	public static final String BEGIN_OPERATION = BEGIN + ", set_config('lock_timeout', '5s', true)";

	/**
	 * Begins a transaction with an asynchronous commit, which a crash of the server may
	 * lose. A job whose claim is lost is ready again, and the outcome of the lost claim
	 * is still rejected because the worker does not reuse claim numbers. A worker whose
	 * registration is lost has lost its later claims as well.
	 */
	public static final String BEGIN_ASYNCHRONOUS = BEGIN + ", set_config('synchronous_commit', 'off', true)";

	private static final int RESULTS_OF_SETTINGS = 1;

	private static final int RESULTS_OF_BEGIN = 1 + RESULTS_OF_SETTINGS;

	private static final String COMMIT = "COMMIT";

	private static final String ROLLBACK = "ROLLBACK";

	private static final String LOCK_NOT_AVAILABLE = "55P03";

	private static final int TEXTS = 512;

	private final DataSource dataSource;

	private final Schema schema;

	/**
	 * The driver finds a prepared statement by its text, whose hash only the same string
	 * remembers.
	 */
	private final ConcurrentLruCache<List<String>, String> texts = new ConcurrentLruCache<>(TEXTS,
			(statements) -> String.join(SEPARATOR, statements));

	private final SQLExceptionTranslator translator = new SQLStateSQLExceptionTranslator();

	/**
	 * Create transactions.
	 * @param dataSource the application's data source, or that of a single connection
	 * @param schema the schema of the tables that statements name
	 */
	public QueueTransaction(DataSource dataSource, Schema schema) {
		this.dataSource = dataSource;
		this.schema = schema;
	}

	/**
	 * Return the schema of the tables.
	 * @return the schema
	 */
	public Schema schema() {
		return this.schema;
	}

	/**
	 * Run one query in a transaction.
	 * @param begin the text that begins the transaction
	 * @param sql the text of the query
	 * @param parameters sets its parameters
	 * @param extractor reads its rows
	 * @param <T> the type of the result
	 * @return the result of the extractor
	 * @throws DataAccessException if the database fails
	 */
	public <T> T query(String begin, String sql, Parameters.Setter parameters, ResultSetExtractor<T> extractor) {
		Answer<T> answer = Answer.ofRows(extractor);
		run(begin, List.of(new Step(sql, parameters, answer)));
		return answer.get();
	}

	/**
	 * Run one query in a transaction and map each row, like {@link #query}.
	 * @param begin the text that begins the transaction
	 * @param sql the text of the query
	 * @param parameters sets its parameters
	 * @param mapper reads a row
	 * @param <T> the type of the elements
	 * @return one element for each row
	 * @throws DataAccessException if the database fails
	 */
	public <T> List<T> list(String begin, String sql, Parameters.Setter parameters, RowMapper<T> mapper) {
		return query(begin, sql, parameters, new RowMapperResultSetExtractor<>(mapper));
	}

	/**
	 * Run one query in a transaction and map its first row, like {@link #query}.
	 * @param begin the text that begins the transaction
	 * @param sql the text of the query
	 * @param parameters sets its parameters
	 * @param mapper reads the row
	 * @param <T> the type of the result
	 * @return the result of the mapper, {@code null} if there is no row
	 * @throws DataAccessException if the database fails
	 */
	public <T> @Nullable T first(String begin, String sql, Parameters.Setter parameters, RowMapper<T> mapper) {
		return list(begin, sql, parameters, mapper).stream().findFirst().orElse(null);
	}

	/**
	 * Run one update in a transaction.
	 * @param begin the text that begins the transaction
	 * @param sql the text of the update
	 * @param parameters sets its parameters
	 * @return the number of rows
	 * @throws DataAccessException if the database fails
	 */
	public int update(String begin, String sql, Parameters.Setter parameters) {
		Answer<Integer> answer = Answer.ofCount();
		run(begin, List.of(new Step(sql, parameters, answer)));
		return answer.get();
	}

	/**
	 * Run all steps, or none of them if the database fails. The steps are already
	 * committed if reading their results fails.
	 * @param begin the text that begins the transaction
	 * @param steps the steps
	 * @throws DataAccessException if the database fails
	 */
	public void run(String begin, List<Step> steps) {
		run(text(begin, steps, COMMIT), steps, null);
	}

	/**
	 * Run all steps, and then commit or roll back. The end of the transaction is a second
	 * round trip, during which the locks are held.
	 * @param kept whether to commit, called after the results were read
	 * @param begin the text that begins the transaction
	 * @param steps the steps
	 * @throws DataAccessException if the database fails
	 */
	public void runAndKeepIf(BooleanSupplier kept, String begin, List<Step> steps) {
		run(text(begin, steps, null), steps, kept);
	}

	/**
	 * Run a step as the last one of a caller's transaction, in one round trip with the
	 * settings for it.
	 * @param callers runs statements in the transactions of callers
	 * @param step the step
	 * @throws DataAccessException if the database fails
	 */
	public void runLast(JdbcTemplate callers, Step step) {
		runLast(callers, step, null);
	}

	/**
	 * Run a step as the last one of a caller's transaction, in one round trip with the
	 * settings for it and the COMMIT. The driver sends none for a commit that follows.
	 * @param callers runs statements in the transactions of callers
	 * @param step the step; only its failure prevents the commit
	 * @throws DataAccessException if the database fails, also to commit
	 */
	public void runLastAndCommit(JdbcTemplate callers, Step step) {
		runLast(callers, step, COMMIT);
	}

	/**
	 * An exception does not contain the text, as it may be that of a deferred constraint
	 * of the application. All rows are read at once: the cursor that the driver would
	 * open for a fetch size does not outlive the COMMIT.
	 */
	private void runLast(JdbcTemplate callers, Step step, @Nullable String end) {
		String text = text(SETTINGS, List.of(step), end);
		PreparedStatementCreator creator = (connection) -> connection.prepareStatement(text);
		Boolean unused = callers.execute(creator, (PreparedStatementCallback<Boolean>) (statement) -> {
			prepareAtOnce(statement);
			statement.setFetchSize(0);
			step.parameters().set(new Parameters(statement));
			boolean hasRows = statement.execute();
			skip(RESULTS_OF_SETTINGS, statement);
			step.answer().read(statement);
			return hasRows;
		});
	}

	private void run(String text, List<Step> steps, @Nullable BooleanSupplier kept) {
		try (Connection connection = connection()) {
			BorrowedConnection borrowed = BorrowedConnection.of(connection);
			execute(borrowed, text, steps, kept);
			borrowed.close();
		}
		catch (SQLException ex) {
			throw translated(text, ex);
		}
	}

	private String text(String begin, List<Step> steps, @Nullable String end) {
		List<String> statements = new ArrayList<>(steps.size() + 2);
		statements.add(begin);
		for (Step step : steps) {
			statements.add(step.sql());
		}
		if (end != null) {
			statements.add(end);
		}
		return this.schema.in(this.texts.get(statements));
	}

	private Connection connection() {
		try {
			return this.dataSource.getConnection();
		}
		catch (SQLException ex) {
			throw new CannotGetJdbcConnectionException("Could not get a database connection", ex);
		}
	}

	private static void execute(BorrowedConnection borrowed, String text, List<Step> steps,
			@Nullable BooleanSupplier kept) throws SQLException {
		try (PreparedStatement statement = borrowed.connection().prepareStatement(text)) {
			prepareAtOnce(statement);
			Parameters parameters = new Parameters(statement);
			for (Step step : steps) {
				step.parameters().set(parameters);
			}
			statement.execute();
			skip(RESULTS_OF_BEGIN, statement);
			for (Step step : steps) {
				step.answer().read(statement);
				skip(1, statement);
			}
			if (kept != null) {
				end(borrowed, kept.getAsBoolean() ? COMMIT : ROLLBACK);
			}
		}
		catch (SQLException | RuntimeException | Error ex) {
			rollBack(borrowed, ex);
			throw ex;
		}
	}

	/**
	 * With its default threshold, the driver prepares a statement on the server when a
	 * session runs it for the fifth time. Until then, the server plans it each time: a
	 * claim takes longer to plan than to run. With a threshold of 0, no statement is
	 * prepared.
	 */
	private static void prepareAtOnce(PreparedStatement statement) throws SQLException {
		if (statement.isWrapperFor(PGStatement.class)) {
			PGStatement driver = statement.unwrap(PGStatement.class);
			driver.setPrepareThreshold(Math.min(1, driver.getPrepareThreshold()));
		}
	}

	private static void skip(int answers, PreparedStatement statement) throws SQLException {
		for (int answer = 0; answer < answers; answer++) {
			statement.getMoreResults();
		}
	}

	/**
	 * Roll back before the connection returns to the pool, or abort the connection if
	 * that fails.
	 */
	private static void rollBack(BorrowedConnection borrowed, Throwable failure) throws SQLException {
		try {
			end(borrowed, ROLLBACK);
			borrowed.close();
		}
		catch (SQLException ex) {
			failure.addSuppressed(ex);
			borrowed.connection().abort(Runnable::run);
		}
	}

	private static void end(BorrowedConnection borrowed, String how) throws SQLException {
		try (PreparedStatement statement = borrowed.connection().prepareStatement(how)) {
			statement.execute();
		}
	}

	private DataAccessException translated(String text, SQLException ex) {
		if (LOCK_NOT_AVAILABLE.equals(ex.getSQLState())) {
			return new CannotAcquireLockException("A row or a table of the queue is locked by another transaction", ex);
		}
		DataAccessException translated = this.translator.translate("A transaction of the queue", text, ex);
		return (translated != null) ? translated
				: new UncategorizedSQLException("A transaction of the queue", text, ex);
	}

	/**
	 * A statement of a transaction.
	 *
	 * @param sql its text
	 * @param parameters sets its parameters
	 * @param answer reads its result
	 */
	public record Step(String sql, Parameters.Setter parameters, Answer<?> answer) {

		/**
		 * Create a step whose rows are read one by one.
		 * @param sql its text
		 * @param parameters sets its parameters
		 * @param row reads each row
		 */
		public Step(String sql, Parameters.Setter parameters, RowCallbackHandler row) {
			this(sql, parameters, Answer.ofEachRow(row));
		}

		/**
		 * Create a step whose result is not read.
		 * @param sql its text
		 * @param parameters sets its parameters
		 */
		public Step(String sql, Parameters.Setter parameters) {
			this(sql, parameters, new Answer<>((statement) -> true));
		}

	}

	/**
	 * The result of a statement.
	 *
	 * @param <T> the type of the result
	 */
	public static final class Answer<T> {

		private final PreparedStatementCallback<T> reader;

		private @Nullable T value;

		private Answer(PreparedStatementCallback<T> reader) {
			this.reader = reader;
		}

		/**
		 * Create an answer of rows.
		 * @param extractor reads the rows
		 * @param <T> the type of the result
		 * @return the answer
		 */
		public static <T> Answer<T> ofRows(ResultSetExtractor<T> extractor) {
			return new Answer<>((statement) -> extractor.extractData(statement.getResultSet()));
		}

		/**
		 * Create an answer of an update.
		 * @return the answer, whose value is the number of rows
		 */
		public static Answer<Integer> ofCount() {
			return new Answer<>(PreparedStatement::getUpdateCount);
		}

		private static Answer<Boolean> ofEachRow(RowCallbackHandler row) {
			return ofRows((rows) -> {
				while (rows.next()) {
					row.processRow(rows);
				}
				return true;
			});
		}

		void read(PreparedStatement statement) throws SQLException {
			this.value = this.reader.doInPreparedStatement(statement);
		}

		/**
		 * Return the value that was read.
		 * @return the value
		 * @throws IllegalStateException if the statement has not run
		 */
		public T get() {
			if (this.value == null) {
				throw new IllegalStateException("The statement has no result yet");
			}
			return this.value;
		}

	}

}
