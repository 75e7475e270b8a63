package io.jobqueue.benchmark.plain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.timing.Threads;

/**
 * The floor of draining: what a queue without any feature does on plain JDBC, with one
 * index and four connections, each claiming and finishing so many at a time.
 *
 * @param database the database
 * @param batch how many are claimed and finished at a time
 * @param finish the statement that finishes jobs
 */
public record PlainDrain(BenchmarkDatabase database, int batch, String finish) {

	private static final int CONNECTIONS = 4;

	/**
	 * Fill the empty table and drain it.
	 * @param jobs how many
	 * @return jobs per second
	 */
	public double drain(int jobs) throws Exception {
		this.database.execute(PlainSql.CREATE);
		this.database.sql().sql(PlainSql.FILL).param(jobs).update();
		this.database.settle();
		try (Connections connections = new Connections(this.database.dataSource(), CONNECTIONS);
				Threads threads = new Threads(CONNECTIONS)) {
			return threads.rate(jobs, (thread) -> drain(connections.get(thread)));
		}
	}

	private void drain(Connection connection) throws SQLException {
		try (PreparedStatement claim = connection.prepareStatement(PlainSql.CLAIM);
				PreparedStatement finish = connection.prepareStatement(this.finish)) {
			for (Long[] ids = claim(claim); ids.length > 0; ids = claim(claim)) {
				finish.setArray(1, connection.createArrayOf("bigint", ids));
				finish.executeUpdate();
			}
		}
	}

	private Long[] claim(PreparedStatement claim) throws SQLException {
		claim.setInt(1, this.batch);
		List<Long> ids = new ArrayList<>();
		try (ResultSet rows = claim.executeQuery()) {
			while (rows.next()) {
				ids.add(rows.getLong(1));
			}
		}
		return ids.toArray(Long[]::new);
	}

}
