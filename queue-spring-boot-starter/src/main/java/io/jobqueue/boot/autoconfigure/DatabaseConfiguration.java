package io.jobqueue.boot.autoconfigure;

import javax.sql.DataSource;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.StringUtils;

import io.jobqueue.JobQueueDataSource;
import io.jobqueue.JobQueueTransactionManager;
import io.jobqueue.maintenance.UnservedQueues;
import io.jobqueue.outbox.TransactionManagerCheck;
import io.jobqueue.store.postgresql.PostgresStores;
import io.jobqueue.store.postgresql.schema.DatabaseCheck;
import io.jobqueue.store.postgresql.schema.SchemaMigration;

/**
 * The database, its transactions and what is stored there.
 */
@Configuration(proxyBeanMethods = false)
@Import(DatabaseInitializationDependencyConfigurer.class)
class DatabaseConfiguration {

	@Bean
	@DependsOn("jobQueueNodeSettings") // no connection for settings that are refused
	QueueDatabase jobQueueDatabase(@JobQueueDataSource ObjectProvider<DataSource> marked,
			ObjectProvider<DataSource> all, ObjectProvider<JdbcConnectionDetails> details,
			JobQueueProperties properties, ListableBeanFactory beanFactory) {
		DataSource dataSource = new Candidates<>(DataSource.class, marked, all).choose(JobQueueDataSource.class,
				beanFactory, MissingBeans::dataSource);
		DatabaseCheck.check(dataSource);
		String schema = properties.jdbc().schema();
		return new QueueDatabase(dataSource, UnpooledDataSource.of(dataSource, details.getIfUnique()),
				StringUtils.hasText(schema) ? schema : null);
	}

	@Bean
	QueueTransactions jobQueueTransactions(
			@JobQueueTransactionManager ObjectProvider<PlatformTransactionManager> marked,
			ObjectProvider<PlatformTransactionManager> all, QueueDatabase database, ListableBeanFactory beanFactory) {
		PlatformTransactionManager manager = new Candidates<>(PlatformTransactionManager.class, marked, all)
			.choose(JobQueueTransactionManager.class, beanFactory, () -> MissingBeans.transactionManager(beanFactory));
		TransactionManagerCheck.check(manager, database.dataSource(),
				(dataSource) -> Candidates.describe(dataSource, DataSource.class, beanFactory));
		return new QueueTransactions(manager);
	}

	@Bean
	SchemaMigration jobQueueSchemaMigration(QueueDatabase database, JobQueueProperties properties) {
		return new SchemaMigration(database.dataSource(), database.schema(), properties.jdbc().migrate());
	}

	@Bean
	@DependsOnDatabaseInitialization
	PostgresStores jobQueueStores(QueueDatabase database) {
		return PostgresStores.of(database.dataSource(), database.unpooled(), database.schema());
	}

	@Bean
	UnservedQueues jobQueueUnservedQueues(PostgresStores stores, NodeSettings settings) {
		return new UnservedQueues(stores.gauges(), stores.search(), stores.pauses(), settings.worker().timeout());
	}

}
