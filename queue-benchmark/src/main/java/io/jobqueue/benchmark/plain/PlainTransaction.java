package io.jobqueue.benchmark.plain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * Writes a business row and its jobs as an application without a queue does: on plain
 * JDBC, the jobs in one insert with a row of parameters each.
 */
public final class PlainTransaction {

	private final DataSource dataSource;

	private final int jobs;

	private final String insert;

	private final boolean withIds;

	private PlainTransaction(DataSource dataSource, int jobs, String insert, boolean withIds) {
		this.dataSource = dataSource;
		this.jobs = jobs;
		this.insert = insert;
		this.withIds = withIds;
	}

	/**
	 * Prepare transactions with jobs in the queue's table. That and the table of the
	 * business must exist.
	 * @param dataSource connections, of which each transaction takes one
	 * @param jobs how many jobs a transaction has, at least one
	 * @return the transactions
	 */
	public static PlainTransaction of(DataSource dataSource, int jobs) {
		return new PlainTransaction(dataSource, jobs, PlainSql.insertJobs(jobs), true);
	}

	/**
	 * Prepare transactions with jobs in the lean table, whose ids the server numbers.
	 * That and the table of the business must exist.
	 * @param dataSource connections, of which each transaction takes one
	 * @param jobs how many jobs a transaction has, at least one
	 * @return the transactions
	 */
	public static PlainTransaction lean(DataSource dataSource, int jobs) {
		return new PlainTransaction(dataSource, jobs, PlainSql.insertLeanJobs(jobs), false);
	}

	/**
	 * Write a business row and its jobs, and commit, without a wake-up.
	 * @param number the number of the transaction, from 0
	 * @throws SQLException if that fails
	 */
	public void commit(int number) throws SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			connection.setAutoCommit(false);
			insertBusiness(connection, number);
			insertJobs(connection, number);
			connection.commit();
		}
	}

	private static void insertBusiness(Connection connection, int number) throws SQLException {
		try (PreparedStatement insert = connection.prepareStatement(PlainSql.INSERT_BUSINESS)) {
			insert.setString(1, PlainSql.customer(number));
			insert.executeUpdate();
		}
	}

	private void insertJobs(Connection connection, int number) throws SQLException {
		try (PreparedStatement insert = connection.prepareStatement(this.insert)) {
			setJobs(insert, number);
			insert.executeUpdate();
		}
	}

	/**
	 * Return the statement that inserts the jobs of a transaction.
	 * @return its text
	 */
	public String insert() {
		return this.insert;
	}

	/**
	 * Set the parameters of that statement.
	 * @param insert the statement
	 * @param number the number of the transaction, from 0
	 */
	public void setJobs(PreparedStatement insert, int number) throws SQLException {
		for (int job = 0, index = 0; job < this.jobs; job++) {
			PlainJob row = PlainJob.of(number * this.jobs + job);
			if (this.withIds) {
				insert.setObject(++index, row.id());
			}
			insert.setString(++index, row.queue());
			insert.setString(++index, row.type());
			insert.setString(++index, row.payload());
			insert.setInt(++index, row.priority());
		}
	}

}
