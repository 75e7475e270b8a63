package io.jobqueue.model;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

/**
 * A database whose clock can be set: its {@code statement_timestamp()} is one of ours,
 * found before that of PostgreSQL.
 */
final class ModelDatabase implements AutoCloseable {

	private static final String CLOCK = """
			CREATE TABLE clock (ahead interval NOT NULL);
			INSERT INTO clock VALUES (interval '0');
			CREATE FUNCTION public.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
			    AS 'SELECT pg_catalog.statement_timestamp() + ahead FROM public.clock';
			""";

	private final TestDatabase database = TestPostgres.freshDatabase();

	private final DataSource unpooled = this.database.dataSource();

	private final HikariDataSource pool = new HikariDataSource();

	private final JdbcClient sql = JdbcClient.create(this.pool);

	private final PostgresStores stores;

	private final Map<Node, OpenTransaction> transactions;

	private Instant origin = Instant.EPOCH;

	ModelDatabase() {
		this.pool.setDataSource(this.unpooled);
		prepare();
		this.stores = PostgresStores.of(this.pool, this.unpooled, null);
		this.transactions = Node.ALL.stream()
			.collect(Collectors.toMap((node) -> node, (node) -> new OpenTransaction(this.unpooled)));
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

	/**
	 * Empty the tables, and reset the clock to minute 0.
	 */
	void empty() {
		this.sql.sql("""
				DELETE FROM jobqueue_job;
				DELETE FROM jobqueue_archive;
				DELETE FROM jobqueue_claim;
				DELETE FROM jobqueue_worker;
				DELETE FROM jobqueue_rate;
				UPDATE clock SET ahead = interval '0'
				""").update();
		this.origin = this.sql.sql("SELECT clock_timestamp()").query(OffsetDateTime.class).single().toInstant();
	}

	void pass(int minutes) {
		this.sql.sql("UPDATE clock SET ahead = ahead + ? * interval '1 minute'").param(minutes).update();
	}

	PostgresStores stores() {
		return this.stores;
	}

	JdbcClient sql() {
		return this.sql;
	}

	OpenTransaction transaction(Node node) {
		return this.transactions.get(node);
	}

	Snapshot snapshot() {
		return new Tables(this.sql, this.origin).snapshot();
	}

	@Override
	public void close() {
		this.transactions.values().forEach(OpenTransaction::close);
		this.stores.close();
		this.pool.close();
		this.database.close();
	}

}
