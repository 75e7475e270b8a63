package io.jobqueue.benchmark.plain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

import javax.sql.DataSource;

/**
 * Inserts many jobs with one statement of plain SQL, an array for each column.
 */
public final class PlainPortion {

	private final Connection connection;

	private final PreparedStatement insert;

	private final List<PlainJob> jobs;

	private PlainPortion(Connection connection, PreparedStatement insert, List<PlainJob> jobs) {
		this.connection = connection;
		this.insert = insert;
		this.jobs = jobs;
	}

	/**
	 * Insert jobs that are due at once into the table of the queue, in a transaction of
	 * their own, without a wake-up.
	 * @param dataSource connections that commit by themselves
	 * @param jobs the jobs
	 * @throws SQLException if that fails
	 */
	public static void insert(DataSource dataSource, List<PlainJob> jobs) throws SQLException {
		try (Connection connection = dataSource.getConnection();
				PreparedStatement insert = connection.prepareStatement(PlainSql.INSERT_PORTION)) {
			PlainPortion portion = new PlainPortion(connection, insert, jobs);
			portion.column(1, "uuid", PlainJob::id);
			portion.executeFrom(2);
		}
	}

	/**
	 * Insert jobs that are due at once into the lean table, in a transaction of their
	 * own.
	 * @param dataSource connections that commit by themselves
	 * @param jobs the jobs
	 * @throws SQLException if that fails
	 */
	public static void insertLean(DataSource dataSource, List<PlainJob> jobs) throws SQLException {
		try (Connection connection = dataSource.getConnection();
				PreparedStatement insert = connection.prepareStatement(PlainSql.INSERT_LEAN_PORTION)) {
			new PlainPortion(connection, insert, jobs).executeFrom(1);
		}
	}

	private void executeFrom(int index) throws SQLException {
		column(index, "text", PlainJob::queue);
		column(index + 1, "text", PlainJob::type);
		column(index + 2, "text", PlainJob::payload);
		column(index + 3, "smallint", PlainJob::priority);
		this.insert.executeUpdate();
	}

	private void column(int index, String type, Function<PlainJob, Object> value) throws SQLException {
		Object[] values = this.jobs.stream().map(value).toArray();
		this.insert.setArray(index, this.connection.createArrayOf(type, values));
	}

}
