package io.jobqueue.benchmark.chaos;

import java.util.Random;

/**
 * About half of the connections are ended by the server.
 */
record TerminateBackends(DurableServer server) implements Fault {

	private static final String SQL = """
			SELECT pg_terminate_backend(pid)
			FROM pg_stat_activity
			WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND pid % 2 = ?
			""";

	@Override
	public void strike(Random random) {
		this.server.sql().sql(SQL).param(random.nextInt(2)).query().listOfRows();
	}

}
