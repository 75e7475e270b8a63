package io.jobqueue.boot.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

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
import org.springframework.transaction.TransactionManager;
import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobQueueDataSource;
import io.jobqueue.JobQueueTransactionManager;
import io.jobqueue.internal.boot.datasource.BeanSelection;
import io.jobqueue.internal.boot.datasource.RoutingCheck;
import io.jobqueue.internal.boot.datasource.UnpooledDataSource;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.maintenance.UnservedQueues;
import io.jobqueue.internal.outbox.TransactionManagerCheck;
import io.jobqueue.internal.store.DatabaseEncoding;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.schema.DatabaseCheck;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;

/**
 * The database, its transactions and its stores.
 */
@Configuration(proxyBeanMethods = false)
@Import(DatabaseInitializationDependencyConfigurer.class)
class DatabaseConfiguration {

	@Bean
	@DependsOn("jobQueueNodeSettings") // no connection for settings that are refused
	QueueDatabase jobQueueDatabase(@JobQueueDataSource ObjectProvider<DataSource> marked,
			ObjectProvider<DataSource> all, ObjectProvider<JdbcConnectionDetails> details,
			JobQueueProperties properties, ListableBeanFactory beanFactory) {
		DataSource dataSource = new BeanSelection<>(DataSource.class, marked, all).select(JobQueueDataSource.class,
				beanFactory, DatabaseConfiguration::noDataSource);
		DatabaseEncoding unused = DatabaseCheck.check(dataSource);
		RoutingCheck.check(dataSource, BeanSelection.describe(dataSource, DataSource.class, beanFactory));
		String schema = properties.jdbc().schema();
		return new QueueDatabase(dataSource, UnpooledDataSource.of(dataSource, details.getIfUnique()),
				StringUtils.hasText(schema) ? schema : null);
	}

	@Bean
	QueueTransactions jobQueueTransactions(
			@JobQueueTransactionManager ObjectProvider<PlatformTransactionManager> marked,
			ObjectProvider<PlatformTransactionManager> all, QueueDatabase database, ListableBeanFactory beanFactory) {
		PlatformTransactionManager manager = new BeanSelection<>(PlatformTransactionManager.class, marked, all)
			.select(JobQueueTransactionManager.class, beanFactory, () -> noTransactionManager(beanFactory));
		TransactionManagerCheck.check(manager, database.dataSource(),
				(dataSource) -> BeanSelection.describe(dataSource, DataSource.class, beanFactory));
		return new QueueTransactions(manager);
	}

	@Bean
	SchemaMigration jobQueueSchemaMigration(QueueDatabase database, JobQueueProperties properties) {
		return new SchemaMigration(database.dataSource(), database.schema(), properties.jdbc().migrate());
	}

	@Bean
	@DependsOnDatabaseInitialization
	PostgresStores jobQueueStores(QueueDatabase database, SchemaMigration migration,
			ObjectProvider<PostgresStores.Customizer> customizer) {
		PostgresStores stores = PostgresStores.of(database.dataSource(), database.unpooled(), migration.schema());
		PostgresStores.Customizer tests = customizer.getIfAvailable();
		return (tests != null) ? tests.customize(stores) : stores;
	}

	@Bean
	UnservedQueues jobQueueUnservedQueues(PostgresStores stores, NodeSettings settings) {
		return new UnservedQueues(stores.monitoring(), stores.search(), stores.pauses(), settings.worker().timeout(),
				System::nanoTime);
	}

	private static InvalidConfigurationException noDataSource() {
		return new InvalidConfigurationException("The job queue needs a DataSource, but there is none.",
				"Configure one, for example with 'spring.datasource.url' (R2DBC alone is not enough),"
						+ " or disable the queue with 'jobqueue.enabled=false'.");
	}

	private static InvalidConfigurationException noTransactionManager(ListableBeanFactory beanFactory) {
		List<String> reactive = BeanSelection.names(TransactionManager.class, beanFactory);
		String found = reactive.isEmpty() ? "there is none"
				: "there are only reactive ones, which cannot carry a JDBC transaction: " + String.join(", ", reactive);
		return new InvalidConfigurationException(
				"The job queue needs a PlatformTransactionManager, but %s.".formatted(found),
				"Declare a JdbcTransactionManager of the queue's DataSource as a bean and enqueue in its transactions;"
						+ " if there are others, mark it with @JobQueueTransactionManager.");
	}

	/**
	 * The transactions that jobs join.
	 *
	 * @param manager their manager, which carries those of the {@link QueueDatabase}
	 */
	record QueueTransactions(PlatformTransactionManager manager) {
	}

	/**
	 * The database that holds the jobs. The data sources are no beans, since other beans
	 * would take them for the application's.
	 *
	 * @param dataSource the application's data source
	 * @param unpooled opens connections beside its pool, {@code null} if that is not
	 * possible
	 * @param schema the schema of the tables, {@code null} for the connection's own
	 */
	record QueueDatabase(DataSource dataSource, @Nullable DataSource unpooled, @Nullable String schema) {
	}

}
