package io.jobqueue.benchmark.subject;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.jobqueue.benchmark.timing.Threads;

/**
 * Four who read whole tables in REPEATABLE READ, each once a second, as reports and
 * dashboards do. They take turns in a second.
 */
public final class TableReaders implements AutoCloseable {

	private static final int READERS = 4;

	private static final long PERIOD_MILLIS = 1_000;

	private final BenchmarkDatabase database;

	private final List<String> scans;

	private final Threads threads = new Threads(READERS);

	private final CountDownLatch closed = new CountDownLatch(1);

	private final AtomicInteger rounds = new AtomicInteger();

	private TableReaders(BenchmarkDatabase database, List<String> scans) {
		this.database = database;
		this.scans = scans;
	}

	/**
	 * Start to read.
	 * @param database the database
	 * @param scans what each reads in one transaction
	 * @return the readers
	 */
	public static TableReaders start(BenchmarkDatabase database, List<String> scans) {
		TableReaders readers = new TableReaders(database, scans);
		readers.threads.start(readers::read);
		return readers;
	}

	/**
	 * Return how often a reader has read all of it.
	 */
	public int rounds() {
		return this.rounds.get();
	}

	private void read(int reader) throws Exception {
		try (Connection connection = this.database.dataSource().getConnection()) {
			connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			connection.setAutoCommit(false);
			long begin = System.nanoTime() + millis(reader * PERIOD_MILLIS / READERS);
			for (long next = begin; !closedBefore(next); next += millis(PERIOD_MILLIS)) {
				scan(connection);
			}
		}
	}

	private static long millis(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	private boolean closedBefore(long nanos) throws InterruptedException {
		return this.closed.await(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
	}

	private void scan(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			for (String scan : this.scans) {
				statement.execute(scan);
			}
		}
		connection.commit();
		this.rounds.incrementAndGet();
	}

	@Override
	public void close() {
		this.closed.countDown();
		this.threads.close();
	}

}
