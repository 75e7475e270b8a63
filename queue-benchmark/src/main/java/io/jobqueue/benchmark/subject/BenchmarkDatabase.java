package io.jobqueue.benchmark.subject;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.StringUtils;

/**
 * The PostgreSQL that is measured: the one that {@code BENCH_POSTGRES_URL} points to,
 * else an own one with durable settings.
 */
public final class BenchmarkDatabase implements AutoCloseable {

	private final String url;

	private final @Nullable EmbeddedPostgres server;

	private BenchmarkDatabase(String url, @Nullable EmbeddedPostgres server) {
		this.url = url;
		this.server = server;
	}

	public static BenchmarkDatabase open() throws IOException {
		String url = System.getenv("BENCH_POSTGRES_URL");
		if (StringUtils.hasText(url)) {
			return at(url);
		}
		EmbeddedPostgres server = EmbeddedPostgres.builder()
			.setServerConfig("fsync", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("synchronous_commit", "on")
			.setServerConfig("max_wal_size", "16GB")
			.setServerConfig("checkpoint_timeout", "30min")
			.setServerConfig("shared_buffers", "1GB")
			.setServerConfig("max_connections", "200")
			.setServerConfig("shared_preload_libraries", "pg_stat_statements")
			.start();
		return new BenchmarkDatabase(server.getJdbcUrl("postgres", "postgres"), server);
	}

	public static BenchmarkDatabase at(String url) {
		return new BenchmarkDatabase(url, null);
	}

	public String url() {
		return this.url;
	}

	public boolean isOwn() {
		return this.server != null;
	}

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

	public DataSource dataSource() {
		return new DriverManagerDataSource(this.url);
	}

	public JdbcClient sql() {
		return JdbcClient.create(dataSource());
	}

	public void execute(String sql) {
		sql().sql(sql).update();
	}

	/**
	 * Remove all jobs. No worker may be running.
	 */
	public void removeJobs() {
		execute(QueueSql.EMPTY);
	}

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
