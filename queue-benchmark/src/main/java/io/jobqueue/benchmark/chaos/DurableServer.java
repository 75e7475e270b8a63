package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.jobqueue.testpostgres.EmbeddedServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL that loses nothing of what was committed when it crashes, and comes back
 * at the same port. Its {@code statement_timestamp()} can be set: one in the schema
 * public is found before that of PostgreSQL.
 */
final class DurableServer implements AutoCloseable {

	static final String HOST = "127.0.0.1";

	private static final String CLOCK = """
			CREATE TABLE chaos_clock (ahead interval NOT NULL);
			INSERT INTO chaos_clock VALUES (interval '0');
			CREATE FUNCTION public.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
			    AS 'SELECT pg_catalog.statement_timestamp() + ahead FROM public.chaos_clock';
			ALTER DATABASE postgres SET search_path = public, pg_catalog
			""";

	private static final Map<String, String> DURABLE = Map.of("fsync", "on", "full_page_writes", "on",
			"synchronous_commit", "on");

	private final Path data = Files.createTempDirectory("chaos");

	private EmbeddedPostgres postgres;

	DurableServer() throws IOException {
		this.postgres = EmbeddedServer.start(this.data, false, DURABLE);
		sql().sql(CLOCK).update();
	}

	synchronized int port() {
		return this.postgres.getPort();
	}

	static String url(int port) {
		return "jdbc:postgresql://%s:%s/postgres?user=postgres".formatted(HOST, port);
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
		this.postgres = EmbeddedServer.restart(this.data, DURABLE, port);
	}

	/**
	 * Stop all of its processes. The system goes on to accept connections for it.
	 * @param time how long
	 */
	synchronized void freeze(Duration time) throws IOException, InterruptedException {
		ProcessHandle server = process();
		Signal.STOP.send(server);
		List<ProcessHandle> backends = server.descendants().toList();
		Signal.STOP.sendAll(backends);
		Thread.sleep(time.toMillis());
		Signal.CONT.sendAll(backends);
		Signal.CONT.send(server);
	}

	/**
	 * Set the clock that the queue's statements read.
	 * @param seconds how far it is ahead of the true time; less than 0 if it is behind
	 */
	void setClockAhead(int seconds) {
		sql().sql("UPDATE chaos_clock SET ahead = ? * interval '1 second'").param(seconds).update();
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
