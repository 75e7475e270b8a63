package io.jobqueue.testpostgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

import org.postgresql.Driver;

/**
 * A PgBouncer in transaction mode: each transaction of a client may run in another
 * session of the server. It ends with this JVM.
 */
final class PgBouncer {

	/**
	 * The sessions are assigned in round-robin order, so that a client does not get its
	 * last session again by chance.
	 */
	private static final String CONFIGURATION = """
			[databases]
			* = host=%s port=%s

			[pgbouncer]
			listen_addr = %s
			listen_port = %s
			unix_socket_dir =
			auth_type = trust
			auth_file = %s
			pool_mode = transaction
			server_round_robin = 1
			default_pool_size = 50
			max_client_conn = 1000
			server_login_retry = 1
			ignore_startup_parameters = extra_float_digits
			log_connections = 0
			log_disconnections = 0
			log_stats = 0
			""";

	/**
	 * The driver must not prepare statements, because they would be missing in another
	 * session.
	 */
	private static final String URL = "jdbc:postgresql://%s:%s/postgres?prepareThreshold=0";

	private static final String STARTED = "process up";

	private PgBouncer() {
	}

	/**
	 * Start a PgBouncer.
	 * @param server the server behind it
	 * @param executable the path of the executable
	 * @return the server with the address of the pooler
	 */
	static PostgresServer inFrontOf(PostgresServer server, String executable) {
		try {
			int port = FreePort.find();
			start(executable, configuration(server, port));
			return new PostgresServer(URL.formatted(PostgresServer.LOOPBACK, port), server.username(),
					server.password());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path configuration(PostgresServer server, int port) throws IOException {
		Properties behind = Objects.requireNonNull(Driver.parseURL(server.jdbcUrl(), null));
		Path users = write("\"%s\" \"%s\"%n".formatted(server.username(), server.password()));
		return write(CONFIGURATION.formatted(behind.getProperty("PGHOST"), behind.getProperty("PGPORT"),
				PostgresServer.LOOPBACK, port, users));
	}

	private static Path write(String text) throws IOException {
		Path file = Files.createTempFile("pgbouncer", ".conf");
		file.toFile().deleteOnExit();
		return Files.writeString(file, text);
	}

	private static void start(String executable, Path configuration) throws IOException {
		List<String> command = new ArrayList<>(List.of(executable, configuration.toString()));
		if (System.getProperty("user.name").equals("root")) {
			command.addAll(List.of("--user", "nobody"));
		}
		Process pooler = new ProcessBuilder(command).redirectErrorStream(true).start();
		Runtime.getRuntime().addShutdownHook(new Thread(pooler.toHandle()::destroy));
		BufferedReader log = pooler.inputReader();
		awaitStart(log);
		drain(log);
	}

	private static void awaitStart(BufferedReader log) throws IOException {
		StringBuilder read = new StringBuilder();
		for (String line = log.readLine(); line != null; line = log.readLine()) {
			if (line.contains(STARTED)) {
				return;
			}
			read.append(line).append(System.lineSeparator());
		}
		throw new IllegalStateException("PgBouncer did not start:%n%s".formatted(read));
	}

	/**
	 * Read the output, because a process blocks once the buffer of its output is full.
	 */
	private static void drain(BufferedReader log) {
		Thread reader = new Thread(() -> log.lines().forEach((line) -> {
		}), "log of PgBouncer");
		reader.setDaemon(true);
		reader.start();
	}

}
