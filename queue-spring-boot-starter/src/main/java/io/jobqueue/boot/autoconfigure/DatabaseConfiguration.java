package io.jobqueue.boot.autoconfigure;

import javax.sql.DataSource;

import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.jobqueue.store.jdbc.JdbcStores;
import io.jobqueue.store.jdbc.SchemaMigration;

/**
 * The database and what is stored there.
 */
@Configuration(proxyBeanMethods = false)
@Import(DatabaseInitializationDependencyConfigurer.class)
class DatabaseConfiguration {

	@Bean
	QueueDatabase jobQueueDatabase(DataSource dataSource) {
		return new QueueDatabase(dataSource, null);
	}

	@Bean
	SchemaMigration jobQueueSchemaMigration(QueueDatabase database, QueueProperties properties, NodeSettings checked) {
		return new SchemaMigration(database.dataSource(), properties.getJdbc().getSchema(),
				properties.getJdbc().isMigrate());
	}

	@Bean
	@DependsOnDatabaseInitialization
	JdbcStores jobQueueStores(QueueDatabase database, QueueProperties properties) {
		return JdbcStores.of(database.dataSource(), database.unpooled(), properties.getJdbc().getSchema());
	}

}
