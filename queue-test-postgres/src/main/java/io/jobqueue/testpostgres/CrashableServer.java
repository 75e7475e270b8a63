package io.jobqueue.testpostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server for a single test, with durable commits, which can be crashed and
 * started again on its data. It is always an embedded server: a server that an
 * environment variable configures is never crashed.
 */
public final class CrashableServer implements AutoCloseable {

	static final Map<String, String> DURABLE = Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes",
			"on");

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
	 * Start a server with settings of its own.
	 * @param settings the values of the settings by name
	 */
	public CrashableServer(Map<String, String> settings) {
		this.settings = new HashMap<>(DURABLE);
		this.settings.putAll(settings);
		try {
			this.data = Folders.create("crashable");
			this.postgres = EmbeddedServer.start(this.data, false, this.settings);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the URL, which does not change after a crash.
	 * @return the JDBC URL
	 */
	public String jdbcUrl() {
		return this.postgres.getJdbcUrl("postgres", "postgres");
	}

	/**
	 * Create a data source without a pool.
	 * @return a new data source
	 */
	public DataSource dataSource() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(jdbcUrl());
		return dataSource;
	}

	/**
	 * End the server without a checkpoint (SIGQUIT, like
	 * {@code pg_ctl stop -m immediate}), and start it again on the same port, so that it
	 * recovers from its write-ahead log.
	 */
	public void crash() {
		try {
			int port = this.postgres.getPort();
			ProcessHandle server = server();
			new ProcessBuilder("kill", "-QUIT", String.valueOf(server.pid())).start().onExit().join();
			server.onExit().join();
			this.postgres.close();
			this.postgres = EmbeddedServer.restart(this.data, this.settings, port);
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
