package io.jobqueue.store.postgresql.transaction;

import org.jspecify.annotations.Nullable;

/**
 * The schema that holds the tables.
 *
 * @param name its name, {@code null} for the schemas in the connection's
 * {@code search_path}
 */
public record Schema(@Nullable String name) {

	/**
	 * Qualify the tables in a statement.
	 * @param sql the statement
	 * @return the statement with the schema before each table
	 */
	public String in(String sql) {
		if (this.name == null) {
			return sql;
		}
		return sql.replace("jobqueue_", '"' + this.name.replace("\"", "\"\"") + "\".jobqueue_");
	}

}
