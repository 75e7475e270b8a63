package io.jobqueue.benchmark.plain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Arrivals;
import io.jobqueue.benchmark.timing.Threads;
import io.jobqueue.benchmark.timing.WallClock;
import org.postgresql.PGConnection;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A thread that listens and claims as an application with Spring and without a queue
 * does. The transaction of the job notifies.
 */
public final class SpringListener implements AutoCloseable {

	private static final int TIMEOUT_MILLIS = 100;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	private final Connection subscription;

	private final Arrivals arrivals = new Arrivals();

	private final Threads thread = new Threads(1);

	private volatile boolean closed;

	/**
	 * Listen, and start the thread.
	 * @param application an application without the queue
	 */
	public SpringListener(MeasuredQueue application) throws SQLException {
		this.transaction = application.transaction();
		this.jdbc = new JdbcTemplate(application.dataSource());
		this.subscription = application.dataSource().getConnection();
		this.subscription.createStatement().execute(PlainSql.LISTEN);
		this.thread.start((number) -> listen());
	}

	/**
	 * Insert a job and notify, in one transaction.
	 * @return the time right after its commit, in microseconds of {@link WallClock}
	 */
	public long commit() {
		this.transaction.executeWithoutResult((status) -> this.jdbc.update(PlainSql.INSERT_AND_NOTIFY));
		return WallClock.micros();
	}

	/**
	 * Wait until the thread has claimed the next job, for a minute at most.
	 * @return the time when it had, in microseconds of {@link WallClock}
	 * @throws InterruptedException if the wait is interrupted
	 */
	public long arrival() throws InterruptedException {
		return this.arrivals.await();
	}

	private void listen() throws SQLException {
		while (!this.closed) {
			this.subscription.unwrap(PGConnection.class).getNotifications(TIMEOUT_MILLIS);
			List<Long> ids = this.jdbc.query(PlainSql.CLAIM, (row, number) -> row.getLong("id"), 1);
			ids.forEach(this::finish);
		}
	}

	private void finish(Long id) {
		this.arrivals.now();
		this.jdbc.update(PlainSql.DELETE, (Object) new Long[] { id });
	}

	@Override
	public void close() throws SQLException {
		this.closed = true;
		this.thread.close();
		this.subscription.close();
	}

}
