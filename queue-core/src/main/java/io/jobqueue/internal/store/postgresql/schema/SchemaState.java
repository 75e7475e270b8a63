package io.jobqueue.internal.store.postgresql.schema;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.internal.store.postgresql.schema.UnusableDatabaseException.ReadOnly;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * The schema of the tables according to the catalog of the database, which every user may
 * read.
 *
 * @param name the schema, {@code null} if none was given and the connection has none
 * @param exists whether the schema exists
 * @param usable whether the user has the right USAGE on it
 * @param user the user of the connection
 * @param path the schemas in the connection's {@code search_path}, in its order
 * @param unusable the schemas among them that exist and on which the user lacks USAGE
 * @param versioned whether the table of the applied migrations exists
 * @param missingRights the rights that the user lacks on existing tables, one element per
 * table
 * @param hidden the existing tables whose rows row-level security may hide from the user
 * @param timeouts the timeouts of the user's transactions
 * @param readOnly why the connection is read-only, {@code null} if it can write
 */
record SchemaState(@Nullable String name, boolean exists, boolean usable, String user, List<String> path,
		List<String> unusable, boolean versioned, List<String> missingRights, List<String> hidden,
		TransactionTimeouts timeouts, @Nullable ReadOnly readOnly) {

	private static final String[] READ = { "jobqueue_jobs", "jobqueue_version" };

	/**
	 * The parameters are the given schema, whether to migrate, {@link Schema#TABLES} and
	 * {@link #READ}. Without a given schema, statements find the tables by the search
	 * path, but a migration creates them in the first schema of it.
	 */
	private static final String READ_STATE = """
			WITH path AS (
			  SELECT position, replace(trim(BOTH '" ' FROM element), '$user', current_user) AS name
			  FROM unnest(string_to_array(current_setting('search_path'), ',')) WITH ORDINALITY AS p (element, position)
			), found AS (
			  SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
			  WHERE c.oid = to_regclass('jobqueue_version')
			), place AS (
			  SELECT coalesce(CAST(? AS text), CASE WHEN NOT ? THEN (SELECT nspname FROM found) END,
			                  current_schema()) AS name
			), wanted AS (
			  SELECT name, CASE WHEN written THEN ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] ELSE ARRAY['SELECT'] END
			         AS rights
			  FROM (SELECT unnest(CAST(? AS text[])), true UNION ALL SELECT unnest(CAST(? AS text[])), false)
			       AS w (name, written)
			)
			SELECT place.name, n.oid IS NOT NULL AS exists, current_user AS "user",
			       coalesce(has_schema_privilege(n.oid, 'USAGE'), false) AS usable,
			       ARRAY(SELECT name FROM path ORDER BY position) AS path,
			       ARRAY(SELECT p.name FROM path p JOIN pg_namespace s ON s.nspname = p.name
			             WHERE NOT has_schema_privilege(s.oid, 'USAGE') ORDER BY p.position) AS unusable,
			       EXISTS (SELECT FROM pg_class v WHERE v.relnamespace = n.oid AND v.relname = 'jobqueue_version')
			         AS versioned,
			       ARRAY(SELECT string_agg(r.name, ', ' ORDER BY r.position) || ' on ' || w.name
			             FROM wanted w
			             JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = w.name
			             CROSS JOIN unnest(w.rights) WITH ORDINALITY AS r (name, position)
			             WHERE NOT has_table_privilege(c.oid, r.name)
			             GROUP BY w.name ORDER BY w.name) AS missing_rights,
			       ARRAY(SELECT w.name FROM wanted w JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = w.name
			             WHERE row_security_active(c.oid) ORDER BY w.name) AS hidden,
			       (SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout')
			         AS idle_in_transaction_session_timeout,
			       (SELECT setting FROM pg_settings WHERE name = 'transaction_timeout') AS transaction_timeout,
			       pg_is_in_recovery() AS standby, CAST(current_setting('transaction_read_only') AS boolean) AS read_only
			FROM place LEFT JOIN pg_namespace n ON n.nspname = place.name
			""";

	static SchemaState read(DataSource dataSource, @Nullable String schema, boolean migrate) {
		return new JdbcTemplate(dataSource).query(READ_STATE, (statement) -> {
			statement.setString(1, schema);
			statement.setBoolean(2, migrate);
			statement.setArray(3, statement.getConnection().createArrayOf("text", Schema.TABLES.toArray()));
			statement.setArray(4, statement.getConnection().createArrayOf("text", READ));
		}, (row, number) -> of(row)).get(0);
	}

	private static SchemaState of(ResultSet row) throws SQLException {
		return new SchemaState(row.getString("name"), row.getBoolean("exists"), row.getBoolean("usable"),
				row.getString("user"), texts(row.getArray("path")), texts(row.getArray("unusable")),
				row.getBoolean("versioned"), texts(row.getArray("missing_rights")), texts(row.getArray("hidden")),
				TransactionTimeouts.of(row), readOnly(row));
	}

	/**
	 * The driver applies {@code Connection.setReadOnly} to transactions only, so that the
	 * setting of the server does not show it in auto-commit mode.
	 */
	private static @Nullable ReadOnly readOnly(ResultSet row) throws SQLException {
		if (row.getBoolean("standby")) {
			return ReadOnly.STANDBY;
		}
		if (row.getStatement().getConnection().isReadOnly()) {
			return ReadOnly.POOL;
		}
		return row.getBoolean("read_only") ? ReadOnly.DEFAULT : null;
	}

	private static List<String> texts(Array array) throws SQLException {
		return List.of((String[]) array.getArray());
	}

	/**
	 * Throw an exception if the connection is read-only or has no schema, if rights are
	 * missing, or if row-level security may hide rows.
	 */
	void check() {
		if (this.readOnly != null) {
			throw UnusableDatabaseException.readOnly(this.readOnly);
		}
		if (this.name == null) {
			throw this.unusable.isEmpty() ? UnusableDatabaseException.missingSchema(this.path)
					: UnusableDatabaseException.noUsage(this.user, this.unusable.get(0));
		}
		if (this.exists && !this.usable) {
			throw UnusableDatabaseException.noUsage(this.user, this.name);
		}
		if (!this.missingRights.isEmpty()) {
			throw UnusableDatabaseException.missingRights(this.user, this.name, this.missingRights);
		}
		if (!this.hidden.isEmpty()) {
			throw UnusableDatabaseException.hiddenRows(this.user, this.name, this.hidden);
		}
	}

}
