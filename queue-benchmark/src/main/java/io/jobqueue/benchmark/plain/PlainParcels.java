package io.jobqueue.benchmark.plain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.Parcel;
import io.jobqueue.benchmark.subject.ParcelSystem;
import io.jobqueue.benchmark.timing.Progress;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Parcels without a queue: the table and the statements of {@link PlainDrain}, with as
 * many jobs at a time as the queue has in a drain.
 *
 * @param table drains the table
 * @param pool the connections of those who insert
 */
public record PlainParcels(PlainDrain table, HikariDataSource pool) implements ParcelSystem {

	private static final int CALL = 1_000;

	private static final int BATCH = 500;

	/**
	 * Open a pool.
	 * @param database the database
	 * @param finish the statement that finishes jobs
	 * @return the system
	 */
	public static PlainParcels of(BenchmarkDatabase database, String finish) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(database.url());
		return new PlainParcels(new PlainDrain(database, PlainDrain.CONNECTIONS, BATCH, finish), pool);
	}

	@Override
	public void clear() {
		this.table.create();
	}

	@Override
	public void fill(int jobs) {
		JdbcTemplate jdbc = new JdbcTemplate(this.pool);
		for (int from = 0; from < jobs; from += CALL) {
			String[] payloads = payloads(from, Math.min(jobs, from + CALL));
			jdbc.update(PlainSql.INSERT_PARCELS,
					(statement) -> statement.setArray(1, statement.getConnection().createArrayOf("text", payloads)));
		}
	}

	private static String[] payloads(int from, int to) {
		return IntStream.range(from, to).mapToObj((number) -> Parcel.of(number).json()).toArray(String[]::new);
	}

	@Override
	public void drain(int jobs) throws Exception {
		this.table.drain(new Progress(jobs));
	}

	@Override
	public void commit(int number) throws SQLException {
		try (Connection connection = this.pool.getConnection();
				PreparedStatement business = connection.prepareStatement(PlainSql.INSERT_BUSINESS);
				PreparedStatement job = connection.prepareStatement(PlainSql.INSERT_PARCEL)) {
			connection.setAutoCommit(false);
			business.setString(1, PlainSql.customer(number));
			business.executeUpdate();
			job.setString(1, Parcel.of(number).json());
			job.executeUpdate();
			connection.commit();
		}
	}

	@Override
	public void vacuum() {
		this.table.database().execute("VACUUM plain_job");
	}

	@Override
	public void close() {
		this.pool.close();
	}

}
