package io.jobqueue.testpostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A durable PostgreSQL of a test's own, which can crash and be started again on what it
 * had written. It is always the embedded one: a server that is named by a variable is
 * never crashed.
 */
public final class CrashableServer implements AutoCloseable {

	private static final String LOOPBACK = "127.0.0.1";

	private final Path data;

	private final Map<String, String> settings;

	private EmbeddedPostgres postgres;

	/**
	 * Start a server with an empty database.
	 */
	public CrashableServer() {
		this(Map.of());
	}

	/**
	 * Start a server with settings that one which others share cannot have.
	 * @param settings the names of the settings, with their values
	 */
	public CrashableServer(Map<String, String> settings) {
		this.settings = settings;
		try {
			this.data = Files.createTempDirectory("crashable");
			this.postgres = start(0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private EmbeddedPostgres start(int port) throws IOException {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setDataDirectory(this.data)
			.setCleanDataDirectory(false)
			.setServerConfig("listen_addresses", LOOPBACK)
			.setServerConfig("fsync", "on")
			.setServerConfig("synchronous_commit", "on")
			.setServerConfig("full_page_writes", "on");
		this.settings.forEach(builder::setServerConfig);
		return ((port != 0) ? builder.setPort(port) : builder).start();
	}

	/**
	 * Return the URL, which is the same after a crash.
	 * @return the JDBC URL
	 */
	public String jdbcUrl() {
		return this.postgres.getJdbcUrl("postgres", "postgres");
	}

	/**
	 * Create a source of connections without a pool.
	 * @return a new data source
	 */
	public DataSource dataSource() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(jdbcUrl());
		return dataSource;
	}

	/**
	 * Let the server end at once (SIGQUIT, as {@code pg_ctl stop -m immediate} does),
	 * with nothing but its log of changes, and start it again on the same port.
	 */
	public void crash() {
		try {
			int port = this.postgres.getPort();
			ProcessHandle server = server();
			new ProcessBuilder("kill", "-QUIT", String.valueOf(server.pid())).start().onExit().join();
			server.onExit().join();
			this.postgres.close();
			this.postgres = start(port);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private ProcessHandle server() throws IOException {
		long pid = Long.parseLong(Files.readAllLines(this.data.resolve("postmaster.pid")).get(0).strip());
		return ProcessHandle.of(pid).orElseThrow();
	}

	@Override
	public void close() {
		try {
			this.postgres.close();
			Folders.delete(this.data);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
