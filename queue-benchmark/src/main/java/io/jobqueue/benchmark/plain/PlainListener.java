package io.jobqueue.benchmark.plain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.timing.Arrivals;
import io.jobqueue.benchmark.timing.Threads;
import io.jobqueue.benchmark.timing.WallClock;
import org.postgresql.PGConnection;

/**
 * The quickest that plain SQL takes up a job: a thread that listens, claims one and
 * reports it. The job's own transaction notifies, as is common, in spite of the lock
 * which that takes.
 */
public final class PlainListener implements AutoCloseable {

	private static final int PATIENCE_MILLIS = 100;

	private final Connection producer;

	private final Connection consumer;

	private final Arrivals arrivals = new Arrivals();

	private final Threads thread = new Threads(1);

	private volatile boolean closed;

	/**
	 * Empty the tables, and start the thread. It need not listen yet when this returns: a
	 * job that is committed before is found, but up to 100 ms late.
	 * @param database the database
	 * @throws SQLException if a connection cannot be opened
	 */
	public PlainListener(BenchmarkDatabase database) throws SQLException {
		database.execute(PlainSql.CREATE);
		this.producer = database.dataSource().getConnection();
		this.producer.setAutoCommit(false);
		this.consumer = database.dataSource().getConnection();
		this.thread.start((number) -> listen());
	}

	/**
	 * Insert a job and notify, in one transaction.
	 * @return the time right after its commit, in microseconds of {@link WallClock}
	 * @throws SQLException if that fails
	 */
	public long commit() throws SQLException {
		try (Statement statement = this.producer.createStatement()) {
			statement.execute(PlainSql.INSERT_AND_NOTIFY);
		}
		this.producer.commit();
		return WallClock.micros();
	}

	/**
	 * Wait until the thread has claimed the next job, for a minute at most. What made the
	 * thread fail is thrown only when this is closed.
	 * @return the time when it had, in microseconds of {@link WallClock}
	 * @throws IllegalStateException if it claimed none in time
	 * @throws InterruptedException if the wait is interrupted
	 */
	public long arrival() throws InterruptedException {
		return this.arrivals.await();
	}

	private void listen() throws SQLException {
		try (Statement statement = this.consumer.createStatement();
				PreparedStatement claim = this.consumer.prepareStatement(PlainSql.CLAIM);
				PreparedStatement delete = this.consumer.prepareStatement(PlainSql.DELETE)) {
			statement.execute(PlainSql.LISTEN);
			claim.setInt(1, 1);
			while (!this.closed) {
				this.consumer.unwrap(PGConnection.class).getNotifications(PATIENCE_MILLIS);
				finish(claim, delete);
			}
		}
	}

	private void finish(PreparedStatement claim, PreparedStatement delete) throws SQLException {
		try (ResultSet rows = claim.executeQuery()) {
			while (rows.next()) {
				this.arrivals.now();
				delete.setArray(1, this.consumer.createArrayOf("bigint", new Object[] { rows.getLong(1) }));
				delete.executeUpdate();
			}
		}
	}

	@Override
	public void close() throws SQLException {
		this.closed = true;
		this.thread.close();
		this.producer.close();
		this.consumer.close();
	}

}
