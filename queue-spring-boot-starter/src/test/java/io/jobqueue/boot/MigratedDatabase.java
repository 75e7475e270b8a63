package io.jobqueue.boot;

import io.jobqueue.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

/**
 * Creates databases whose tables an application finds up to date.
 */
public final class MigratedDatabase {

	private MigratedDatabase() {
	}

	/**
	 * Create a database by copying one that is migrated once in this JVM.
	 * @return the database, with empty tables, to be closed when no longer needed
	 */
	public static TestDatabase create() {
		return TestPostgres.copyOf("migrated", MigratedDatabase::migrate);
	}

	private static void migrate(TestDatabase database) {
		new SchemaMigration(database.directDataSource(), null, true).afterPropertiesSet();
	}

}
