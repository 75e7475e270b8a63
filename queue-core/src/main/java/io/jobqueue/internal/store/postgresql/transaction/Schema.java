package io.jobqueue.internal.store.postgresql.transaction;

import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ConcurrentLruCache;

/**
 * The schema that holds the tables.
 */
public final class Schema {

	/**
	 * The tables that the queue writes.
	 */
	public static final List<String> TABLES = List.of("jobqueue_job", "jobqueue_archive", "jobqueue_claim",
			"jobqueue_worker", "jobqueue_worker_queue", "jobqueue_key", "jobqueue_dedupe", "jobqueue_dependency",
			"jobqueue_unarchived", "jobqueue_batch", "jobqueue_batch_tally", "jobqueue_rate", "jobqueue_pause",
			"jobqueue_recurring", "jobqueue_statistics", "jobqueue_operator_log", "jobqueue_subscription",
			"jobqueue_workflow", "jobqueue_workflow_step", "jobqueue_source");

	private static final int TEXTS = 512;

	private final @Nullable String name;

	private final UnaryOperator<String> statements;

	/**
	 * The driver finds a prepared statement by its text, whose hash only the same string
	 * remembers.
	 */
	private final ConcurrentLruCache<String, String> qualified;

	/**
	 * Create a schema whose statements are not rewritten.
	 * @param name its name, {@code null} for the schemas in the connection's
	 * {@code search_path}
	 */
	public Schema(@Nullable String name) {
		this(name, UnaryOperator.identity());
	}

	/**
	 * Create a schema.
	 * @param name its name, {@code null} for the schemas in the connection's
	 * {@code search_path}
	 * @param statements rewrites every statement on these tables; only tests do that
	 */
	public Schema(@Nullable String name, UnaryOperator<String> statements) {
		this.name = name;
		this.statements = statements;
		this.qualified = new ConcurrentLruCache<>(TEXTS, (sql) -> qualified(name, sql));
	}

	private static String qualified(@Nullable String name, String sql) {
		return (name != null) ? sql.replace("jobqueue_", '"' + name.replace("\"", "\"\"") + "\".jobqueue_") : sql;
	}

	/**
	 * Return the name of the schema.
	 * @return the name, {@code null} for the schemas in the connection's
	 * {@code search_path}
	 */
	public @Nullable String name() {
		return this.name;
	}

	/**
	 * Qualify the tables in a statement.
	 * @param sql the statement
	 * @return the statement with the schema before each table
	 */
	public String in(String sql) {
		return this.qualified.get(this.statements.apply(sql));
	}

}
