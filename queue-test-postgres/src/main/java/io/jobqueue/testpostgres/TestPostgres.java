package io.jobqueue.testpostgres;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The PostgreSQL server that the tests of this JVM share, started when first asked for.
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

	/**
	 * The longest and the largest that a server takes: neither time nor size makes a
	 * checkpoint while tests run.
	 */
	private static final Map<String, String> WITHOUT_CHECKPOINTS = Map.of("checkpoint_timeout", "1d", "max_wal_size",
			"1TB");

	private static final Map<String, TestDatabase> TEMPLATES = new ConcurrentHashMap<>();

	private TestPostgres() {
	}

	/**
	 * Create an empty database under a name that is not in use.
	 * @return the database, to be closed when no longer needed
	 */
	public static TestDatabase freshDatabase() {
		return create(Shared.SERVER, Shared.ENTRANCE, "");
	}

	/**
	 * Create a copy of a database that is prepared once in this JVM. All connections to
	 * the original must be closed at the end of its preparation: PostgreSQL copies only
	 * databases without sessions.
	 * @param template the name of the original, which says how it is prepared
	 * @param preparation fills the original, which leads past a pooler
	 * @return the copy, to be closed when no longer needed
	 */
	public static TestDatabase copyOf(String template, Consumer<TestDatabase> preparation) {
		String original = TEMPLATES.computeIfAbsent(template, (name) -> prepared(preparation)).name();
		return create(Shared.SERVER, Shared.ENTRANCE, " TEMPLATE " + original);
	}

	private static TestDatabase prepared(Consumer<TestDatabase> preparation) {
		TestDatabase original = create(Shared.SERVER, Shared.SERVER, "");
		if (!System.getenv().getOrDefault(URL, "").isBlank()) {
			Runtime.getRuntime().addShutdownHook(new Thread(original::close));
		}
		preparation.accept(original);
		return original;
	}

	/**
	 * Create an empty database on a second server, for a test that measures what the
	 * server as a whole does: to drop a database of another test is a checkpoint, and to
	 * create one fills the log. The second server makes no checkpoint by itself; its
	 * databases must be used one after the other.
	 * <p>
	 * Where {@value #URL} is set, it is a database of that server, with all that happens
	 * there.
	 * @return the database, to be closed when no longer needed
	 */
	public static TestDatabase undisturbedDatabase() {
		return create(Undisturbed.SERVER, Undisturbed.ENTRANCE, "");
	}

	private static TestDatabase create(PostgresServer server, PostgresServer entrance, String options) {
		String name = "queue_test_" + UUID.randomUUID().toString().replace("-", "");
		server.execute("CREATE DATABASE " + name + options);
		return new TestDatabase(server, entrance, name);
	}

	private static PostgresServer entrance(PostgresServer server) {
		String pooler = System.getenv().getOrDefault(PGBOUNCER, "");
		return pooler.isBlank() ? server : PgBouncer.inFrontOf(server, pooler);
	}

	private static final class Shared {

		private static final PostgresServer SERVER = PostgresServer.start(System.getenv(), Map.of());

		private static final PostgresServer ENTRANCE = entrance(SERVER);

	}

	private static final class Undisturbed {

		private static final PostgresServer SERVER = PostgresServer.start(System.getenv(), WITHOUT_CHECKPOINTS);

		private static final PostgresServer ENTRANCE = entrance(SERVER);

	}

}
