package io.jobqueue.testpostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A primary server with one synchronous streaming standby: a commit is acknowledged after
 * both have flushed it. Both are always embedded servers.
 */
public final class ReplicatedServer implements AutoCloseable {

	private static final String LOOPBACK = "127.0.0.1";

	private static final String STANDBY_NAME = "standby";

	private static final Duration PAUSE = Duration.ofMillis(5);

	private static final String STREAMING = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'";

	private final Path folder;

	private final EmbeddedPostgres primary;

	private final EmbeddedPostgres standby;

	/**
	 * Start both servers, with an empty database, and wait until the standby is
	 * synchronous.
	 */
	public ReplicatedServer() {
		try {
			this.folder = Folders.create("replicated");
			Path primaryData = this.folder.resolve("primary");
			start(primaryData).close();
			Path standbyData = copy(primaryData, this.folder.resolve(STANDBY_NAME));
			this.primary = start(primaryData);
			follow(standbyData, this.primary.getPort());
			this.standby = start(standbyData);
			commitOnBoth();
		}
		catch (IOException | SQLException ex) {
			throw new IllegalStateException("Could not start the standby", ex);
		}
	}

	private static EmbeddedPostgres start(Path data) throws IOException {
		return EmbeddedServer.start(data, false, CrashableServer.DURABLE);
	}

	private static Path copy(Path from, Path to) throws IOException {
		try (Stream<Path> files = Files.walk(from)) {
			for (Path file : files.toList()) {
				Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
			}
		}
		return to;
	}

	private static void follow(Path data, int primaryPort) throws IOException {
		Files.createFile(data.resolve("standby.signal"));
		Files.writeString(data.resolve("postgresql.auto.conf"),
				"primary_conninfo = 'host=%s port=%s user=postgres application_name=%s'%n".formatted(LOOPBACK,
						primaryPort, STANDBY_NAME),
				StandardOpenOption.APPEND);
	}

	private void commitOnBoth() throws SQLException {
		execute(this.primary, "ALTER SYSTEM SET synchronous_standby_names = '%s'".formatted(STANDBY_NAME));
		execute(this.primary, "SELECT pg_reload_conf()");
		await(this.primary, STREAMING);
	}

	/**
	 * Return a URL of both servers, which connects to the one that accepts writes.
	 * @return the JDBC URL
	 */
	public String jdbcUrl() {
		return "jdbc:postgresql://%s:%s,%s:%s/postgres?user=postgres&targetServerType=primary".formatted(LOOPBACK,
				this.primary.getPort(), LOOPBACK, this.standby.getPort());
	}

	/**
	 * Create a data source of {@link #jdbcUrl()} without a pool.
	 * @return a new data source
	 */
	public DataSource dataSource() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(jdbcUrl());
		return dataSource;
	}

	/**
	 * Create a data source of the standby without a pool.
	 * @return a new data source
	 */
	public DataSource standbyDataSource() {
		return this.standby.getPostgresDatabase();
	}

	/**
	 * End the primary without a checkpoint (SIGQUIT, like
	 * {@code pg_ctl stop -m immediate}), and promote the standby, which then has no
	 * standby of its own.
	 */
	public void failOver() {
		try {
			ProcessHandle server = process(this.folder.resolve("primary"));
			new ProcessBuilder("kill", "-QUIT", String.valueOf(server.pid())).start().onExit().join();
			server.onExit().join();
			execute(this.standby, "SELECT pg_promote()");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("Could not promote the standby", ex);
		}
	}

	private static ProcessHandle process(Path data) throws IOException {
		String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
		return ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
	}

	private static void execute(EmbeddedPostgres server, String sql) throws SQLException {
		try (Connection connection = connect(server); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static void await(EmbeddedPostgres server, String sql) throws SQLException {
		try (Connection connection = connect(server); Statement statement = connection.createStatement()) {
			while (!statement.executeQuery(sql).next()) {
				LockSupport.parkNanos(PAUSE.toNanos());
			}
		}
	}

	private static Connection connect(EmbeddedPostgres server) throws SQLException {
		return DriverManager.getConnection(server.getJdbcUrl("postgres", "postgres"));
	}

	@Override
	public void close() {
		try {
			this.primary.close();
			this.standby.close();
			Folders.delete(this.folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
