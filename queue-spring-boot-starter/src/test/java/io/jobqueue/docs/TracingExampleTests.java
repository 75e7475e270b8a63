package io.jobqueue.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationTextPublisher;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.boot.MigratedDatabase;
import io.jobqueue.boot.autoconfigure.JobQueueAutoConfiguration;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * The convention that the documentation shows describes runs.
 */
class TracingExampleTests {

	private final TestDatabase database = MigratedDatabase.create();

	private final List<String> observed = new CopyOnWriteArrayList<>();

	private final ObservationRegistry registry = ObservationRegistry.create();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void theTenantIsAKeyOfTheRun() {
		this.registry.observationConfig().observationHandler(new ObservationTextPublisher(this.observed::add));
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
					JdbcClientAutoConfiguration.class, TransactionAutoConfiguration.class,
					JacksonAutoConfiguration.class, JobQueueAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + this.database.jdbcUrl(),
					"spring.datasource.username=" + this.database.username(),
					"spring.datasource.password=" + this.database.password())
			.withBean(Mailbox.class)
			.withBean(ObservationRegistry.class, () -> this.registry)
			.withUserConfiguration(ConfirmationEmails.class, TenantInSpans.class)
			.run((context) -> {
				context.getBean(JobQueue.class)
					.enqueue(JobRequest.of(new ConfirmationEmail(1)).header("tenant", "acme"));
				Awaitility.await()
					.until(() -> this.observed.stream()
						.anyMatch((line) -> line.contains("STOP - name='jobqueue.process'")
								&& line.contains("tenant='acme'")));
			});
	}

}
