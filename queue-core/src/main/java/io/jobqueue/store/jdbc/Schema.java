package io.jobqueue.store.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * The schema that holds the tables.
 *
 * @param name its name, or {@code null} for the connection's own
 */
record Schema(@Nullable String name) {

	/**
	 * Qualify the tables that a statement names.
	 */
	String in(String sql) {
		if (this.name == null) {
			return sql;
		}
		return sql.replace("jobqueue_", '"' + this.name.replace("\"", "\"\"") + "\".jobqueue_");
	}

}
