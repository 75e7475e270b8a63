package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL that loses nothing of what was committed when it crashes, and comes back
 * at the same port.
 */
final class DurableServer implements AutoCloseable {

	static final String HOST = "127.0.0.1";

	private final Path data = Files.createTempDirectory("chaos");

	private EmbeddedPostgres postgres;

	DurableServer() throws IOException {
		this.postgres = builder().start();
	}

	private EmbeddedPostgres.Builder builder() {
		return EmbeddedPostgres.builder()
			.setDataDirectory(this.data)
			.setCleanDataDirectory(false)
			.setServerConfig("listen_addresses", HOST)
			.setServerConfig("fsync", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("synchronous_commit", "on");
	}

	synchronized int port() {
		return this.postgres.getPort();
	}

	static String url(int port) {
		return "jdbc:postgresql://%s:%d/postgres?user=postgres".formatted(HOST, port);
	}

	/**
	 * Return the short way to the server, which nothing cuts.
	 */
	DataSource dataSource() {
		return new DriverManagerDataSource(url(port()));
	}

	JdbcClient sql() {
		return JdbcClient.create(dataSource());
	}

	/**
	 * End at once, as after a power failure, and recover. Those who ask meanwhile are
	 * refused.
	 */
	synchronized void crash() throws IOException, InterruptedException {
		ProcessHandle server = process();
		Signal.QUIT.send(server);
		server.onExit().join();
		int port = this.postgres.getPort();
		this.postgres.close();
		this.postgres = builder().setPort(port).start();
	}

	private ProcessHandle process() throws IOException {
		String pid = Files.readAllLines(this.data.resolve("postmaster.pid")).get(0);
		return ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
	}

	@Override
	public synchronized void close() throws IOException {
		this.postgres.close();
		FileSystemUtils.deleteRecursively(this.data);
	}

}
