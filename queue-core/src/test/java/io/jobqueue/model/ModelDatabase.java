package io.jobqueue.model;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobState;
import io.jobqueue.store.jdbc.JdbcStores;
import io.jobqueue.store.jdbc.SchemaMigration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

/**
 * A database whose clock can be set: its {@code statement_timestamp()} is one of ours,
 * found before that of PostgreSQL.
 */
final class ModelDatabase implements AutoCloseable {

	private static final String CLOCK = """
			CREATE TABLE clock (ahead interval NOT NULL, origin timestamptz NOT NULL);
			INSERT INTO clock VALUES (interval '0', pg_catalog.clock_timestamp());
			CREATE FUNCTION public.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
			    AS 'SELECT pg_catalog.statement_timestamp() + ahead FROM public.clock';
			CREATE FUNCTION minute(timestamptz) RETURNS integer LANGUAGE sql STABLE
			    AS 'SELECT floor(date_part(''epoch'', $1 - origin) / 60)::integer FROM public.clock';
			""";

	private static final String JOBS = """
			SELECT v.id, v.state, v.priority, minute(v.run_at) AS run_at, v.attempts, v.failures, v.locked_by, j.claim,
			       minute(v.lease_until) AS lease_until, minute(a.keep_until) AS keep_until
			FROM jobqueue_jobs v LEFT JOIN jobqueue_job j USING (id) LEFT JOIN jobqueue_archive a USING (id)
			""";

	private final TestDatabase database = TestPostgres.freshDatabase();

	private final DataSource unpooled = this.database.dataSource();

	private final HikariDataSource pool = new HikariDataSource();

	private final JdbcClient sql = JdbcClient.create(this.pool);

	private final JdbcStores stores;

	private final Map<Node, HandlerTransaction> transactions;

	ModelDatabase() {
		this.pool.setDataSource(this.unpooled);
		prepare();
		this.stores = JdbcStores.of(this.pool, this.unpooled, null);
		this.transactions = Node.ALL.stream()
			.collect(Collectors.toMap((node) -> node, (node) -> new HandlerTransaction(this.unpooled)));
	}

	/**
	 * Nothing waits here; what does nevertheless shall fail.
	 */
	private void prepare() {
		JdbcClient plain = JdbcClient.create(this.unpooled);
		String name = plain.sql("SELECT current_database()").query(String.class).single();
		plain.sql("ALTER DATABASE %s SET search_path = public, pg_catalog".formatted(name)).update();
		plain.sql("ALTER DATABASE %s SET lock_timeout = '2s'".formatted(name)).update();
		plain.sql(CLOCK).update();
		new SchemaMigration(this.unpooled, null, true).afterPropertiesSet();
	}

	void empty() {
		this.sql.sql("""
				DELETE FROM jobqueue_job;
				DELETE FROM jobqueue_archive;
				DELETE FROM jobqueue_claim;
				DELETE FROM jobqueue_worker;
				UPDATE clock SET ahead = interval '0', origin = pg_catalog.clock_timestamp()
				""").update();
	}

	void pass(int minutes) {
		this.sql.sql("UPDATE clock SET ahead = ahead + ? * interval '1 minute'").param(minutes).update();
	}

	JdbcStores stores() {
		return this.stores;
	}

	JdbcClient sql() {
		return this.sql;
	}

	HandlerTransaction transaction(Node node) {
		return this.transactions.get(node);
	}

	Snapshot snapshot() {
		return new Snapshot(jobs(), claims(), workers());
	}

	private Map<UUID, Snapshot.Job> jobs() {
		Map<UUID, Snapshot.Job> jobs = new TreeMap<>();
		this.sql.sql(JOBS).query((row) -> {
			jobs.put(row.getObject("id", UUID.class), job(row));
		});
		return jobs;
	}

	private static Snapshot.Job job(ResultSet row) throws SQLException {
		return new Snapshot.Job(JobState.valueOf(row.getString("state")), row.getInt("priority"), row.getInt("run_at"),
				row.getInt("attempts"), row.getInt("failures"), holder(row),
				row.getObject("lease_until", Integer.class), row.getObject("keep_until", Integer.class));
	}

	private static @Nullable ClaimKey holder(ResultSet row) throws SQLException {
		return (row.getObject("claim") != null)
				? new ClaimKey(row.getObject("locked_by", UUID.class), row.getLong("claim")) : null;
	}

	private Map<ClaimKey, Snapshot.Claimed> claims() {
		Map<ClaimKey, Snapshot.Claimed> claims = new HashMap<>();
		this.sql.sql("SELECT worker_id, claim, minute(expires_at) AS expires_at, job_ids FROM jobqueue_claim")
			.query((row) -> {
				claims.put(new ClaimKey(row.getObject("worker_id", UUID.class), row.getLong("claim")),
						new Snapshot.Claimed(row.getInt("expires_at"), ids(row.getArray("job_ids"))));
			});
		return claims;
	}

	private static Set<UUID> ids(Array array) throws SQLException {
		return Arrays.stream((UUID[]) array.getArray()).collect(Collectors.toSet());
	}

	private Map<UUID, Integer> workers() {
		Map<UUID, Integer> workers = new HashMap<>();
		this.sql.sql("SELECT id, minute(last_active_at) AS last_active_at FROM jobqueue_worker").query((row) -> {
			workers.put(row.getObject("id", UUID.class), row.getInt("last_active_at"));
		});
		return workers;
	}

	@Override
	public void close() {
		this.transactions.values().forEach(HandlerTransaction::close);
		this.stores.close();
		this.pool.close();
		this.database.close();
	}

}
