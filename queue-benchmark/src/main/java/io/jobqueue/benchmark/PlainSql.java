package io.jobqueue.benchmark;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The floor: what a queue without any feature does on plain JDBC, with one index, four
 * connections, claims of 50 and deletes of 50.
 */
final class PlainSql {

	private static final int CONNECTIONS = 4;

	private static final int BATCH = 50;

	private static final String CREATE = """
			CREATE TABLE IF NOT EXISTS plain_job (
			    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
			    run_at timestamptz NOT NULL DEFAULT now(),
			    locked_until timestamptz,
			    payload text NOT NULL
			) WITH (fillfactor = 45);
			CREATE INDEX IF NOT EXISTS plain_job_run_at ON plain_job (run_at, id);
			TRUNCATE plain_job
			""";

	private static final String FILL = """
			INSERT INTO plain_job (payload) SELECT '{"number":' || n || '}' FROM generate_series(1, ?) n
			""";

	private static final String CLAIM = """
			UPDATE plain_job SET locked_until = now() + interval '1 minute'
			WHERE id IN (
			    SELECT id FROM plain_job
			    WHERE run_at <= now() AND (locked_until IS NULL OR locked_until < now())
			    ORDER BY run_at, id
			    LIMIT ?
			    FOR UPDATE SKIP LOCKED)
			RETURNING id, payload
			""";

	private static final String DELETE = """
			DELETE FROM plain_job WHERE id = ANY (?)
			""";

	private final BenchmarkDatabase database;

	PlainSql(BenchmarkDatabase database) {
		this.database = database;
	}

	/**
	 * Fill the table and drain it.
	 * @return jobs per second
	 */
	double drain(int jobs) throws InterruptedException, ExecutionException {
		this.database.sql().sql(CREATE).update();
		this.database.sql().sql(FILL).param(jobs).update();
		this.database.settle();
		ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
		try {
			long start = System.nanoTime();
			List<Callable<Integer>> drains = Collections.nCopies(CONNECTIONS, this::drainOnOneConnection);
			int drained = 0;
			for (Future<Integer> drain : threads.invokeAll(drains)) {
				drained += drain.get();
			}
			return Rate.of(drained, start);
		}
		finally {
			threads.shutdown();
		}
	}

	private int drainOnOneConnection() throws SQLException {
		try (Connection connection = this.database.dataSource().getConnection();
				PreparedStatement claim = connection.prepareStatement(CLAIM);
				PreparedStatement delete = connection.prepareStatement(DELETE)) {
			int drained = 0;
			for (Long[] ids = claim(claim); ids.length > 0; ids = claim(claim)) {
				delete.setArray(1, connection.createArrayOf("bigint", ids));
				drained += delete.executeUpdate();
			}
			return drained;
		}
	}

	private static Long[] claim(PreparedStatement claim) throws SQLException {
		claim.setInt(1, BATCH);
		List<Long> ids = new ArrayList<>();
		try (ResultSet rows = claim.executeQuery()) {
			while (rows.next()) {
				ids.add(rows.getLong(1));
			}
		}
		return ids.toArray(Long[]::new);
	}

}
