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
			new PlainPortion(connection, insert, jobs).execute();
		}
	}

	private void execute() throws SQLException {
		column(1, "uuid", PlainJob::id);
		column(2, "text", PlainJob::queue);
		column(3, "text", PlainJob::type);
		column(4, "text", PlainJob::payload);
		column(5, "smallint", PlainJob::priority);
		this.insert.executeUpdate();
	}

	private void column(int index, String type, Function<PlainJob, Object> value) throws SQLException {
		Object[] values = this.jobs.stream().map(value).toArray();
		this.insert.setArray(index, this.connection.createArrayOf(type, values));
	}

}
