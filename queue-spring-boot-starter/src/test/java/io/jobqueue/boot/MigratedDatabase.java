package io.jobqueue.boot;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

/**
 * Creates databases whose tables an application finds up to date.
 */
public final class MigratedDatabase {

	private static final String EMPTY = """
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
			DELETE FROM jobqueue_source
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
	 * Return the database that the tests of this JVM use one after the other.
	 * @return the database, to be emptied after each test, not closed
	 */
	public static TestDatabase shared() {
		return TestPostgres.sharedCopyOf("migrated", MigratedDatabase::migrate);
	}

	/**
	 * Remove all jobs, workers, keys and pauses.
	 * @param sql a client of the database
	 */
	public static void empty(JdbcClient sql) {
		sql.sql(EMPTY).update();
	}

	private static void migrate(TestDatabase database) {
		new SchemaMigration(database.directDataSource(), null, true).afterPropertiesSet();
	}

}
