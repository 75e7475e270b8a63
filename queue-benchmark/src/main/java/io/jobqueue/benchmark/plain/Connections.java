package io.jobqueue.benchmark.plain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

/**
 * Connections that are opened before the clock starts.
 */
final class Connections implements AutoCloseable {

	private final List<Connection> open = new ArrayList<>();

	Connections(DataSource dataSource, int count) throws SQLException {
		for (int connection = 0; connection < count; connection++) {
			this.open.add(dataSource.getConnection());
		}
	}

	Connection get(int number) {
		return this.open.get(number);
	}

	@Override
	public void close() throws SQLException {
		for (Connection connection : this.open) {
			connection.close();
		}
	}

}
