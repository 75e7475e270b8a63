package io.jobqueue.testpostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports.Binding;
import org.postgresql.Driver;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A server, given by the URL of one of its databases and by a superuser.
 */
record PostgresServer(String jdbcUrl, String username, String password) {

	static final String URL = "QUEUE_TEST_POSTGRES_URL";

	static final String IMAGE = "QUEUE_TEST_POSTGRES_IMAGE";

	static final String LOOPBACK = "127.0.0.1";

	/**
	 * The default of a container, 64 MB, is too little for parallel workers on large
	 * tables.
	 */
	private static final long SHARED_MEMORY_BYTES = 512L * 1024 * 1024;

	private static final String MAX_CONNECTIONS = "300";

	/**
	 * Tables of a million rows fit in; the default of 128 MB writes their pages several
	 * times while they are filled.
	 */
	private static final String SHARED_BUFFERS = "512MB";

	/**
	 * Tests count their statements with this extension.
	 */
	private static final String LIBRARIES = "pg_stat_statements";

	/**
	 * Without autovacuum, statistics and dead rows, and therefore plans and buffers,
	 * change only when a test changes them.
	 */
	private static final String AUTOVACUUM = "off";

	/**
	 * Start a server, or use the one that the environment configures, without the
	 * settings.
	 * @param environment the environment variables
	 * @param settings the values of the server's settings by name
	 * @return the server
	 */
	static PostgresServer start(Map<String, String> environment, Map<String, String> settings) {
		String url = environment.getOrDefault(URL, "");
		if (!url.isBlank()) {
			return external(url);
		}
		String image = environment.getOrDefault(IMAGE, "");
		return image.isBlank() ? embedded(settings) : container(image, settings);
	}

	static PostgresServer external(String jdbcUrl) {
		Properties settings = Driver.parseURL(jdbcUrl, null);
		if (settings == null) {
			throw new IllegalArgumentException("'%s' must be a JDBC URL of PostgreSQL".formatted(URL));
		}
		return new PostgresServer(jdbcUrl, settings.getProperty("user", System.getProperty("user.name")),
				settings.getProperty("password", ""));
	}

	/**
	 * {@code fsync} is off because these tests do not need the data after a crash of the
	 * server.
	 */
	private static PostgresServer embedded(Map<String, String> settings) {
		try {
			Map<String, String> all = new HashMap<>(Map.of("fsync", "off", "max_connections", MAX_CONNECTIONS,
					"shared_buffers", SHARED_BUFFERS, "shared_preload_libraries", LIBRARIES, "autovacuum", AUTOVACUUM));
			all.putAll(settings);
			int port = EmbeddedServer.start(Folders.create("shared"), true, all).getPort();
			return new PostgresServer("jdbc:postgresql://%s:%s/postgres".formatted(LOOPBACK, port), "postgres", "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@SuppressWarnings("resource") // lives as long as this JVM
	private static PostgresServer container(String image, Map<String, String> settings) {
		PostgreSQLContainer container = new PostgreSQLContainer(
				DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"))
			.withSharedMemorySize(SHARED_MEMORY_BYTES)
			.withCommand(command(settings))
			.withCreateContainerCmdModifier(
					(command) -> bindToLoopback(Objects.requireNonNull(command.getHostConfig())));
		container.start();
		return new PostgresServer(container.getJdbcUrl(), container.getUsername(), container.getPassword());
	}

	private static String[] command(Map<String, String> settings) {
		List<String> command = new ArrayList<>(
				List.of("postgres", "-c", "fsync=off", "-c", "max_connections=" + MAX_CONNECTIONS, "-c",
						"shared_preload_libraries=" + LIBRARIES, "-c", "autovacuum=" + AUTOVACUUM));
		settings.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
		return command.toArray(String[]::new);
	}

	private static void bindToLoopback(HostConfig hostConfig) {
		ExposedPort port = ExposedPort.tcp(PostgreSQLContainer.POSTGRESQL_PORT);
		hostConfig.withPortBindings(new PortBinding(Binding.bindIp(LOOPBACK), port));
	}

	/**
	 * Return the URL of another database of this server.
	 * @param database the name of the database
	 * @return its URL, with the parameters of this one
	 */
	String jdbcUrl(String database) {
		return this.jdbcUrl.replaceFirst("(?<=/)[^/?]*(?=\\?|$)", database);
	}

	void execute(String sql) {
		try (Connection connection = DriverManager.getConnection(this.jdbcUrl, this.username, this.password);
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("Failed on %s: %s".formatted(this.jdbcUrl, sql), ex);
		}
	}

}
