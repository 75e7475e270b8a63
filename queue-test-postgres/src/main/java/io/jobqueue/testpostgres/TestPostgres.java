package io.jobqueue.testpostgres;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The PostgreSQL server that the tests of this JVM share. It is started at its first use.
 * <p>
 * The environment variable {@value PostgresServer#URL} configures an existing server, as
 * a JDBC URL with the name and password of a superuser. Without it,
 * {@value PostgresServer#IMAGE} configures the image of a container; without either, the
 * server is embedded. If {@value #PGBOUNCER} configures the executable of PgBouncer,
 * connections go through it.
 */
public final class TestPostgres {

	static final String PGBOUNCER = "QUEUE_TEST_PGBOUNCER";

	/**
	 * Settings of a server that starts no checkpoint by itself while tests run.
	 */
	private static final Map<String, String> WITHOUT_CHECKPOINTS = Map.of("checkpoint_timeout", "1d", "max_wal_size",
			"1TB");

	private static final Map<String, TestDatabase> TEMPLATES = new ConcurrentHashMap<>();

	private static final Map<String, TestDatabase> SHARED_COPIES = new ConcurrentHashMap<>();

	private TestPostgres() {
	}

	/**
	 * Create an empty database with a unique name.
	 * @return the database, to be closed when no longer needed
	 */
	public static TestDatabase freshDatabase() {
		return create(Shared.SERVER, Shared.ENTRANCE, "");
	}

	/**
	 * Create an empty database with a unique name and an encoding.
	 * @param encoding the name of the encoding in PostgreSQL
	 * @return the database, to be closed when no longer needed
	 */
	public static TestDatabase freshDatabase(String encoding) {
		return create(Shared.SERVER, Shared.ENTRANCE,
				" ENCODING '%s' LOCALE 'C' TEMPLATE template0".formatted(encoding));
	}

	/**
	 * Create a copy of a database that is prepared once in this JVM. All connections to
	 * the original must be closed at the end of its preparation: PostgreSQL copies only
	 * databases without sessions.
	 * @param template the name of the original; the same name must mean the same
	 * preparation
	 * @param preparation fills the original, with connections that do not use the pooler
	 * @return the copy, to be closed when no longer needed
	 */
	public static TestDatabase copyOf(String template, Consumer<TestDatabase> preparation) {
		String original = TEMPLATES.computeIfAbsent(template, (name) -> prepared(preparation)).name();
		return create(Shared.SERVER, Shared.ENTRANCE, " TEMPLATE " + original);
	}

	/**
	 * Return the copy of a database that the tests of this JVM use one after the other:
	 * to create and drop one takes 0.3 s of the processor. Each test leaves it as it
	 * found it, and does not close it.
	 * @param template the name of the original, which says how it is prepared
	 * @param preparation fills the original, which leads past a pooler
	 * @return the same copy each time
	 */
	public static TestDatabase sharedCopyOf(String template, Consumer<TestDatabase> preparation) {
		return SHARED_COPIES.computeIfAbsent(template, (name) -> closedAtExit(copyOf(name, preparation)));
	}

	private static TestDatabase prepared(Consumer<TestDatabase> preparation) {
		TestDatabase original = closedAtExit(create(Shared.SERVER, Shared.SERVER, ""));
		preparation.accept(original);
		return original;
	}

	/**
	 * The databases of a server of this JVM end with the server.
	 */
	private static TestDatabase closedAtExit(TestDatabase database) {
		if (!System.getenv().getOrDefault(PostgresServer.URL, "").isBlank()) {
			Runtime.getRuntime().addShutdownHook(new Thread(database::close));
		}
		return database;
	}

	/**
	 * Create an empty database on a second server, for a test that measures the server as
	 * a whole. On the shared server, other tests drop databases, which causes a
	 * checkpoint, and create databases, which writes to the write-ahead log. The second
	 * server starts no checkpoint by itself; its databases must be used one after the
	 * other.
	 * <p>
	 * If {@value PostgresServer#URL} is set, the database is on that server, with all
	 * other activity there.
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
