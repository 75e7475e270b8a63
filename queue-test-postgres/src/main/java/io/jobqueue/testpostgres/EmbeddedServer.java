package io.jobqueue.testpostgres;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.function.Supplier;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * Starts embedded servers. Between the choice of a free port and its use, the server of
 * another JVM may bind it; the start then fails unnoticed, and the other server answers.
 * So each server has to report its own folder of data.
 */
public final class EmbeddedServer {

	private static final int ATTEMPTS = 3;

	private EmbeddedServer() {
	}

	/**
	 * Start a server on a free port.
	 * @param data the folder of its data; the server is initialised if it is empty
	 * @param temporary whether the folder is deleted when the server stops
	 * @param settings the values of the settings by name
	 * @return the server
	 * @throws IOException if the server does not start
	 * @throws IllegalStateException if another server took the port, three times
	 */
	public static EmbeddedPostgres start(Path data, boolean temporary, Map<String, String> settings)
			throws IOException {
		return start(data, () -> builder(data, temporary, settings));
	}

	/**
	 * Start a server on a free port.
	 * @param data the folder of its data
	 * @param builders creates the builder of a server on this folder, for each attempt
	 * @return the server
	 * @throws IOException if the server does not start
	 * @throws IllegalStateException if another server took the port, three times
	 */
	public static EmbeddedPostgres start(Path data, Supplier<EmbeddedPostgres.Builder> builders) throws IOException {
		return start(data, () -> builders.get().setPort(FreePort.find()), ATTEMPTS);
	}

	static EmbeddedPostgres start(Path data, Supplier<EmbeddedPostgres.Builder> builders, int attempts)
			throws IOException {
		for (int attempt = 1; attempt < attempts; attempt++) {
			EmbeddedPostgres server = builders.get().start();
			if (isOn(server, data)) {
				return server;
			}
			end(server, data);
		}
		return checked(builders.get().start(), data);
	}

	/**
	 * Start a server again where it was.
	 * @param data the folder of its data
	 * @param settings the values of the settings by name
	 * @param port its port
	 * @return the server
	 * @throws IOException if the server does not start
	 * @throws IllegalStateException if another server has the port
	 */
	public static EmbeddedPostgres restart(Path data, Map<String, String> settings, int port) throws IOException {
		return checked(builder(data, false, settings).setPort(port).start(), data);
	}

	private static EmbeddedPostgres.Builder builder(Path data, boolean temporary, Map<String, String> settings) {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setDataDirectory(data)
			.setCleanDataDirectory(temporary)
			.setServerConfig("listen_addresses", PostgresServer.LOOPBACK);
		settings.forEach(builder::setServerConfig);
		return builder;
	}

	private static EmbeddedPostgres checked(EmbeddedPostgres server, Path data) throws IOException {
		if (isOn(server, data)) {
			return server;
		}
		end(server, data);
		throw new IllegalStateException(
				"Another server has the port %s of the server on %s".formatted(server.getPort(), data));
	}

	private static boolean isOn(EmbeddedPostgres server, Path data) {
		try (Connection connection = DriverManager.getConnection(server.getJdbcUrl("postgres", "postgres"));
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("SHOW data_directory")) {
			return row.next() && Path.of(row.getString(1)).equals(data);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("The server on %s does not answer".formatted(data), ex);
		}
	}

	/**
	 * The process without a port ends by itself, but the next start on its files would
	 * fail until then.
	 */
	private static void end(EmbeddedPostgres server, Path data) throws IOException {
		ProcessHandle.current()
			.children()
			.filter((process) -> process.info().commandLine().orElse("").contains(data.toString()))
			.forEach(EmbeddedServer::end);
		server.close();
	}

	private static void end(ProcessHandle process) {
		process.destroy();
		process.onExit().join();
	}

}
