package io.jobqueue.store.postgresql.transaction;

import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * The schema that holds the tables.
 *
 * @param name its name, {@code null} for the schemas in the connection's
 * {@code search_path}
 * @param statements rewrites every statement on these tables; only tests do that
 */
public record Schema(@Nullable String name, UnaryOperator<String> statements) {

	/**
	 * Create a schema whose statements are not rewritten.
	 * @param name its name, {@code null} for the schemas in the connection's
	 * {@code search_path}
	 */
	public Schema(@Nullable String name) {
		this(name, UnaryOperator.identity());
	}

	/**
	 * Qualify the tables in a statement.
	 * @param sql the statement
	 * @return the statement with the schema before each table
	 */
	public String in(String sql) {
		String statement = this.statements.apply(sql);
		if (this.name == null) {
			return statement;
		}
		return statement.replace("jobqueue_", '"' + this.name.replace("\"", "\"\"") + "\".jobqueue_");
	}

}
