package io.jobqueue.boot.autoconfigure;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

import javax.sql.DataSource;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.transaction.TransactionManager;

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

	@ParameterizedTest
	@ValueSource(classes = { Executor.class, TaskScheduler.class, Flyway.class, JsonMapper.class, DataSource.class,
			TransactionManager.class, Clock.class })
	void candidatesAreBootsAlone(Class<?> type) {
		this.application.run((context) -> assertThat(context.getBeanNamesForType(type)).hasSizeLessThan(3)
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
