package io.jobqueue.store.postgresql.monitoring;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.store.CleanupStore;
import io.jobqueue.store.CleanupStore.CleanupStatus;
import io.jobqueue.store.CleanupStore.SnapshotHolder;
import io.jobqueue.store.postgresql.transaction.Columns;
import io.jobqueue.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Step;
import io.jobqueue.store.postgresql.transaction.Schema;

/**
 * What keeps a PostgreSQL database from removing dead rows.
 */
public final class PostgresCleanupStore implements CleanupStore {

	private static final List<String> TABLES = List.of("jobqueue_job", "jobqueue_archive", "jobqueue_claim",
			"jobqueue_worker", "jobqueue_key", "jobqueue_dedupe", "jobqueue_rate", "jobqueue_pause");

	private final QueueTransaction own;

	private final Schema schema;

	/**
	 * Create the store.
	 * @param dataSource the application's data source
	 * @param schema the schema of the tables
	 */
	public PostgresCleanupStore(DataSource dataSource, Schema schema) {
		this.own = new QueueTransaction(dataSource);
		this.schema = schema;
	}

	@Override
	public List<String> tables() {
		return TABLES;
	}

	private static final String DEAD_ROWS = """
			SELECT c.relname, pg_stat_get_dead_tuples(c.oid) AS dead_rows
			FROM unnest(?::text[]) AS t (name)
			JOIN pg_class c ON c.oid = to_regclass(t.name)
			""";

	/**
	 * A snapshot that is no older than a new one would be keeps nothing. Snapshots of
	 * other databases do not matter here, but transactions that write do. VACUUM does not
	 * count. Without the rights to, only the process is seen, not since when.
	 */
	private static final String OLDEST_SNAPSHOT = """
			SELECT h.name, h.pid, h.snapshot::text AS snapshot,
			       extract(epoch FROM statement_timestamp() - h.since) * 1000 AS age_millis
			FROM (
			    SELECT format('session %s of user %s (application ''%s'', %s)', a.pid, a.usename, a.application_name,
			                  coalesce(a.state, 'state hidden')) AS name,
			           a.pid, a.xact_start AS since,
			           CASE WHEN age(a.backend_xid) > age(a.backend_xmin) THEN a.backend_xid
			                ELSE coalesce(a.backend_xmin, a.backend_xid) END AS snapshot
			    FROM pg_stat_activity a
			    WHERE a.pid <> pg_backend_pid() AND a.pid NOT IN (SELECT v.pid FROM pg_stat_progress_vacuum v)
			      AND (a.backend_xid IS NOT NULL
			           OR coalesce(a.datname = current_database(), true)
			              AND age(a.backend_xmin) > age(pg_snapshot_xmin(pg_current_snapshot())::xid))
			    UNION ALL
			    SELECT format('prepared transaction ''%s'' of user %s', p.gid, p.owner), NULL, p.prepared, p.transaction
			    FROM pg_prepared_xacts p
			    UNION ALL
			    SELECT format('replication slot ''%s''', s.slot_name), s.active_pid, NULL, s.xmin
			    FROM pg_replication_slots s
			    WHERE s.xmin IS NOT NULL) h
			ORDER BY age(h.snapshot) DESC, h.since
			LIMIT 1
			""";

	@Override
	public CleanupStatus read() {
		Map<String, Long> deadRows = new HashMap<>();
		Answer<List<SnapshotHolder>> holder = Answer
			.ofRows(new RowMapperResultSetExtractor<>((row, number) -> holder(row)));
		this.own.run(QueueTransaction.BEGIN_MONITORING, List.of(new Step(OLDEST_SNAPSHOT, (parameters) -> {
		}, holder), new Step(DEAD_ROWS, (parameters) -> parameters.array("text", TABLES, this.schema::in),
				Answer.ofEachRow((row) -> deadRows.put(row.getString("relname"), row.getLong("dead_rows"))))));
		return new CleanupStatus(holder.get().isEmpty() ? null : holder.get().get(0), deadRows);
	}

	private static SnapshotHolder holder(ResultSet row) throws SQLException {
		return new SnapshotHolder(row.getString("name"), row.getObject("pid", Integer.class), row.getString("snapshot"),
				Columns.fromNow(row, "age_millis"));
	}

}
