package io.jobqueue.docs;

import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.boot.MigratedDatabase;
import io.jobqueue.boot.autoconfigure.JobQueueAutoConfiguration;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * Runs examples of the documentation in an application.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ExampleTestBase {

	final TestDatabase database = MigratedDatabase.create();

	final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				JdbcClientAutoConfiguration.class, TransactionAutoConfiguration.class, JacksonAutoConfiguration.class,
				JobQueueAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=" + this.database.jdbcUrl(),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password())
		.withBean(Mailbox.class)
		.withBean(Bank.class)
		.withUserConfiguration(SignUps.class, Reminders.class, ConfirmationEmails.class, Invoices.class,
				Cancellations.class, Refunds.class, Refunds.Policies.class, Billing.class, Deliveries.class,
				Products.class, PaymentEvents.class, Drafts.class, Watchers.class, Shops.class, Accounts.class,
				Exports.class, Credits.class, Credits.Returns.class, CustomerArchives.class, Customers.class,
				Parcels.class, Operators.class, Outbox.class, Postcards.class);

	/**
	 * The next example must not find what this one left to be done.
	 */
	@AfterEach
	void empty() {
		MigratedDatabase.empty(JdbcClient.create(this.database.dataSource()));
	}

	@AfterAll
	void drop() {
		this.database.close();
	}

	void run(ContextConsumer<AssertableApplicationContext> example) {
		this.contextRunner.run((context) -> {
			createUsers(context);
			example.accept(context);
		});
	}

	static void createUsers(ApplicationContext context) {
		context.getBean(JdbcClient.class).sql("""
				DROP TABLE IF EXISTS users;
				CREATE TABLE users (id bigint PRIMARY KEY);
				""").update();
	}

	static long jobs(ApplicationContext context, String type) {
		return context.getBean(JdbcClient.class)
			.sql("SELECT count(*) FROM jobqueue_jobs WHERE type = ?")
			.param(type)
			.query(Long.class)
			.single();
	}

	static List<String> states(ApplicationContext context, String type) {
		return context.getBean(JdbcClient.class)
			.sql("SELECT state FROM jobqueue_jobs WHERE type = ? ORDER BY state")
			.param(type)
			.query(String.class)
			.list();
	}

	static void await(Runnable assertion) {
		Awaitility.await().untilAsserted(assertion::run);
	}

}
