package io.jobqueue.boot.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the job queue.
 */
@AutoConfiguration(after = { DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
		JdbcClientAutoConfiguration.class, JdbcTemplateAutoConfiguration.class, TransactionAutoConfiguration.class },
		afterName = { "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
				"org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
				"org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
				"org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.transaction.jta.autoconfigure.JtaAutoConfiguration",
				"org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration" })
@ConditionalOnSwitch(value = "jobqueue.enabled", byDefault = true)
@Import({ SettingsConfiguration.class, DatabaseConfiguration.class, HooksConfiguration.class,
		PayloadConfiguration.class, HandlerConfiguration.class, ProducerConfiguration.class,
		WorkflowConfiguration.class, OperationsConfiguration.class, RecurringConfiguration.class,
		PullConfiguration.class, WorkerConfiguration.class, RelayConfiguration.class, DirectConfiguration.class,
		AlertConfiguration.class, MetricsConfiguration.class, HealthConfiguration.class, EndpointConfiguration.class })
public final class JobQueueAutoConfiguration {

}
