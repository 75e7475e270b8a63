package io.jobqueue.harness;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

/**
 * Creates databases with the tables of the queue.
 */
public final class MigratedDatabase {

	/**
	 * TRUNCATE makes some fifty files anew, DELETE leaves dead rows: it is for tables of
	 * few pages that were never analyzed. Both wait for transactions that use a table.
	 */
	private static final String EMPTY = """
			DO $$
			BEGIN
			  LOCK TABLE jobqueue_job, jobqueue_archive, jobqueue_worker, jobqueue_claim, jobqueue_key, jobqueue_dedupe,
			    jobqueue_rate, jobqueue_pause IN ACCESS EXCLUSIVE MODE;
			  IF EXISTS (SELECT FROM pg_class WHERE relkind = 'r' AND relname LIKE 'jobqueue%' AND pg_table_is_visible(oid)
			             AND (reltuples > 0 OR pg_relation_size(oid) > 65536)) THEN
			    TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_worker, jobqueue_claim, jobqueue_key, jobqueue_dedupe,
			      jobqueue_rate, jobqueue_pause;
			  ELSE
			    DELETE FROM jobqueue_job;
			    DELETE FROM jobqueue_archive;
			    DELETE FROM jobqueue_worker;
			    DELETE FROM jobqueue_claim;
			    DELETE FROM jobqueue_key;
			    DELETE FROM jobqueue_dedupe;
			    DELETE FROM jobqueue_rate;
			    DELETE FROM jobqueue_pause;
			  END IF;
			END
			$$
			""";

	private MigratedDatabase() {
	}

	/**
	 * Create a database by copying one that is migrated once in this JVM.
	 * @return the database, with empty tables, to be closed when no longer needed
	 */
	public static TestDatabase create() {
		return TestPostgres.copyOf("migrated", MigratedDatabase::migrate);
	}

	/**
	 * Remove all jobs, workers and keys.
	 * @param sql a client of the database
	 */
	public static void empty(JdbcClient sql) {
		sql.sql(EMPTY).update();
	}

	/**
	 * Migrate a database.
	 * @param database the database
	 * @return the same database
	 */
	public static TestDatabase migrate(TestDatabase database) {
		new SchemaMigration(database.directDataSource(), null, true).afterPropertiesSet();
		return database;
	}

}
