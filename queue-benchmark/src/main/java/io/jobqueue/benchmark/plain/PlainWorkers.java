package io.jobqueue.benchmark.plain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.timing.Arrivals;
import io.jobqueue.benchmark.timing.Threads;
import io.jobqueue.benchmark.timing.WallClock;

/**
 * What plain SQL does with priorities: as many threads as the queue has handlers, each
 * claiming the best job, doing it and deleting it.
 */
public final class PlainWorkers implements AutoCloseable {

	public static final int THREADS = 16;

	private final BenchmarkDatabase database;

	private final Connection producer;

	private final Connections consumers;

	private final Threads threads = new Threads(THREADS);

	private final Arrivals arrivals = new Arrivals();

	private volatile boolean closed;

	/**
	 * Empty the table, and open a connection for each thread and one to commit on. The
	 * threads wait until they are started.
	 * @param database the database
	 * @throws SQLException if a connection cannot be opened
	 */
	public PlainWorkers(BenchmarkDatabase database) throws SQLException {
		this.database = database;
		database.execute(PlainSql.CREATE_RANKED);
		this.producer = database.dataSource().getConnection();
		this.consumers = new Connections(database.dataSource(), THREADS);
	}

	/**
	 * Add a backlog of jobs that take 10 ms each, of a worse priority than those that are
	 * committed later.
	 * @param jobs how many
	 */
	public void fill(int jobs) {
		this.database.sql().sql(PlainSql.FILL_RANKED).param(jobs).update();
	}

	/**
	 * Start the threads. Until closed they claim without a pause, also when there is
	 * nothing to do.
	 */
	public void start() {
		this.threads.start((thread) -> work(this.consumers.get(thread)));
	}

	/**
	 * Insert a job of the best priority that takes no time.
	 * @return the time right after its commit, in microseconds of {@link WallClock}
	 * @throws SQLException if that fails
	 */
	public long commit() throws SQLException {
		try (PreparedStatement insert = this.producer.prepareStatement(PlainSql.INSERT_RANKED)) {
			insert.executeUpdate();
		}
		return WallClock.micros();
	}

	/**
	 * Wait until a thread has claimed the next job of {@link #commit}, for a minute at
	 * most. What made a thread fail is thrown only when this is closed.
	 * @return the time when it had, in microseconds of {@link WallClock}
	 * @throws IllegalStateException if none was claimed in time
	 * @throws InterruptedException if the wait is interrupted
	 */
	public long arrival() throws InterruptedException {
		return this.arrivals.await();
	}

	private void work(Connection connection) throws SQLException, InterruptedException {
		try (PreparedStatement claim = connection.prepareStatement(PlainSql.CLAIM_RANKED);
				PreparedStatement delete = connection.prepareStatement(PlainSql.DELETE_RANKED)) {
			while (!this.closed) {
				handle(claim, delete);
			}
		}
	}

	private void handle(PreparedStatement claim, PreparedStatement delete) throws SQLException, InterruptedException {
		try (ResultSet rows = claim.executeQuery()) {
			while (rows.next()) {
				handle(rows.getLong("nap_millis"));
				delete.setLong(1, rows.getLong("id"));
				delete.executeUpdate();
			}
		}
	}

	private void handle(long napMillis) throws InterruptedException {
		if (napMillis > 0) {
			Thread.sleep(napMillis);
		}
		else {
			this.arrivals.now();
		}
	}

	@Override
	public void close() throws SQLException {
		this.closed = true;
		this.threads.close();
		this.consumers.close();
		this.producer.close();
	}

}
