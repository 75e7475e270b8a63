package io.jobqueue.testpostgres;

import java.util.Map;
import java.util.UUID;

/**
 * The PostgreSQL server that all tests of this JVM share, started when first asked for.
 * <p>
 * It is the server that the environment variable {@value #URL} points to (a JDBC URL with
 * the name and password of a superuser in it), else a container of the image that
 * {@value #IMAGE} names, else an embedded server. Connections lead to it through the
 * PgBouncer whose executable {@value #PGBOUNCER} names, if it does.
 */
public final class TestPostgres {

	static final String URL = "QUEUE_TEST_POSTGRES_URL";

	static final String IMAGE = "QUEUE_TEST_POSTGRES_IMAGE";

	static final String PGBOUNCER = "QUEUE_TEST_PGBOUNCER";

	private TestPostgres() {
	}

	/**
	 * Create an empty database under a name that nobody else uses.
	 * @return the database, to be closed when no longer needed
	 */
	public static TestDatabase freshDatabase() {
		PostgresServer server = Shared.SERVER;
		String name = "queue_test_" + UUID.randomUUID().toString().replace("-", "");
		server.execute("CREATE DATABASE " + name);
		return new TestDatabase(server, Shared.ENTRANCE, name);
	}

	private static final class Shared {

		private static final PostgresServer SERVER = PostgresServer.start(System.getenv());

		private static final PostgresServer ENTRANCE = entrance(System.getenv());

		private static PostgresServer entrance(Map<String, String> environment) {
			String pooler = environment.getOrDefault(PGBOUNCER, "");
			return pooler.isBlank() ? SERVER : PgBouncer.inFrontOf(SERVER, pooler);
		}

	}

}
