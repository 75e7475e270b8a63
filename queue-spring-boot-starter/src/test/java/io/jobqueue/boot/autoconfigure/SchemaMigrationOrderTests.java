package io.jobqueue.boot.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobQueue;
import io.jobqueue.boot.EmptyDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application's own migrations go first: on an empty schema, its Flyway would refuse
 * our tables, as its Liquibase changelog does here.
 */
@Tag("slow") // migrates databases
class SchemaMigrationOrderTests extends QueueTestBase {

	private static final List<String> OURS = List.of("jobqueue_archive", "jobqueue_batch", "jobqueue_batch_tally",
			"jobqueue_claim", "jobqueue_dedupe", "jobqueue_dependency", "jobqueue_job", "jobqueue_jobs", "jobqueue_key",
			"jobqueue_operator_log", "jobqueue_pause", "jobqueue_rate", "jobqueue_recurring", "jobqueue_schema_history",
			"jobqueue_source", "jobqueue_statistics", "jobqueue_subscription", "jobqueue_unarchived",
			"jobqueue_version", "jobqueue_worker", "jobqueue_worker_queue", "jobqueue_workflow",
			"jobqueue_workflow_step");

	private final ApplicationContextRunner withFlyway = this.contextRunner
		.withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
		.withPropertyValues("spring.flyway.locations=classpath:flyway");

	private final ApplicationContextRunner withLiquibase = this.contextRunner
		.withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
		.withPropertyValues("spring.liquibase.change-log=classpath:liquibase/changelog.sql");

	SchemaMigrationOrderTests() {
		super(EmptyDatabase.shared(), EmptyDatabase::clear);
	}

	@Test
	void tablesAreCreatedInAnEmptySchema() {
		assertRuns(this.contextRunner);
		assertThat(tables()).isEqualTo(OURS);
	}

	@Test
	void tablesAreAddedToAFilledSchema() {
		this.sql.sql("CREATE TABLE customer (id bigint)").update();
		assertRuns(this.contextRunner);
		assertThat(tables()).contains("customer").containsAll(OURS);
	}

	@Test
	void flywayGoesFirstInAnEmptySchema() {
		assertRuns(this.withFlyway);
		assertThat(tables()).contains("customer").containsAll(OURS);
	}

	@Test
	void tablesAreAddedAfterFlywayHasRun() {
		assertRuns(this.withFlyway.withPropertyValues("jobqueue.enabled=false"));
		assertThat(tables()).contains("customer").doesNotContainAnyElementsOf(OURS);
		assertRuns(this.withFlyway);
		assertThat(tables()).containsAll(OURS);
		assertRuns(this.withFlyway);
	}

	@Test
	void liquibaseGoesFirstInAnEmptySchema() {
		assertRuns(this.withLiquibase);
		assertThat(tables()).contains("customer").containsAll(OURS);
	}

	@Test
	void tablesAreAddedAfterLiquibaseHasRun() {
		assertRuns(this.withLiquibase.withPropertyValues("jobqueue.enabled=false"));
		assertThat(tables()).contains("customer").doesNotContainAnyElementsOf(OURS);
		assertRuns(this.withLiquibase);
		assertThat(tables()).containsAll(OURS);
	}

	@Test
	void scriptsOfTheApplicationGoFirst() {
		assertRuns(this.contextRunner
			.withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
			.withPropertyValues("spring.sql.init.mode=always",
					"spring.sql.init.schema-locations=classpath:scripts/schema.sql",
					"spring.sql.init.data-locations=classpath:scripts/data.sql"));
		assertThat(tables()).contains("customer").containsAll(OURS);
	}

	@Test
	void beansWithJdbcFindTheTables() {
		this.contextRunner.withBean(Census.class)
			.run((context) -> assertThat(context.getBean(Census.class).jobs).isZero());
	}

	@Test
	void beansThatEnqueueFindTheTables() {
		assertRuns(new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceTransactionManagerAutoConfiguration.class,
					JobQueueAutoConfiguration.class))
			.withBean(EagerProducer.class)
			.withBean(DataSource.class, this.database::dataSource));
	}

	private static void assertRuns(ApplicationContextRunner runner) {
		runner.run((context) -> assertThat(context).hasNotFailed());
	}

	static class Census {

		private final long jobs;

		Census(JdbcClient jdbc) {
			this.jobs = jdbc.sql("SELECT count(*) FROM jobqueue_jobs").query(Long.class).single();
		}

	}

	static class EagerProducer {

		EagerProducer(JobQueue jobQueue) {
			jobQueue.enqueue(new Greeting("world"));
		}

	}

}
