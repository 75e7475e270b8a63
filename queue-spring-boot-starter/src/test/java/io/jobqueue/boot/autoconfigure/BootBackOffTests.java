package io.jobqueue.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.util.ClassUtils;

import io.jobqueue.boot.EmptyDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing of ours makes Boot's own beans back off.
 */
class BootBackOffTests extends QueueTestBase {

	private final ApplicationContextRunner application = this.contextRunner
		.withConfiguration(
				AutoConfigurations.of(TaskExecutionAutoConfiguration.class, TaskSchedulingAutoConfiguration.class,
						FlywayAutoConfiguration.class, ValidationAutoConfiguration.class))
		.withUserConfiguration(Scheduling.class);

	/**
	 * The application's own Flyway goes first, and refuses a schema with tables.
	 */
	BootBackOffTests() {
		super(EmptyDatabase.shared(), EmptyDatabase::clear);
	}

	@ParameterizedTest
	@ValueSource(strings = { "java.time.Clock", "java.util.concurrent.Executor", "javax.sql.DataSource",
			"org.flywaydb.core.Flyway", "org.springframework.scheduling.TaskScheduler",
			"org.springframework.transaction.TransactionManager", "tools.jackson.databind.json.JsonMapper" })
	void noCandidateIsOurs(String type) {
		Class<?> candidate = ClassUtils.resolveClassName(type, null);
		this.application.run((context) -> assertThat(context.getBeanNamesForType(candidate))
			.noneMatch((name) -> name.startsWith("jobQueue")));
	}

	@Test
	void everyBeanIsThereWithTheQueueToo() {
		List<String> without = new ArrayList<>();
		this.application.withPropertyValues("jobqueue.enabled=false")
			.run((context) -> without.addAll(List.of(context.getBeanDefinitionNames())));
		assertThat(without).contains("applicationTaskExecutor", "taskScheduler", "flyway", "jacksonJsonMapper",
				"dataSource", "transactionManager");
		this.application.run((context) -> assertThat(context.getBeanDefinitionNames()).containsAll(without));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

}
