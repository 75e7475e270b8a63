package io.jobqueue.benchmark.subject;

import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;

import javax.sql.DataSource;

import io.jobqueue.testpostgres.EmbeddedServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.StringUtils;

/**
 * The PostgreSQL that is measured: the one that {@code BENCH_POSTGRES_URL} points to,
 * else an own one with durable settings. Statements that fail throw Spring's
 * {@code DataAccessException}.
 */
public final class BenchmarkDatabase implements AutoCloseable {

	private static final Map<String, String> SETTINGS = Map.of("fsync", "on", "full_page_writes", "on",
			"synchronous_commit", "on", "max_wal_size", "16GB", "checkpoint_timeout", "30min", "shared_buffers", "1GB",
			"max_connections", "300", "shared_preload_libraries", "pg_stat_statements");

	private final String url;

	private final @Nullable EmbeddedPostgres server;

	private BenchmarkDatabase(String url, @Nullable EmbeddedPostgres server) {
		this.url = url;
		this.server = server;
	}

	/**
	 * Take the server that {@code BENCH_POSTGRES_URL} points to, else start an own one,
	 * which stops when closed. The given one is not connected to yet.
	 * @return the database
	 * @throws IOException if the own server does not start
	 */
	public static BenchmarkDatabase open() throws IOException {
		String url = System.getenv("BENCH_POSTGRES_URL");
		if (StringUtils.hasText(url)) {
			return at(url);
		}
		EmbeddedPostgres server = EmbeddedServer.start(Files.createTempDirectory("benchmark"), true, SETTINGS);
		return new BenchmarkDatabase(server.getJdbcUrl("postgres", "postgres"), server);
	}

	/**
	 * Take a server that runs already, and goes on when this is closed. It is not
	 * connected to yet.
	 * @param url the JDBC URL, with the credentials of a superuser
	 * @return the database
	 */
	public static BenchmarkDatabase at(String url) {
		return new BenchmarkDatabase(url, null);
	}

	/**
	 * Return the same database with connections that differ.
	 * @param parameter a parameter of the JDBC URL, as {@code key=value}
	 * @return a database that need not be closed
	 */
	public BenchmarkDatabase with(String parameter) {
		return at(this.url + (this.url.contains("?") ? "&" : "?") + parameter);
	}

	/**
	 * Return where others connect to.
	 * @return the JDBC URL, including credentials
	 */
	public String url() {
		return this.url;
	}

	/**
	 * Return whether the server was started here and stops when this is closed.
	 * @return {@code false} also for an own server that is reached by its URL
	 */
	public boolean isOwn() {
		return this.server != null;
	}

	/**
	 * Return the version and the build of the server.
	 * @return the answer to {@code SELECT version()}
	 */
	public String version() {
		return sql().sql("SELECT version()").query(String.class).single();
	}

	/**
	 * Return what the server is set to, as far as it matters here.
	 */
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		sql().sql(QueueSql.SETTINGS).query((row) -> {
			settings.put(row.getString("name"), row.getString("setting"));
		});
		return settings;
	}

	/**
	 * Return a source of connections without a pool: each is opened when asked for.
	 * @return a new source
	 */
	public DataSource dataSource() {
		return new DriverManagerDataSource(this.url);
	}

	/**
	 * Return a client that opens a connection for each statement.
	 * @return a new client
	 */
	public JdbcClient sql() {
		return JdbcClient.create(dataSource());
	}

	/**
	 * Execute what returns no rows, on a connection of its own that commits by itself.
	 * @param sql one statement or several, separated by semicolons
	 */
	public void execute(String sql) {
		sql().sql(sql).update();
	}

	/**
	 * Remove all jobs and batches. No worker may be running.
	 */
	public void removeJobs() {
		execute(QueueSql.EMPTY);
	}

	/**
	 * Return whether there is any row in {@code jobqueue_job}, of whatever queue and due
	 * or not.
	 * @return {@code true} if there is
	 */
	public boolean hasJobs() {
		return sql().sql(QueueSql.ANY_LEFT).query(Boolean.class).single();
	}

	/**
	 * Let single tables begin alike, where others are too large to be looked after each
	 * time.
	 * @param tables names of tables, separated by commas
	 */
	public void settle(String tables) {
		execute("VACUUM (ANALYZE) " + tables);
		execute("CHECKPOINT");
	}

	/**
	 * Let every round begin alike: no dead rows, fresh statistics, and nothing left for
	 * the server to do in the background.
	 */
	public void settle() {
		execute("VACUUM (ANALYZE)");
		execute("CHECKPOINT");
	}

	@Override
	public void close() throws IOException {
		if (this.server != null) {
			this.server.close();
		}
	}

}
