package io.jobqueue.boot.autoconfigure;

import java.util.Set;

import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.core.Ordered;

import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;

/**
 * {@link DatabaseInitializerDetector} for the migration of the queue. It runs after all
 * others: the first run of the application's Flyway refuses a schema with tables.
 */
class SchemaMigrationDetector extends AbstractBeansOfTypeDatabaseInitializerDetector {

	@Override
	protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
		return Set.of(SchemaMigration.class);
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
