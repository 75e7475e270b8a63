package io.jobqueue.docs;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

import io.jobqueue.JobQueue;
import io.jobqueue.boot.autoconfigure.JobQueueAutoConfiguration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The example of several data sources does what the documentation says.
 */
class DatabasesTests {

	private final TestDatabase orders = TestPostgres.freshDatabase();

	private final TestDatabase jobs = TestPostgres.freshDatabase();

	@AfterEach
	void drop() {
		this.orders.close();
		this.jobs.close();
	}

	@Test
	void jobsStandInTheirOwnDatabase() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JobQueueAutoConfiguration.class))
			.withPropertyValues("jobqueue.worker.enabled=false", "spring.datasource.url=" + this.orders.jdbcUrl(),
					"spring.datasource.username=" + this.orders.username(),
					"spring.datasource.password=" + this.orders.password())
			.withBean(Databases.Pools.class, () -> (name) -> this.jobs.dataSource())
			.withUserConfiguration(Databases.class)
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue(new ConfirmationEmail(1));
				assertThat(tables(this.jobs.dataSource())).isPositive();
				assertThat(tables(context.getBean("dataSource", DataSource.class))).isZero();
				assertThat(context.getBeanNamesForType(PlatformTransactionManager.class)).hasSize(2);
			});
	}

	private static long tables(DataSource dataSource) {
		return JdbcClient.create(dataSource)
			.sql("SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'jobqueue%'")
			.query(Long.class)
			.single();
	}

}
