package io.jobqueue.boot.autoconfigure;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;

class JobQueueAutoConfigurationTests {

	private final TestDatabase database = TestPostgres.freshDatabase();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				TransactionAutoConfiguration.class, JobQueueAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=" + this.database.jdbcUrl(),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password());

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void enqueuedJobRuns() {
		this.contextRunner.withUserConfiguration(Greetings.class).run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			assertThat(context.getBean(Greetings.class).received.poll(10, TimeUnit.SECONDS))
				.isEqualTo(new Greeting("world"));
		});
	}

	record Greeting(String name) {
	}

	@Configuration(proxyBeanMethods = false)
	static class Greetings {

		private final BlockingQueue<Greeting> received = new LinkedBlockingQueue<>();

		@JobHandler
		void handle(Greeting greeting) {
			this.received.add(greeting);
		}

	}

}
