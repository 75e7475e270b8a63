package io.jobqueue.benchmark.chaos;

import java.util.Random;

import org.springframework.util.Assert;

/**
 * The connections on which workers listen are ended by the server, and no others. Those
 * that a worker has checked meanwhile, after 20 s, are not recognised and remain.
 */
record CutListeners(DurableServer server) implements Fault {

	private static final String SQL = """
			SELECT pg_terminate_backend(pid)
			FROM pg_stat_activity
			WHERE backend_type = 'client backend' AND query ~ '^\\s*LISTEN '
			""";

	@Override
	public void strike(Random random) {
		Assert.state(!this.server.sql().sql(SQL).query().listOfRows().isEmpty(), "No worker listens");
	}

}
