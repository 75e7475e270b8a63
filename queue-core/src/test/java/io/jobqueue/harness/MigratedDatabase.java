package io.jobqueue.harness;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

/**
 * Creates databases with the tables of the queue.
 */
public final class MigratedDatabase {

	/**
	 * TRUNCATE creates some fifty new files, DELETE leaves dead rows: it is for tables of
	 * few pages that were never analyzed. Both wait for transactions that use a table.
	 */
	private static final String EMPTY = """
			DO $$
			BEGIN
			  LOCK TABLE jobqueue_job, jobqueue_archive, jobqueue_worker, jobqueue_claim, jobqueue_key, jobqueue_dedupe, jobqueue_dependency,
			    jobqueue_unarchived, jobqueue_batch, jobqueue_batch_tally,
			    jobqueue_rate, jobqueue_pause, jobqueue_recurring, jobqueue_statistics, jobqueue_operator_log, jobqueue_worker_queue, jobqueue_subscription, jobqueue_workflow, jobqueue_workflow_step, jobqueue_source IN ACCESS EXCLUSIVE MODE;
			  IF EXISTS (SELECT FROM pg_class WHERE relkind = 'r' AND relname LIKE 'jobqueue%' AND pg_table_is_visible(oid)
			             AND (reltuples > 0 OR pg_relation_size(oid) > 65536)) THEN
			    TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_worker, jobqueue_claim, jobqueue_key, jobqueue_dedupe, jobqueue_dependency,
			    jobqueue_unarchived, jobqueue_batch, jobqueue_batch_tally,
			      jobqueue_rate, jobqueue_pause, jobqueue_recurring, jobqueue_statistics, jobqueue_operator_log, jobqueue_worker_queue, jobqueue_subscription, jobqueue_workflow, jobqueue_workflow_step, jobqueue_source;
			  ELSE
			    DELETE FROM jobqueue_job;
			    DELETE FROM jobqueue_archive;
			    DELETE FROM jobqueue_worker;
			    DELETE FROM jobqueue_claim;
			    DELETE FROM jobqueue_key;
			    DELETE FROM jobqueue_dedupe;
			    DELETE FROM jobqueue_dependency;
			    DELETE FROM jobqueue_unarchived;
			    DELETE FROM jobqueue_batch;
			    DELETE FROM jobqueue_batch_tally;
			    DELETE FROM jobqueue_rate;
			    DELETE FROM jobqueue_pause;
			    DELETE FROM jobqueue_recurring;
			    DELETE FROM jobqueue_statistics;
			    DELETE FROM jobqueue_operator_log;
			    DELETE FROM jobqueue_subscription;
			    DELETE FROM jobqueue_workflow;
			    DELETE FROM jobqueue_workflow_step;
			    DELETE FROM jobqueue_source;
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
	 * Insert so many jobs that the indexes are built sooner than they grow. The primary
	 * key stays: insert in the order of the ids. Sessions plan their statements again.
	 * @param sql a client of the database
	 * @param insertion inserts the jobs
	 */
	public static void fill(JdbcClient sql, Runnable insertion) {
		List<String> definitions = ofIndexes(sql, "indexdef");
		ofIndexes(sql, "indexname").forEach((index) -> sql.sql("DROP INDEX " + index).update());
		insertion.run();
		definitions.forEach((definition) -> sql.sql(definition).update());
		sql.sql("VACUUM ANALYZE jobqueue_job").update();
	}

	private static List<String> ofIndexes(JdbcClient sql, String column) {
		return sql
			.sql("SELECT %s FROM pg_indexes WHERE tablename = 'jobqueue_job' AND indexname <> 'jobqueue_job_pkey'"
				.formatted(column))
			.query(String.class)
			.list();
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
