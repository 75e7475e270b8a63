package io.jobqueue.benchmark.plain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.timing.Progress;
import io.jobqueue.benchmark.timing.Threads;

/**
 * The floor of draining: what a queue without any feature does on plain JDBC, with one
 * index and a few connections, each claiming and finishing so many at a time.
 *
 * @param database the database
 * @param connections how many connections there are
 * @param batch how many are claimed and finished at a time
 * @param finish the statement that finishes jobs
 */
public record PlainDrain(BenchmarkDatabase database, int connections, int batch, String finish) {

	/**
	 * How many connections a process has.
	 */
	public static final int CONNECTIONS = 4;

	/**
	 * How many jobs are claimed and finished at a time.
	 */
	public static final int BATCH = 50;

	private static final Long[] NONE = {};

	/**
	 * Drain as so many processes do, and delete what is done.
	 * @param database the database
	 * @param processes how many processes' connections there are
	 * @return what drains
	 */
	public static PlainDrain of(BenchmarkDatabase database, int processes) {
		return new PlainDrain(database, processes * CONNECTIONS, BATCH, PlainSql.DELETE);
	}

	/**
	 * Fill the empty table and drain it.
	 * @param jobs how many
	 * @return jobs per second
	 */
	public double drain(int jobs) throws Exception {
		create();
		fill(jobs);
		this.database.settle();
		return drain(new Progress(jobs));
	}

	/**
	 * Create the tables if they are missing, and empty them.
	 */
	public void create() {
		this.database.execute(PlainSql.CREATE);
	}

	void fill(int jobs) {
		this.database.sql().sql(PlainSql.FILL).param(jobs).update();
	}

	/**
	 * Add as many due jobs as are missing.
	 * @param jobs how many there shall be
	 */
	public void fillUpTo(int jobs) {
		int missing = jobs - this.database.sql().sql(PlainSql.COUNT).query(Integer.class).single();
		if (missing > 0) {
			fill(missing);
		}
	}

	/**
	 * Add jobs that are due tomorrow.
	 */
	public void fillTomorrow(int jobs) {
		this.database.sql().sql(PlainSql.FILL_TOMORROW).param(jobs).update();
	}

	/**
	 * Drain the table until that much is done or nothing is left.
	 * @param progress what is expected
	 * @return jobs per second
	 */
	public double drain(Progress progress) throws Exception {
		try (Connections open = new Connections(this.database.dataSource(), this.connections);
				Threads threads = new Threads(this.connections)) {
			return threads.rate(progress.expected(), (thread) -> drain(open.get(thread), progress));
		}
	}

	private void drain(Connection connection, Progress progress) throws SQLException {
		try (PreparedStatement claim = connection.prepareStatement(PlainSql.CLAIM);
				PreparedStatement finish = connection.prepareStatement(this.finish)) {
			Long[] ids = claim(claim, this.batch);
			while (ids.length > 0) {
				finish.setArray(1, connection.createArrayOf("bigint", ids));
				progress.add(finish.executeUpdate());
				ids = progress.isComplete() ? NONE : claim(claim, this.batch);
			}
		}
	}

	static Long[] claim(PreparedStatement claim, int batch) throws SQLException {
		claim.setInt(1, batch);
		List<Long> ids = new ArrayList<>();
		try (ResultSet rows = claim.executeQuery()) {
			while (rows.next()) {
				ids.add(rows.getLong(1));
			}
		}
		return ids.toArray(Long[]::new);
	}

}
