package io.jobqueue.boot.autoconfigure;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application's own migrations go first: on an empty schema, its Flyway would refuse
 * our tables, as its Liquibase changelog does here.
 */
class SchemaMigrationOrderTests extends QueueTestBase {

	private static final List<String> OURS = List.of("jobqueue_archive", "jobqueue_claim", "jobqueue_job",
			"jobqueue_jobs", "jobqueue_schema_history", "jobqueue_version", "jobqueue_worker");

	private final ApplicationContextRunner withFlyway = this.contextRunner
		.withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
		.withPropertyValues("spring.flyway.locations=classpath:flyway");

	private final ApplicationContextRunner withLiquibase = this.contextRunner
		.withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
		.withPropertyValues("spring.liquibase.change-log=classpath:liquibase/changelog.sql");

	@Test
	void tablesAreCreatedInAnEmptySchema() {
		this.contextRunner.run((context) -> assertThat(tables()).isEqualTo(OURS));
	}

	@Test
	void tablesAreAddedToAFilledSchema() {
		this.sql.sql("CREATE TABLE customer (id bigint)").update();
		this.contextRunner.run((context) -> assertThat(tables()).contains("customer").containsAll(OURS));
	}

	@Test
	void flywayGoesFirstInAnEmptySchema() {
		this.withFlyway.run((context) -> assertThat(tables()).contains("customer").containsAll(OURS));
	}

	@Test
	void flywayThatHasAlreadyRunIsLeftAlone() {
		this.withFlyway.withPropertyValues("jobqueue.enabled=false")
			.run((context) -> assertThat(tables()).contains("customer").doesNotContainAnyElementsOf(OURS));
		this.withFlyway.run((context) -> assertThat(tables()).containsAll(OURS));
		this.withFlyway.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void liquibaseGoesFirstInAnEmptySchema() {
		this.withLiquibase.run((context) -> assertThat(tables()).contains("customer").containsAll(OURS));
	}

	@Test
	void liquibaseThatHasAlreadyRunIsLeftAlone() {
		this.withLiquibase.withPropertyValues("jobqueue.enabled=false")
			.run((context) -> assertThat(tables()).contains("customer").doesNotContainAnyElementsOf(OURS));
		this.withLiquibase.run((context) -> assertThat(tables()).containsAll(OURS));
	}

	@Test
	void scriptsOfTheApplicationGoFirst() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
			.withPropertyValues("spring.sql.init.mode=always",
					"spring.sql.init.schema-locations=classpath:scripts/schema.sql",
					"spring.sql.init.data-locations=classpath:scripts/data.sql")
			.run((context) -> assertThat(tables()).contains("customer").containsAll(OURS));
	}

	@Test
	void beansWithJdbcFindTheTables() {
		this.contextRunner.withBean(Census.class)
			.run((context) -> assertThat(context.getBean(Census.class).jobs).isZero());
	}

	static class Census {

		private final long jobs;

		Census(JdbcClient jdbc) {
			this.jobs = jdbc.sql("SELECT count(*) FROM jobqueue_jobs").query(Long.class).single();
		}

	}

}
