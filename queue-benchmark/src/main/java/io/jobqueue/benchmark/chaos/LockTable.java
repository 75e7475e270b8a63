package io.jobqueue.benchmark.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A table is locked against writes, or altogether, as a migration or a REINDEX does.
 */
record LockTable(DurableServer server) implements Fault {

	private static final List<String> TABLES = List.of("jobqueue_job", "jobqueue_archive", "jobqueue_claim",
			"jobqueue_worker", "jobqueue_recurring", "jobqueue_batch", "jobqueue_batch_tally");

	private static final List<String> MODES = List.of("SHARE", "ACCESS EXCLUSIVE");

	private static final Duration TIME = Duration.ofSeconds(5);

	@Override
	public void strike(Random random) throws SQLException, InterruptedException {
		String sql = "LOCK TABLE %s IN %s MODE".formatted(any(TABLES, random), any(MODES, random));
		try (Connection connection = this.server.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute(sql);
			Thread.sleep(TIME.toMillis());
			connection.rollback();
		}
	}

	private static String any(List<String> texts, Random random) {
		return texts.get(random.nextInt(texts.size()));
	}

}
