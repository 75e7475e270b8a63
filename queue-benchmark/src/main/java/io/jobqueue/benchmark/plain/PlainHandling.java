package io.jobqueue.benchmark.plain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredSystem;
import io.jobqueue.benchmark.timing.Threads;

/**
 * Jobs that write, without a queue: each connection claims 50 at a time, and has a
 * transaction for each of them, which inserts a business row and moves the job to the
 * archive.
 *
 * @param database the database
 * @param connections how many connections there are
 */
public record PlainHandling(BenchmarkDatabase database, int connections) implements MeasuredSystem {

	@Override
	public void fill(int jobs) {
		PlainDrain table = PlainDrain.of(this.database, 1);
		table.create();
		table.fill(jobs);
	}

	@Override
	public double drain(int jobs) throws Exception {
		try (Connections open = new Connections(this.database.dataSource(), this.connections);
				Threads threads = new Threads(this.connections)) {
			return threads.rate(jobs, (thread) -> drain(open.get(thread)));
		}
	}

	private static void drain(Connection connection) throws SQLException {
		try (PreparedStatement claim = connection.prepareStatement(PlainSql.CLAIM);
				PreparedStatement insert = connection.prepareStatement(PlainSql.INSERT_BUSINESS);
				PreparedStatement archive = connection.prepareStatement(PlainSql.ARCHIVE_ONE)) {
			Long[] ids = PlainDrain.claim(claim, PlainDrain.BATCH);
			while (ids.length > 0) {
				connection.setAutoCommit(false);
				for (Long id : ids) {
					handle(id, insert, archive);
					connection.commit();
				}
				connection.setAutoCommit(true);
				ids = PlainDrain.claim(claim, PlainDrain.BATCH);
			}
		}
	}

	private static void handle(long id, PreparedStatement insert, PreparedStatement archive) throws SQLException {
		insert.setString(1, PlainSql.customer(id));
		insert.executeUpdate();
		archive.setLong(1, id);
		archive.executeUpdate();
	}

	@Override
	public void close() {
		// each drain closes its connections
	}

}
