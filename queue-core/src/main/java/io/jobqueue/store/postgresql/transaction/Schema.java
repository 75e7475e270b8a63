package io.jobqueue.store.postgresql.transaction;

import org.jspecify.annotations.Nullable;

/**
 * The schema that holds the tables.
 *
 * @param name its name, or {@code null} for the connection's own
 */
public record Schema(@Nullable String name) {

	/**
	 * Qualify the tables that a statement names.
	 * @param sql the statement
	 * @return its text with the schema before each table
	 */
	public String in(String sql) {
		if (this.name == null) {
			return sql;
		}
		return sql.replace("jobqueue_", '"' + this.name.replace("\"", "\"\"") + "\".jobqueue_");
	}

}
