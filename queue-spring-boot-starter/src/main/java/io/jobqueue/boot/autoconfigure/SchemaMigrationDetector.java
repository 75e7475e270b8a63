package io.jobqueue.boot.autoconfigure;

import java.util.Set;

import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.core.Ordered;

import io.jobqueue.store.postgresql.schema.SchemaMigration;

/**
 * {@link DatabaseInitializerDetector} for our migration. It runs after every other: the
 * first run of the application's own Flyway would refuse a schema that already holds our
 * tables.
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
